// SPDX-License-Identifier: MIT
#include "tests/support/spawn.h"

#include <array>
#include <cstdio>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace signalbox::test {

namespace {

/// Without a name, so that nothing is left behind.
using Scratch = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
Scratch scratch() { return {std::tmpfile(), &std::fclose}; }

std::string contentOf(std::FILE* file) {
    std::rewind(file);
    std::string out;
    std::array<char, 4096> piece{};
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file)) out.append(piece.data(), got);
    return out;
}

std::vector<std::string> environmentWith(const std::map<std::string, std::string>& more) {
    std::vector<std::string> out;
    for (char** one = environ; *one != nullptr; ++one) {
        const std::string text = *one;
        if (!more.contains(text.substr(0, text.find('=')))) out.push_back(text);
    }
    for (const auto& [name, value] : more) out.push_back(name + "=" + value);
    return out;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

}  // namespace

SpawnResult spawn(const std::vector<std::string>& command, std::string_view input, const std::map<std::string, std::string>& more) {
    const Scratch in = scratch(), out = scratch(), err = scratch();
    if (!in || !out || !err || command.empty()) return {};
    std::fwrite(input.data(), 1, input.size(), in.get());
    std::rewind(in.get());
    std::vector<std::string> arguments = command, environment = environmentWith(more);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const std::array files{in.get(), out.get(), err.get()};
    for (int i = 0; i < 3; ++i) posix_spawn_file_actions_adddup2(&actions, fileno(files[static_cast<std::size_t>(i)]), i);
    pid_t child = 0;
    const int started = posix_spawnp(&child, command.front().c_str(), &actions, nullptr, pointersTo(arguments).data(), pointersTo(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (started != 0 || waitpid(child, &status, 0) != child) return {};
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contentOf(out.get()), contentOf(err.get())};
}

}  // namespace signalbox::test
