// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"

#include <QString>

#include <filesystem>

namespace signalbox::ui {

/// The workspace that a console was started on: its gateway, client token and records are that one's for as long as it
/// runs. Anything else that is open is a guest.
class HomeWorkspace {
public:
    /// Has no home: nothing is a guest.
    HomeWorkspace() = default;
    explicit HomeWorkspace(const std::filesystem::path& folder);

    /// Looks at what is open; at the disk only when these are other files than last time.
    void see(const policy::LoadedWorkspace& open);
    /// What a console of its own is started with: the guest's folder or table file. Empty at home.
    [[nodiscard]] const QString& guest() const { return m_guest; }
    /// Name of the home's folder, with its whole path where the guest has the same name.
    [[nodiscard]] QString name() const;
    [[nodiscard]] QString guestName() const;

private:
    std::filesystem::path m_folder, m_tableFile, m_configFile;
    QString m_guest;
};

}  // namespace signalbox::ui
