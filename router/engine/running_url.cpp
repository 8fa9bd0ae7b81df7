// SPDX-License-Identifier: MIT
#include "router/engine/running_url.h"

#include "router/base/file.h"
#include "router/engine/tokens.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <random>
#include <unistd.h>

namespace signalbox::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxUrlBytes = 1024;

Result<std::string> firstLine(const fs::path& file) {
    auto text = readFile(file, kMaxUrlBytes);
    if (!text) return text;
    return text->substr(0, text->find_first_of("\r\n"));
}

/// What a gateway wrote: its address, its process, and when it began (not in a file of an earlier version).
struct Entry {
    fs::path file;
    std::string url;
    pid_t writer = 0;
    std::int64_t startedAt = 0;  ///< microseconds since 1970
    std::string run;             ///< of the program that wrote it, see `thisRun`
};

/// In a container the number of a process tells little: the next gateway gets that of the one that was killed.
const std::string& thisRun() {
    static const std::string drawn = std::to_string(std::random_device()());
    return drawn;
}

template <class Number>
Number numberOf(std::string_view line) {
    Number number = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    return read.ec == std::errc() ? number : 0;
}

Entry readEntry(const fs::path& file) {
    Entry entry{file, {}, 0, 0, {}};
    const auto text = readFile(file, kMaxUrlBytes);
    if (!text) return entry;
    std::string_view rest = *text;
    const auto line = [&rest] {
        const std::size_t end = rest.find('\n');
        const std::string_view found = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
        return found;
    };
    entry.url = line();
    entry.writer = numberOf<pid_t>(line());
    entry.startedAt = numberOf<std::int64_t>(line());
    entry.run = line();
    return entry;
}

/// Whoever took over the port of a gateway that was killed must not be sent its admin token. `kill` and not /proc, which
/// shows a process that keeps its memory to itself as root's.
bool isAlive(const Entry& entry) { return !entry.url.empty() && entry.writer > 0 && ::kill(entry.writer, 0) == 0; }

/// All that stands there, whether it still runs or not.
std::vector<Entry> entriesIn(const fs::path& stateFolder) {
    std::vector<Entry> out;
    const std::string own = std::string(kRunningUrlFile) + ".";
    std::error_code code;
    for (fs::directory_iterator at(stateFolder, code), end; !code && at != end; at.increment(code)) {
        const std::string name = at->path().filename().string();
        if (name == kRunningUrlFile || name.starts_with(own)) out.push_back(readEntry(at->path()));
    }
    return out;
}

fs::path ownFile(const fs::path& stateFolder, const std::string& baseUrl) {
    const std::string_view behindColon = std::string_view(baseUrl).substr(baseUrl.rfind(':') + 1);
    const std::string port(behindColon.substr(0, behindColon.find('/')));
    return stateFolder / (std::string(kRunningUrlFile) + "." + std::to_string(::getpid()) + "." + port);
}

}  // namespace

void writeRunningUrl(const fs::path& stateFolder, const std::string& baseUrl, Timestamp startedAt) {
    std::error_code ignored;
    for (const Entry& entry : entriesIn(stateFolder))
        if (!isAlive(entry) || (entry.writer == ::getpid() && entry.run != thisRun())) fs::remove(entry.file, ignored);
    std::string text;
    for (const std::string& line : {baseUrl, std::to_string(::getpid()), std::to_string(startedAt.time_since_epoch().count()), thisRun()})
        text += line + "\n";
    static_cast<void>(writeFileAtomic(ownFile(stateFolder, baseUrl), text, {.mode = 0600}));
}

void removeRunningUrl(const fs::path& stateFolder, const std::string& baseUrl) {
    const fs::path file = ownFile(stateFolder, baseUrl);
    std::error_code ignored;
    if (readEntry(file).url == baseUrl) fs::remove(file, ignored);
}

Result<std::vector<std::string>> readRunningUrls(const fs::path& stateFolder) {
    std::vector<Entry> entries = entriesIn(stateFolder);
    const bool wasThere = std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return !entry.url.empty(); });
    std::erase_if(entries, [](const Entry& entry) { return !isAlive(entry); });
    if (entries.empty() && !wasThere)
        return fail(ErrorKind::unavailable, "no gateway of this workspace is running", {},
                    "Start it with `signalboxctl serve`, or name one elsewhere with --target URL.");
    if (entries.empty())
        return fail(ErrorKind::unavailable, "the gateway of this workspace ended without saying so", {},
                    "Start it again with `signalboxctl serve`, or name one elsewhere with --target URL.");
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.startedAt > b.startedAt; });
    std::vector<std::string> urls;
    for (Entry& entry : entries) urls.push_back(std::move(entry.url));
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
