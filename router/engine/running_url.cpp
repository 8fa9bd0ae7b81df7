// SPDX-License-Identifier: MIT
#include "router/engine/running_url.h"

#include "router/base/file.h"
#include "router/engine/tokens.h"

#include <algorithm>
#include <charconv>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <random>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace signalbox::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxUrlBytes = 1024;

Result<std::string> firstLine(const fs::path& file) {
    auto text = readFile(file, kMaxUrlBytes);
    if (!text) return text;
    return text->substr(0, text->find_first_of("\r\n"));
}

/// What a gateway wrote: its address, and when it began.
struct Entry {
    fs::path file;
    std::string url;
    std::int64_t startedAt = 0;  ///< microseconds since 1970
    bool isAlive = false;        ///< its gateway holds the lock
};

std::int64_t numberOf(std::string_view line) {
    std::int64_t number = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    return read.ec == std::errc() ? number : 0;
}

bool isHeldByAnother(const fs::path& file) {
    const evidence::Descriptor fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    return fd.ok() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<Entry> readEntry(const fs::path& file) {
    Entry entry{file, {}, 0, isHeldByAnother(file)};
    auto text = readFile(file, kMaxUrlBytes);
    if (!text) return tl::unexpected(text.error());
    const std::size_t end = text->find('\n');
    entry.url = text->substr(0, end);
    if (end != std::string::npos) entry.startedAt = numberOf(std::string_view(*text).substr(end + 1));
    return entry;
}

/// All that stands there, whether it still runs or not. One that goes meanwhile is none.
Result<std::vector<Entry>> entriesIn(const fs::path& stateFolder) {
    std::vector<Entry> out;
    std::optional<Error> denied;
    std::error_code code;
    for (fs::directory_iterator at(stateFolder, code), end; !code && at != end; at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (name != kRunningUrlFile && !name.starts_with(std::string(kRunningUrlFile) + ".")) continue;
        auto entry = readEntry(at->path());
        if (entry) out.push_back(std::move(*entry));
        else if (entry.error().kind == ErrorKind::denied) denied = entry.error();
    }
    if (code == std::errc::permission_denied) return fail(ErrorKind::denied, "no permission to look into the state folder", stateFolder.string());
    const bool someoneLives = std::any_of(out.begin(), out.end(), [](const Entry& entry) { return entry.isAlive; });
    if (denied && !someoneLives) return tl::unexpected(*denied);  // whether one runs nobody can tell
    return out;
}

std::string drawnName() { return std::string(kRunningUrlFile) + "." + std::to_string(std::random_device()()); }

}  // namespace

// Written and locked under a name that nobody reads, so that it is never seen without its lock.
RunningUrl::RunningUrl(const fs::path& stateFolder, const std::string& baseUrl, Timestamp startedAt) {
    std::error_code ignored;
    if (const auto entries = entriesIn(stateFolder))
        for (const Entry& entry : *entries)
            if (!entry.isAlive) fs::remove(entry.file, ignored);
    const std::string name = drawnName();
    const fs::path draft = stateFolder / ("new-" + name);
    evidence::Descriptor fd(::open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd.ok()) return;
    const std::string text = baseUrl + "\n" + std::to_string(startedAt.time_since_epoch().count()) + "\n";
    std::error_code failed;
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0 && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
        fs::rename(draft, stateFolder / name, failed);
    else
        failed = std::make_error_code(std::errc::io_error);
    if (failed) {
        fs::remove(draft, ignored);
        return;
    }
    m_lock = std::move(fd);
    m_file = stateFolder / name;
}

RunningUrl& RunningUrl::operator=(RunningUrl&& other) noexcept {
    if (this == &other) return *this;
    takeAway();
    m_lock = std::move(other.m_lock);
    m_file = std::exchange(other.m_file, {});
    return *this;
}

void RunningUrl::takeAway() noexcept {
    std::error_code ignored;
    if (m_lock.ok()) fs::remove(m_file, ignored);
    m_lock.reset();
}

Result<std::vector<std::string>> readRunningUrls(const fs::path& stateFolder) {
    auto entries = entriesIn(stateFolder);
    if (!entries) {
        entries.error().hint = "Ask as the user that the gateway runs as, or name it with --target URL and its token with --token-file.";
        return tl::unexpected(entries.error());
    }
    const bool wasThere = !entries->empty();
    std::erase_if(*entries, [](const Entry& entry) { return !entry.isAlive || entry.url.empty(); });
    if (entries->empty() && !wasThere)
        return fail(ErrorKind::unavailable, "no gateway of this workspace is running", {},
                    "Start it with `signalboxctl serve`, or name one elsewhere with --target URL.");
    if (entries->empty())
        return fail(ErrorKind::unavailable, "the gateway of this workspace ended without saying so", {},
                    "Start it again with `signalboxctl serve`, or name one elsewhere with --target URL.");
    std::stable_sort(entries->begin(), entries->end(), [](const Entry& a, const Entry& b) { return a.startedAt > b.startedAt; });
    std::vector<std::string> urls;
    for (Entry& entry : *entries) urls.push_back(std::move(entry.url));
    return urls;
}

Result<std::string> readRunningUrl(const fs::path& stateFolder) {
    return readRunningUrls(stateFolder).map([](const std::vector<std::string>& urls) { return urls.front(); });
}

Result<std::string> readAdminToken(const fs::path& stateFolder) {
    auto token = firstLine(stateFolder / kAdminTokenFile);
    if (token && token->empty()) return fail(ErrorKind::badInput, "this file holds no token", (stateFolder / kAdminTokenFile).string(), "Name another with --token-file.");
    return token;
}

}  // namespace signalbox::engine
