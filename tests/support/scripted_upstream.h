// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace signalbox::test {

/// What the upstream does after it has read one request: steps, in order. Built fluently:
///     Reply::stream().event(R"({"choices":…})").event("[DONE]").end()
/// Bodies are chunked unless `lengthBody` or `raw` says otherwise.
class Reply {
public:
    struct Step {
        enum class Kind : std::uint8_t { send, stall, close, reset, awaitRelease, gather } kind = Kind::send;
        std::string bytes;
        std::size_t pieceBytes = 0;  ///< 0: in one write, else in writes of so many bytes
    };

    /// Exactly these bytes, head included.
    [[nodiscard]] static Reply raw(std::string bytes);
    /// A complete response with Content-Length.
    [[nodiscard]] static Reply json(std::string body, int status = 200, std::string extraHeaders = {});
    /// 200, text/event-stream, chunked; go on with `event`, `bytes`, `end`.
    [[nodiscard]] static Reply stream(std::string extraHeaders = {});
    /// Nothing yet: go on with `stall`, `close`, …
    [[nodiscard]] static Reply nothing() { return {}; }

    /// One chunk holding `data: DATA` and a blank line.
    Reply& event(std::string_view data);
    /// One chunk of these bytes.
    Reply& chunk(std::string_view bytes);
    /// Bytes as they are.
    Reply& bytes(std::string bytes, std::size_t pieceBytes = 0);
    /// The last chunk.
    Reply& end();
    /// All later sends go out in writes of this many bytes: packets split anywhere.
    Reply& inPieces(std::size_t pieceBytes);
    /// What follows leaves at once, in one packet if it fits: also several records of TLS.
    Reply& gather();
    /// Waits until the peer closes; counted in `abandoned`.
    Reply& stall();
    /// Waits until the test calls `release`.
    Reply& awaitRelease();
    /// Closes without having announced it: leaves a dead socket in the peer's cache.
    Reply& close();
    /// Closes with a TCP reset.
    Reply& reset();

    [[nodiscard]] const std::vector<Step>& steps() const { return m_steps; }

private:
    std::vector<Step> m_steps;
    std::size_t m_pieceBytes = 0;
};

struct ReceivedRequest {
    std::size_t connection = 0;  ///< 0 for the first accepted one
    std::string head;            ///< with its blank line, byte for byte
    std::string body;
    /// Value of a header, without case; empty when absent.
    [[nodiscard]] std::string header(std::string_view name) const;
    [[nodiscard]] std::string requestLine() const;
};

/// Certificate and key in PEM; made for a test by `makeTestCertificates`.
struct TlsFiles {
    std::filesystem::path certificate, key, authority;
};
/// A throw-away authority and a certificate signed by it for these names.
[[nodiscard]] std::optional<TlsFiles> makeTestCertificates(const std::filesystem::path& folder,
                                                           const std::string& names = "DNS:localhost,IP:127.0.0.1");

/// An HTTP/1.1 server on 127.0.0.1 that does what its script says and keeps what it received.
/// One thread per connection, blocking sockets; everything public is thread safe.
class ScriptedUpstream {
public:
    explicit ScriptedUpstream(std::optional<TlsFiles> tls = std::nullopt);
    ~ScriptedUpstream();
    ScriptedUpstream(const ScriptedUpstream&) = delete;
    ScriptedUpstream& operator=(const ScriptedUpstream&) = delete;

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    /// `http(s)://127.0.0.1:PORT/v1`
    [[nodiscard]] std::string baseUrl() const;

    /// Answers requests in this order; when none is queued, with the standing reply.
    void enqueue(Reply reply);
    void setStandingReply(Reply reply);
    /// Asked, when none is queued, in the place of a standing reply, until one is set again. Called on connections'
    /// threads, one at a time.
    void setResponder(std::function<Reply(const ReceivedRequest&)> responder);
    void release();
    /// Answer as soon as the head is there and leave the body unread.
    void answerBeforeBody() { m_early = true; }

    [[nodiscard]] std::vector<ReceivedRequest> requests() const;
    [[nodiscard]] std::size_t requestCount() const { return m_received; }
    /// From here on requests are counted and not kept: for runs of many thousands.
    void forgetRequests();
    [[nodiscard]] std::size_t connectionsAccepted() const { return m_accepted; }
    [[nodiscard]] std::size_t openConnections() const { return m_open; }
    /// Stalls that ended because the peer went away.
    [[nodiscard]] std::size_t abandoned() const { return m_abandoned; }

private:
    class Peer;
    void acceptLoop();
    void serve(int fd, std::size_t index);
    [[nodiscard]] bool play(Peer& peer, const Reply& reply);
    [[nodiscard]] Reply nextReply(ReceivedRequest request);
    void joinFinished();

    struct TlsContext;
    std::unique_ptr<TlsContext> m_tls;
    int m_listener = -1;
    int m_stopEvent = -1;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_early{false};
    std::atomic<std::size_t> m_accepted{0}, m_open{0}, m_abandoned{0}, m_received{0};
    mutable std::mutex m_mutex;
    std::condition_variable m_released;
    std::size_t m_releases = 0;
    bool m_stopping = false, m_keeps = true;
    std::deque<Reply> m_queue;
    Reply m_standing;
    std::function<Reply(const ReceivedRequest&)> m_responder;
    std::vector<ReceivedRequest> m_requests;
    std::map<std::size_t, std::thread> m_threads;  // by connection; the acceptor's, and the destructor's after it
    std::vector<std::size_t> m_finished;
    std::thread m_acceptor;
};

}  // namespace signalbox::test
