// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace signalbox::test {

/// One `#include` line of a source file.
struct Include {
    std::string file;  ///< from the root of the checkout
    std::size_t line = 0;
    std::string target;  ///< between the quotes or brackets
    [[nodiscard]] std::string where() const { return file + ":" + std::to_string(line); }
};

/// One name in the list behind a keyword of a function call in a CMakeLists.txt.
struct CMakeWord {
    std::string file;
    std::size_t line = 0;
    std::string word;
    [[nodiscard]] std::string where() const { return file + ":" + std::to_string(line); }
};

/// Every `#include` of the .h and .cpp files below `folder` (from `root`).
[[nodiscard]] std::vector<Include> includesBelow(const std::filesystem::path& root, const std::string& folder);
/// The words after `keyword` in every call of `function`, up to the next keyword in capitals or the closing parenthesis.
[[nodiscard]] std::vector<CMakeWord> wordsAfter(const std::filesystem::path& root, const std::string& file,
                                                const std::string& function, const std::string& keyword);
/// Every word of a CMake file outside comments, with its line.
[[nodiscard]] std::vector<CMakeWord> wordsOfFile(const std::filesystem::path& root, const std::string& file);
/// The folder below the top folder in which a file stands: "table" for router/table/read.h; empty for router/x.h.
[[nodiscard]] std::string subfolderOf(const std::string& file);

}  // namespace signalbox::test
