// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/error.h"
#include "ui/document/draft_command.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>

class QLockFile;

namespace signalbox::ui {

/// A draft that was not saved, with what it began with.
struct Recovery {
    Timestamp at{};
    DraftTexts base, draft;
};

/// Where one console keeps the unsaved draft of a workspace, readable by its owner only. Every console has a file of its
/// own, held by a lock that ends with its process, so that two of them on one workspace never write over each other and
/// none is offered what another still works on. Thread safe; writers may come in any order, the newest of them counts.
class RecoveryFile {
public:
    /// `folder` is made on the first write. The first part of the name follows from both paths.
    RecoveryFile(const std::filesystem::path& folder, const std::filesystem::path& tableFile, const std::filesystem::path& configFile);
    ~RecoveryFile();

    /// The newest draft of this workspace that a process left which is gone; it is ours from then on, and `keep` writes
    /// over it. Nullopt when there is none. What is damaged, or of a version that is not understood, stays where it is.
    [[nodiscard]] std::optional<Recovery> adopt();
    /// Keeps `recovery`, or throws away what was kept. Ignored when a later `number` was served already.
    Result<void> keep(std::uint64_t number, const std::optional<Recovery>& recovery);
    /// What is kept is for whoever adopts it; this one writes no more.
    void letGo();

private:
    [[nodiscard]] std::optional<Recovery> readIn(const std::filesystem::path& path) const;

    std::filesystem::path m_folder, m_tableFile, m_configFile, m_path;
    mutable std::mutex m_mutex;
    std::unique_ptr<QLockFile> m_lock;  ///< of m_path, while something is kept there
    std::uint64_t m_served = 0;
    bool m_letGo = false;
};

}  // namespace signalbox::ui
