// SPDX-License-Identifier: MIT
#include "ui/document/draft_files.h"

#include "router/base/file.h"
#include "router/base/hashing.h"

namespace signalbox::ui {

namespace fs = std::filesystem;

static constexpr std::size_t kMaxDraftBytes = std::size_t{64} << 20;

/// What stands there; nullopt when nothing does.
static Result<std::optional<std::string>> onDisk(const fs::path& path) {
    auto bytes = readFile(path, kMaxDraftBytes);
    if (bytes) return std::optional(std::move(*bytes));
    if (bytes.error().kind == ErrorKind::notFound) return std::optional<std::string>();
    return tl::unexpected(std::move(bytes.error()));
}

static std::string stateOf(const std::optional<std::string>& theirs) { return theirs ? sha256Hex(*theirs) : std::string(); }

static std::optional<FileConflict> conflictOf(const FileWrite& file, const std::optional<std::string>& theirs) {
    if (theirs == file.text) return std::nullopt;
    if (theirs == file.base && !file.olderBase) return std::nullopt;
    std::string state = stateOf(theirs);
    if (file.accepted == state) return std::nullopt;
    return FileConflict{file.path, file.olderBase.value_or(file.base), theirs.value_or(std::string()), file.text, !theirs, std::move(state)};
}

SaveOutcome saveFiles(const std::vector<FileWrite>& files) {
    SaveOutcome outcome;
    std::vector<std::optional<std::string>> there;
    for (const FileWrite& file : files) {
        auto theirs = onDisk(file.path);
        if (!theirs) {
            outcome.error = std::move(theirs.error());
            return outcome;
        }
        outcome.conflict = conflictOf(file, *theirs);
        if (outcome.conflict) return outcome;
        there.push_back(std::move(*theirs));
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        const FileWrite& file = files[i];
        // The bytes that were looked at above have to be there still when the new ones take their place.
        if (there[i] != file.text)
            if (auto written = writeFileAtomic(file.path, file.text, {.expectedSha256 = stateOf(there[i])}); !written) {
                outcome.error = std::move(written.error());
                return outcome;
            }
        outcome.written.push_back(file.path);
    }
    return outcome;
}

}  // namespace signalbox::ui
