// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"
#include "ui/document/draft_command.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>

namespace signalbox::ui {

/// A draft that was not saved, with what it began with.
struct Recovery {
    Timestamp at{};
    DraftTexts base, draft;
};

/// The one file in which the unsaved draft of a workspace is kept, readable by its owner only. Thread safe; writers may
/// come in any order, the newest of them counts.
class RecoveryFile {
public:
    /// `folder` is made on the first write. The name follows from both paths.
    RecoveryFile(const std::filesystem::path& folder, const std::filesystem::path& tableFile, const std::filesystem::path& configFile);

    /// Nullopt when there is none, or when it is of another workspace or of a version that is not understood.
    [[nodiscard]] std::optional<Recovery> read() const;
    /// Keeps `recovery`, or throws away what was kept. Ignored when a later `number` was served already.
    Result<void> keep(std::uint64_t number, const std::optional<Recovery>& recovery);
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_folder, m_tableFile, m_configFile, m_path;
    mutable std::mutex m_mutex;
    std::uint64_t m_served = 0;
};

}  // namespace signalbox::ui
