// SPDX-License-Identifier: MIT
#include "router/evidence/child_process.h"

#include "router/evidence/descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace signalbox::evidence {
namespace {

constexpr int kCouldNotStart = 127;
constexpr int kMostDescriptors = 65536;
constexpr std::size_t kMaxOutput = std::size_t{64} << 10;

// Runs between fork and exec: only calls that are safe there.
bool become(const Account& account) {
    return ::setgroups(account.groups.size(), account.groups.data()) == 0 && ::setgid(account.gid) == 0 &&
           ::setuid(account.uid) == 0;
}

void resetSignals() {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(number, SIG_DFL);
}

[[noreturn]] void execute(const std::vector<char*>& arguments, const std::vector<char*>& environment,
                          const std::optional<Account>& account, int output) {
    ::setsid();
    resetSignals();
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    // Kernels and sandboxes without it: one by one, or a server we start would hold the gateway's address.
    if (::close_range(3, ~0U, 0) != 0)
        for (int fd = 3; fd < kMostDescriptors; ++fd) ::close(fd);
    if (::chdir("/") == 0 && (!account || become(*account)))
        ::execve(arguments.front(), arguments.data(), environment.data());
    ::_exit(kCouldNotStart);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

int exitCodeOf(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

int waitFor(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return exitCodeOf(status);
}

/// Reads until the child closes its end; false when time ran out.
bool collect(int fd, std::string& out, std::chrono::steady_clock::time_point deadline) {
    char block[4096];
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return false;
        pollfd wait{fd, POLLIN, 0};
        if (::poll(&wait, 1, static_cast<int>(left.count())) < 0 && errno != EINTR) return false;
        if (wait.revents == 0) continue;
        const ssize_t n = ::read(fd, block, sizeof block);
        if (n == 0) return true;
        if (n > 0 && out.size() < kMaxOutput) out.append(block, static_cast<std::size_t>(n));
        if (n < 0 && errno != EINTR) return false;
    }
}

}  // namespace

std::optional<Account> Account::find(const std::string& name) {
    std::vector<char> storage(16384);
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwnam_r(name.c_str(), &entry, storage.data(), storage.size(), &found) != 0 || found == nullptr)
        return std::nullopt;
    Account account{name, entry.pw_uid, entry.pw_gid, std::vector<gid_t>(64)};
    int count = static_cast<int>(account.groups.size());
    if (::getgrouplist(name.c_str(), account.gid, account.groups.data(), &count) < 0) count = 0;
    account.groups.resize(static_cast<std::size_t>(count));
    return account;
}

Account Account::ofUser(uid_t uid, gid_t gid) {
    std::vector<char> storage(16384);
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(uid, &entry, storage.data(), storage.size(), &found) == 0 && found != nullptr)
        if (auto account = find(entry.pw_name)) return *account;
    return {std::to_string(uid), uid, gid, {gid}};
}

Result<ProcessResult> runProcess(const std::vector<std::string>& command, const std::optional<Account>& account,
                                 std::chrono::seconds patience) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return fail(ErrorKind::unavailable, std::string("cannot start a program: ") + std::strerror(errno), command.front());
    Descriptor readEnd(ends[0]);
    Descriptor writeEnd(ends[1]);
    std::vector<std::string> argumentTexts = command;
    std::vector<std::string> environmentTexts{"PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "TZ=UTC"};
    const auto arguments = pointers(argumentTexts);
    const auto environment = pointers(environmentTexts);
    const pid_t child = ::fork();
    if (child == 0) execute(arguments, environment, account, writeEnd.get());
    if (child < 0)
        return fail(ErrorKind::unavailable, std::string("cannot start a program: ") + std::strerror(errno), command.front());
    writeEnd.reset();
    ProcessResult result;
    if (!collect(readEnd.get(), result.output, std::chrono::steady_clock::now() + patience)) {
        ::kill(-child, SIGKILL);
        ::kill(child, SIGKILL);
        (void)waitFor(child);
        return fail(ErrorKind::unavailable, "the program did not end within " + std::to_string(patience.count()) + " s",
                    command.front(), "The machine may be overloaded; try again.");
    }
    result.exitCode = waitFor(child);
    return result;
}

bool canUseFolder(const std::filesystem::path& folder, const std::optional<Account>& account) {
    if (!account) return ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
    const pid_t child = ::fork();
    if (child == 0) {
        const bool fine = become(*account) && ::access(folder.c_str(), R_OK | W_OK | X_OK) == 0;
        ::_exit(fine ? 0 : 1);
    }
    return child > 0 && waitFor(child) == 0;
}

}  // namespace signalbox::evidence
