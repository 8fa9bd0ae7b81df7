// SPDX-License-Identifier: MIT
#include "router/evidence/managed_cluster.h"

#include "router/base/file.h"
#include "router/base/text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <libpq-fe.h>
#include <signal.h>
#include <sys/file.h>
#include <thread>

namespace signalbox::evidence {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr seconds kStartPatience{60};

bool answers(const std::string& connectionString) {
    const auto deadline = std::chrono::steady_clock::now() + seconds(20);
    for (;;) {
        const PGPing answer = PQping((connectionString + " connect_timeout=5").c_str());
        if (answer == PQPING_OK) return true;
        // "Reject" is a server that is starting or stopping.
        if (answer != PQPING_REJECT || std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

std::optional<int> numberAtStart(const std::string& text) {
    int value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
    return value;
}

std::string lastLine(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text.substr(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
}

}  // namespace

Result<std::unique_ptr<ManagedCluster>> ManagedCluster::attach(const ClusterOptions& options) {
    auto folder = ClusterFolder::prepare(options.folder);
    if (!folder) return tl::unexpected(folder.error());
    std::unique_ptr<ManagedCluster> cluster(new ManagedCluster(std::move(*folder), options.programs));
    auto starting = cluster->lockStarting();
    if (!starting) return tl::unexpected(starting.error());
    auto users = cluster->openLock("users.lock");
    if (!users) return tl::unexpected(users.error());
    // Taken under the start lock, so that nobody stops the server between this and our use of it.
    if (::flock(users->get(), LOCK_SH) != 0)
        return fail(ErrorKind::unavailable, std::string("cannot lock the history: ") + std::strerror(errno),
                    cluster->m_folder.root.string(), "Put it on a local disk.");
    cluster->m_users = std::move(*users);
    if (auto started = cluster->startLocked(); !started) {
        cluster->m_users.reset();
        return tl::unexpected(started.error());
    }
    return cluster;
}

ManagedCluster::~ManagedCluster() {
    if (!m_users.ok()) return;
    const auto starting = lockStarting();
    const bool lastOne = starting && ::flock(m_users.get(), LOCK_EX | LOCK_NB) == 0;
    if (lastOne) (void)stopNow();
}

Result<void> ManagedCluster::ensureRunning() {
    if (answers(connectionString())) return {};
    auto starting = lockStarting();
    if (!starting) return tl::unexpected(starting.error());
    return startLocked();
}

Result<void> ManagedCluster::stopNow() {
    auto found = programs();
    if (!found) return tl::unexpected(found.error());
    auto stopped = runProcess({found->path("pg_ctl"), "stop", "-D", m_folder.data.string(), "-m", "fast", "-w", "-t", "30"},
                              m_folder.account, seconds(40));
    if (!stopped) return tl::unexpected(stopped.error());
    if (stopped->exitCode == 0) return {};
    return fail(ErrorKind::unavailable, "the history's server does not stop: " + lastLine(stopped->output),
                m_folder.root.string());
}

Result<Descriptor> ManagedCluster::openLock(const char* name) const {
    const auto path = m_folder.root / name;
    Descriptor fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd.ok())
        return fail(ErrorKind::denied, std::string("cannot use the history's folder: ") + std::strerror(errno),
                    path.string(), "Check its owner and permissions.");
    m_folder.giveToServer(path);
    return fd;
}

Result<Descriptor> ManagedCluster::lockStarting() const {
    auto fd = openLock("start.lock");
    if (!fd) return fd;
    const auto deadline = std::chrono::steady_clock::now() + 2 * kStartPatience;
    while (::flock(fd->get(), LOCK_EX | LOCK_NB) != 0) {
        if (std::chrono::steady_clock::now() > deadline)
            return fail(ErrorKind::unavailable, "another process has been starting the history for two minutes",
                        m_folder.root.string(), "End that process and try again.");
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return fd;
}

Result<PgPrograms> ManagedCluster::programs() const {
    std::error_code error;
    if (!fs::exists(m_folder.data, error)) return findPgPrograms(m_programs, std::nullopt);
    const auto version = numberAtStart(readFile(m_folder.data / "PG_VERSION", 64).value_or(""));
    if (!version)
        return fail(ErrorKind::unavailable, "the history's folder is damaged: it has no PG_VERSION", m_folder.data.string(),
                    "Restore it from a backup, or move it away to begin a new history.");
    auto found = findPgPrograms(m_programs, version);
    if (!found) found.error().where = m_folder.root.string();
    return found;
}

Result<void> ManagedCluster::startLocked() {
    if (answers(connectionString())) return {};
    auto found = programs();
    if (!found) return tl::unexpected(found.error());
    std::error_code error;
    if (!fs::exists(m_folder.data, error))
        if (auto made = initialise(*found); !made) return made;
    if (auto configured = configure(); !configured) return configured;
    forgetDeadServer();
    const auto log = m_folder.root / "server.log";
    if (fs::exists(log, error) && fs::file_size(log, error) > std::uintmax_t{8} << 20)
        fs::rename(log, m_folder.root / "server.log.old", error);
    const std::uintmax_t logStart = fs::exists(log, error) ? fs::file_size(log, error) : 0;
    const auto shellSafe = m_folder.shellSafeRoot();
    if (!shellSafe) return tl::unexpected(shellSafe.error());
    auto started = runProcess({found->path("pg_ctl"), "start", "-D", (*shellSafe / "data").string(), "-l",
                               (*shellSafe / "server.log").string(), "-w", "-t", std::to_string(kStartPatience.count())},
                              m_folder.account, kStartPatience + seconds(10));
    if (!started) return tl::unexpected(started.error());
    if (started->exitCode == 0) return {};
    const std::string why = refusalInLog(logStart);
    return fail(ErrorKind::unavailable,
                "the history's database does not start: " + (why.empty() ? lastLine(started->output) : why),
                m_folder.root.string(), "Its log is server.log in that folder.");
}

/// In a folder beside, renamed when whole: a crash in the middle leaves nothing that looks like a cluster.
Result<void> ManagedCluster::initialise(const PgPrograms& programs) const {
    const auto fresh = m_folder.root / "data.new";
    std::error_code error;
    fs::remove_all(fresh, error);
    auto made = runProcess({programs.path("initdb"), "-D", fresh.string(), "-U", "signalbox", "-A", "trust", "-E", "UTF8",
                            "--locale=C", "--data-checksums", "--no-sync"},
                           m_folder.account, seconds(120));
    if (!made) return tl::unexpected(made.error());
    // initdb syncs a thousand files one by one, which takes seconds; the whole file system at once does not.
    if (made->exitCode == 0) {
        const Descriptor folder(::open(fresh.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.ok()) ::syncfs(folder.get());
        fs::rename(fresh, m_folder.data, error);
    }
    if (made->exitCode == 0 && !error) return {};
    fs::remove_all(fresh, error);
    return fail(ErrorKind::unavailable, "cannot create the history's database: " + lastLine(made->output),
                m_folder.root.string(), "Check the free space and the permissions of that folder.");
}

/// Written at every start, since the folder may have moved. Modest memory: this server lives beside a desktop.
Result<void> ManagedCluster::configure() const {
    const std::string settings = "# Written by Signalbox at every start.\n"
                                 "listen_addresses = ''\n"
                                 "port = 5432\n"
                                 "unix_socket_directories = '" + m_folder.sockets.string() + "'\n"
                                 "unix_socket_permissions = 0700\n"
                                 "max_connections = 40\n"
                                 "shared_buffers = 64MB\n"
                                 "work_mem = 8MB\n"
                                 "maintenance_work_mem = 32MB\n"
                                 "max_wal_size = 512MB\n"
                                 "wal_level = minimal\n"
                                 "max_wal_senders = 0\n"
                                 "fsync = on\n"
                                 "synchronous_commit = on\n"
                                 "huge_pages = off\n"
                                 "jit = off\n"
                                 "timezone = 'UTC'\n"
                                 "log_timezone = 'UTC'\n"
                                 "log_checkpoints = off\n";
    const auto ours = m_folder.data / "signalbox.conf";
    if (auto written = writeFileAtomic(ours, settings, {.mode = 0600}); !written) return written;
    m_folder.giveToServer(ours);
    const auto main = m_folder.data / "postgresql.conf";
    auto text = readFile(main, std::size_t{1} << 20);
    if (!text) return tl::unexpected(text.error());
    if (text->find("include 'signalbox.conf'") != std::string::npos) return {};
    *text += "\ninclude 'signalbox.conf'\n";
    if (auto written = writeFileAtomic(main, *text, {.mode = 0600}); !written) return written;
    m_folder.giveToServer(main);
    return {};
}

/// PostgreSQL itself clears a stale postmaster.pid, except where that process id lives on as another program, which
/// is common in containers. Ours is recognised by its working directory.
void ManagedCluster::forgetDeadServer() const {
    const auto pidFile = m_folder.data / "postmaster.pid";
    const auto pid = numberAtStart(readFile(pidFile, 4096).value_or(""));
    if (!pid || ::kill(*pid, 0) != 0) return;
    std::error_code error;
    const auto place = fs::read_symlink("/proc/" + std::to_string(*pid) + "/cwd", error);
    if (!error && place != m_folder.data) fs::remove(pidFile, error);
}

/// Why the server would not start, in its own words.
std::string ManagedCluster::refusalInLog(std::uintmax_t from) const {
    const std::string log = readFile(m_folder.root / "server.log", std::size_t{64} << 20).value_or("");
    const auto fatal = log.find("FATAL:", static_cast<std::size_t>(std::min<std::uintmax_t>(from, log.size())));
    if (fatal == std::string::npos) return {};
    return std::string(trimmed(std::string_view(log).substr(fatal + 6, log.find('\n', fatal) - fatal - 6)));
}

}  // namespace signalbox::evidence
