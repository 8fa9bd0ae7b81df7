// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace signalbox::test {

/// The folder of the test vectors: $SIGNALBOX_VECTORS or tests/data/vectors.
inline std::filesystem::path vectorsFolder() {
    if (const char* set = std::getenv("SIGNALBOX_VECTORS"); set != nullptr && *set != '\0') return set;
    return std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "tests/data/vectors";
}

/// The real emitted table and its cases are not ours to commit; they stand beside the checkout in shared/vectors.
/// A test that needs them skips, saying so, where this does not exist.
inline std::filesystem::path sharedVectorsFolder() {
    if (const char* set = std::getenv("SIGNALBOX_SHARED_VECTORS"); set != nullptr && *set != '\0') return set;
    return std::filesystem::path(SIGNALBOX_SOURCE_DIR).parent_path() / "shared/vectors";
}

}  // namespace signalbox::test
