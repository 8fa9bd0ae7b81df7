// SPDX-License-Identifier: MIT
#include "tests/layers/source_tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>

namespace fs = std::filesystem;

namespace signalbox::test {
namespace {

std::optional<std::string> includedBy(const std::string& line) {
    std::size_t at = line.find_first_not_of(" \t");
    if (at == std::string::npos || line[at] != '#') return std::nullopt;
    at = line.find_first_not_of(" \t", at + 1);
    if (at == std::string::npos || line.compare(at, 7, "include") != 0) return std::nullopt;
    const std::size_t open = line.find_first_of("\"<", at);
    if (open == std::string::npos) return std::nullopt;
    const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
    if (close == std::string::npos) return std::nullopt;
    return line.substr(open + 1, close - open - 1);
}

void addIncludes(const fs::path& root, const fs::path& path, std::vector<Include>& out) {
    std::ifstream in(path);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number)
        if (const auto target = includedBy(line))
            out.push_back({path.lexically_relative(root).generic_string(), number, *target});
}

bool isKeyword(const std::string& word) {
    return word.size() > 1 && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0 || c == '_'; });
}

}  // namespace

std::vector<Include> includesBelow(const fs::path& root, const std::string& folder) {
    std::vector<fs::path> files;
    if (fs::exists(root / folder))
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Include> out;
    for (const fs::path& file : files) addIncludes(root, file, out);
    return out;
}

std::vector<CMakeWord> wordsOfFile(const fs::path& root, const std::string& file) {
    std::vector<CMakeWord> out;
    std::ifstream in(root / file);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        std::string word;
        const auto flush = [&] {
            if (!word.empty()) out.push_back({file, number, word});
            word.clear();
        };
        for (const char c : line.substr(0, line.find('#'))) {
            if (c == '(' || c == ')') {
                flush();
                out.push_back({file, number, std::string(1, c)});
            } else if (c == ' ' || c == '\t' || c == '"' || c == ';') {
                flush();
            } else {
                word += c;
            }
        }
        flush();
    }
    return out;
}

std::vector<CMakeWord> wordsAfter(const fs::path& root, const std::string& file, const std::string& function,
                                  const std::string& keyword) {
    std::vector<CMakeWord> out;
    bool inCall = false, inList = false;
    for (CMakeWord& word : wordsOfFile(root, file)) {
        if (word.word == function) inCall = true;
        else if (word.word == ")") inCall = inList = false;
        else if (isKeyword(word.word)) inList = word.word == keyword;
        else if (inCall && inList) out.push_back(std::move(word));
    }
    return out;
}

std::string subfolderOf(const std::string& file) {
    const std::size_t first = file.find('/');
    if (first == std::string::npos) return {};
    const std::size_t second = file.find('/', first + 1);
    return second == std::string::npos ? std::string() : file.substr(first + 1, second - first - 1);
}

}  // namespace signalbox::test
