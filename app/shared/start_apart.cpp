// SPDX-License-Identifier: MIT
#include "app/shared/start_apart.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace signalbox::app {
namespace {

class SpawnPlan {
public:
    SpawnPlan() {
        ::posix_spawnattr_init(&attributes);
        ::posix_spawn_file_actions_init(&files);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        ::posix_spawnattr_setsigmask(&attributes, &none);
        ::posix_spawnattr_setsigdefault(&attributes, &all);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        ::posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
    }
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
};

/// Takes note of its end whenever that comes, so that the system can forget it.
void awaitEnd(pid_t child) {
    std::thread([child] {
        while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
    }).detach();
}

}  // namespace

Result<void> startApart(const std::filesystem::path& program, const std::vector<std::string>& arguments) {
    std::vector<std::string> words{program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const SpawnPlan plan;
    pid_t child = 0;
    if (const int failed = ::posix_spawn(&child, program.c_str(), &plan.files, &plan.attributes, pointers.data(), environ); failed != 0)
        return fail(ErrorKind::unavailable, std::string("the program cannot be started: ") + std::strerror(failed), program.string(),
                    "Start it by hand.");
    awaitEnd(child);
    return {};
}

}  // namespace signalbox::app
