// SPDX-License-Identifier: MIT
// Many open streams through a proxy: an upstream that sends each of them a chunk at a steady rate, and the clients that read
// them, in one thread, so that both use one clock and one core. A chunk carries the moment at which it was due, so that what
// this program itself is late by is counted for whatever stands between, also for nothing (the direct connection).
//     stream_load --upstream PORT [--port PORT] --model NAME --token TOKEN --streams N --rate N --seconds S
// With only --upstream it serves there until it is killed. With --port it opens the streams there, prints OPEN when each has
// had its first chunk, measures for S seconds, ends the streams, and prints one line of JSON. Exit 1: a stream was not a 200
// with exactly its chunks in their order and its end.
#include <algorithm>
#include <arpa/inet.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <netinet/tcp.h>
#include <queue>
#include <string>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr std::int64_t kTurnNs = 1'000'000;
constexpr std::int64_t kSecondNs = 1'000'000'000;

std::int64_t nowNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void fail(const std::string& why) {
    std::fprintf(stderr, "stream_load: %s\n", why.c_str());
    std::exit(1);
}

struct Options {
    std::uint16_t upstream = 0, port = 0;
    std::string model, token;
    unsigned streams = 500, rate = 20, seconds = 10;
};

Options read(int count, char** words) {
    Options out;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string name = words[i], value = words[i + 1];
        const auto number = static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
        if (name == "--upstream") out.upstream = static_cast<std::uint16_t>(number);
        else if (name == "--port") out.port = static_cast<std::uint16_t>(number);
        else if (name == "--model") out.model = value;
        else if (name == "--token") out.token = value;
        else if (name == "--streams") out.streams = number;
        else if (name == "--rate") out.rate = number;
        else if (name == "--seconds") out.seconds = number;
        else fail("unknown option " + name);
    }
    if (out.upstream == 0 || out.streams == 0 || out.rate == 0) fail("--upstream, --streams and --rate are needed");
    return out;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in out{};
    out.sin_family = AF_INET;
    out.sin_port = htons(port);
    out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return out;
}

void sendAll(int fd, const std::string& bytes) {
    // Chunks are small and read at once: a socket that takes none of them is a reader that stands still.
    if (send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) fail("a socket takes no more");
}

std::string inChunk(const std::string& data) {
    char size[16];
    std::snprintf(size, sizeof size, "%zx\r\n", data.size());
    return size + data + "\r\n";
}

std::string event(const std::string& content) {
    return inChunk(R"(data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1700000000,"model":"bench-stream","choices":[{"index":0,"delta":{"content":")" +
                   content + R"("},"finish_reason":null}]})" "\n\n");
}

/// Undoes the chunked framing, whatever pieces it comes in.
class ChunkedReader {
public:
    void feed(const char* bytes, std::size_t size, std::string& out) {
        for (std::size_t at = 0; at < size && !m_ended;) {
            if (m_left > 0) {
                const std::size_t take = std::min(m_left, size - at);
                out.append(bytes + at, take);
                at += take;
                m_left -= take;
                continue;
            }
            const char c = bytes[at++];
            m_line += c;
            if (c == '\n' && m_line != "\r\n") {
                m_left = std::strtoul(m_line.c_str(), nullptr, 16);
                m_ended = m_left == 0;
            }
            if (c == '\n') m_line.clear();
        }
    }
    [[nodiscard]] bool ended() const { return m_ended; }

private:
    std::size_t m_left = 0;
    std::string m_line;
    bool m_ended = false;
};

/// One stream as the client reads it.
struct Client {
    std::string head, text;
    ChunkedReader chunks;
    bool hasHead = false, done = false;
    std::uint64_t next = 0;  ///< number of the chunk that must come
};

/// One stream as the upstream sends it.
struct Sent {
    std::string request;
    bool begun = false;
    std::uint64_t next = 0;
};

class Bench {
public:
    explicit Bench(const Options& options) : m_options(options), m_interval(kSecondNs / options.rate), m_epoll(epoll_create1(0)) {
        m_listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        const int on = 1;
        setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        const sockaddr_in address = loopback(options.upstream);
        if (bind(m_listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(m_listener, 1024) != 0)
            fail("cannot listen on port " + std::to_string(options.upstream));
        watch(m_listener);
    }

    int run() {
        if (m_options.port == 0)
            for (;;) turn();
        openStreams();
        while (m_opened < m_options.streams) turn();
        std::puts("OPEN");
        std::fflush(stdout);
        m_from = nowNs() + kSecondNs;  // the rush of opening is over
        m_until = m_from + m_options.seconds * kSecondNs;
        while (nowNs() < m_until) turn();
        m_ending = true;
        while (m_done < m_options.streams) turn();
        report();
        return 0;
    }

private:
    void watch(int fd) {
        epoll_event wanted{EPOLLIN, {}};
        wanted.data.fd = fd;
        epoll_ctl(m_epoll, EPOLL_CTL_ADD, fd, &wanted);
    }

    void openStreams() {
        const std::string body = R"({"model":")" + m_options.model + R"(","stream":true,"max_tokens":4096,"messages":[{"role":"user","content":"Which trains pass?"}]})";
        const std::string request = "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer " +
                                    m_options.token + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        const std::int64_t begun = nowNs();
        for (unsigned i = 0; i < m_options.streams; ++i) {
            while (nowNs() < begun + i * 2'000'000LL) turn();
            const int fd = socket(AF_INET, SOCK_STREAM, 0);
            const sockaddr_in address = loopback(m_options.port);
            if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("cannot connect");
            m_clients.emplace(fd, Client{});
            watch(fd);
            sendAll(fd, request);
        }
    }

    /// Whatever has come, then whatever is due.
    void turn() {
        epoll_event ready[256];
        const std::int64_t wait = m_due.empty() ? kTurnNs : std::clamp<std::int64_t>(m_due.top().first - nowNs(), 0, kTurnNs);
        const timespec patience{0, wait};
        const int count = epoll_pwait2(m_epoll, ready, 256, &patience, nullptr);
        for (int i = 0; i < count; ++i) {
            const int fd = ready[i].data.fd;
            if (fd == m_listener) accept();
            else if (m_clients.contains(fd)) receive(fd, m_clients[fd]);
            else hear(fd);
        }
        while (!m_due.empty() && m_due.top().first <= nowNs()) sendDue();
    }

    void accept() {
        const int fd = accept4(m_listener, nullptr, nullptr, 0);
        if (fd < 0) return;
        const int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        m_sent[fd] = {};
        watch(fd);
    }

    void hear(int fd) {
        char buffer[65536];
        const ssize_t got = recv(fd, buffer, sizeof buffer, 0);
        if (got <= 0) {
            close(fd);
            m_sent.erase(fd);
            return;
        }
        Sent& stream = m_sent[fd];
        stream.request.append(buffer, static_cast<std::size_t>(got));
        if (stream.begun || !isComplete(stream.request)) return;
        stream.request.clear();
        stream.begun = true;
        stream.next = 0;
        sendAll(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
        // Spread evenly over one interval, however they arrived.
        const std::int64_t phase = m_interval * (m_begun++ % m_options.streams) / m_options.streams;
        const std::int64_t now = nowNs();
        m_due.push({now - now % m_interval + m_interval + phase, fd});
    }

    static bool isComplete(const std::string& request) {
        const std::size_t head = request.find("\r\n\r\n");
        if (head == std::string::npos) return false;
        std::string lower = request.substr(0, head);
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const std::size_t length = lower.find("content-length:");
        return length != std::string::npos && request.size() >= head + 4 + std::strtoul(lower.c_str() + length + 15, nullptr, 10);
    }

    void sendDue() {
        const auto [due, fd] = m_due.top();
        m_due.pop();
        const auto found = m_sent.find(fd);
        if (found == m_sent.end() || !found->second.begun) return;
        Sent& stream = found->second;
        if (m_ending) {
            sendAll(fd, inChunk(R"(data: {"id":"chatcmpl-bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})" "\n\n") +
                            inChunk("data: [DONE]\n\n") + "0\r\n\r\n");
            stream.begun = false;
            return;
        }
        sendAll(fd, event(std::to_string(stream.next++) + "." + std::to_string(due)));
        m_due.push({due + m_interval, fd});
    }

    void receive(int fd, Client& client) {
        char buffer[65536];
        const ssize_t got = recv(fd, buffer, sizeof buffer, 0);
        if (got <= 0) fail("a stream was closed before its end; it began " + client.head.substr(0, 300));
        const std::int64_t now = nowNs();
        std::string_view rest(buffer, static_cast<std::size_t>(got));
        if (!client.hasHead) {
            client.head.append(rest);
            const std::size_t end = client.head.find("\r\n\r\n");
            if (end == std::string::npos) return;
            if (!client.head.starts_with("HTTP/1.1 200 ")) fail("no 200: " + client.head.substr(0, 600));
            client.hasHead = true;
            const std::string body = client.head.substr(end + 4);
            client.head.resize(end);
            client.chunks.feed(body.data(), body.size(), client.text);
        } else {
            client.chunks.feed(rest.data(), rest.size(), client.text);
        }
        takeEvents(client, now);
        if (!client.chunks.ended()) return;
        if (!client.done) fail("a stream ended without its [DONE]");
        ++m_done;
        epoll_ctl(m_epoll, EPOLL_CTL_DEL, fd, nullptr);
        close(fd);
        m_clients.erase(fd);
    }

    void takeEvents(Client& client, std::int64_t now) {
        std::size_t from = 0;
        for (std::size_t end = 0; (end = client.text.find("\n\n", from)) != std::string::npos; from = end + 2)
            takeEvent(client, std::string_view(client.text).substr(from, end - from), now);
        client.text.erase(0, from);
    }

    void takeEvent(Client& client, std::string_view event, std::int64_t now) {
        constexpr std::string_view kContent = "\"content\":\"";
        const std::size_t at = event.find(kContent);
        if (event == "data: [DONE]") client.done = true;
        if (at == std::string_view::npos) {
            if (event.find("\"error\"") != std::string_view::npos) fail("an error in a stream: " + std::string(event));
            return;
        }
        char* dot = nullptr;
        const std::uint64_t number = std::strtoull(event.data() + at + kContent.size(), &dot, 10);
        const std::int64_t due = std::strtoll(dot + 1, nullptr, 10);
        if (number != client.next) fail("chunk " + std::to_string(number) + " came in the place of " + std::to_string(client.next));
        m_opened += client.next++ == 0 ? 1 : 0;
        if (m_from != 0 && due >= m_from && due < m_until) m_delays.push_back(now - due);
    }

    void report() {
        const std::uint64_t expected = std::uint64_t(m_options.streams) * m_options.rate * m_options.seconds;
        if (m_delays.size() + m_options.streams < expected) fail(std::to_string(m_delays.size()) + " chunks instead of " + std::to_string(expected));
        std::sort(m_delays.begin(), m_delays.end());
        const auto at = [&](double share) {
            return static_cast<double>(m_delays[std::min(m_delays.size() - 1, static_cast<std::size_t>(share * static_cast<double>(m_delays.size())))]) / 1000;
        };
        std::printf(R"({"streams": %u, "chunks": %zu, "p50": %.1f, "p90": %.1f, "p99": %.1f, "p999": %.1f})" "\n", m_options.streams, m_delays.size(), at(0.5),
                    at(0.9), at(0.99), at(0.999));
    }

    const Options m_options;
    const std::int64_t m_interval;
    int m_epoll, m_listener = -1;
    std::map<int, Client> m_clients;
    std::map<int, Sent> m_sent;
    std::priority_queue<std::pair<std::int64_t, int>, std::vector<std::pair<std::int64_t, int>>, std::greater<>> m_due;
    std::int64_t m_from = 0, m_until = 0;
    std::uint64_t m_begun = 0;
    unsigned m_opened = 0, m_done = 0;
    bool m_ending = false;
    std::vector<std::int64_t> m_delays;
};

} // namespace

int main(int count, char** words) {
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    return Bench(read(count, words)).run();
}
