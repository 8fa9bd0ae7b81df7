// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

namespace signalbox::test {

/// The folder of the test vectors: tests/data/vectors, or $SIGNALBOX_VECTORS, which a relative path names from the checkout:
/// the tests run elsewhere. Ends the process with a message where there is no such folder.
inline std::filesystem::path vectorsFolder() {
    const char* set = std::getenv("SIGNALBOX_VECTORS");
    const bool isSet = set != nullptr && *set != '\0';
    std::filesystem::path folder = std::filesystem::path(SIGNALBOX_SOURCE_DIR) / (isSet ? set : "tests/data/vectors");
    if (std::filesystem::is_directory(folder)) return folder;
    std::cerr << (isSet ? "SIGNALBOX_VECTORS names " : "The test vectors should be in ") << folder << ", which is no folder\n";
    std::exit(2);
}

/// The real emitted table and its cases are not ours to commit; they stand beside the checkout in shared/vectors.
/// A test that needs them skips, saying so, where this does not exist.
inline std::filesystem::path sharedVectorsFolder() {
    if (const char* set = std::getenv("SIGNALBOX_SHARED_VECTORS"); set != nullptr && *set != '\0') return set;
    return std::filesystem::path(SIGNALBOX_SOURCE_DIR).parent_path() / "shared/vectors";
}

}  // namespace signalbox::test
