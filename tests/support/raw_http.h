// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::test {

/// One response, taken apart. Header names are lower case; a repeated one keeps its last value.
struct RawResponse {
    int status = 0;
    std::map<std::string, std::string> headers;
    std::string body;      ///< without chunk framing
    bool complete = false; ///< the framing said that it ended

    [[nodiscard]] std::string header(const std::string& name) const {
        const auto it = headers.find(name);
        return it == headers.end() ? std::string() : it->second;
    }
};

/// A client socket that sends exactly the bytes it is told to. Blocking, with a deadline on everything.
class RawClient {
public:
    explicit RawClient(std::uint16_t port, std::chrono::milliseconds patience = std::chrono::seconds(10));
    ~RawClient();
    RawClient(RawClient&& other) noexcept;
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    [[nodiscard]] bool isConnected() const { return m_fd >= 0; }
    /// False when the peer closed meanwhile.
    bool send(std::string_view bytes);
    /// Reads until `text` has come; everything read and not yet part of a response stays for `response`.
    bool waitFor(std::string_view text);
    /// The next response on this connection; nullopt when none came in time. `head` for answers to HEAD.
    [[nodiscard]] std::optional<RawResponse> response(bool head = false);
    /// True when the peer closes before the deadline.
    [[nodiscard]] bool closedByPeer();
    /// Reads at most `bytes` slowly, for clients that take their time; returns what came.
    [[nodiscard]] std::string readAtMost(std::size_t bytes);
    void setReceiveBuffer(int bytes);
    void close();
    [[nodiscard]] const std::string& pending() const { return m_buffer; }

private:
    bool readMore();
    int m_fd = -1;
    std::chrono::milliseconds m_patience;
    std::string m_buffer;
    bool m_eof = false;
};

struct RequestLines {
    std::string method = "POST";
    std::string target = "/v1/chat/completions";
    std::vector<std::string> headers; ///< besides Host and Content-Length
    std::string body;
    std::string host = "localhost";
};
/// The bytes of a request with Content-Length.
[[nodiscard]] std::string requestText(const RequestLines& request);
/// One request on a connection of its own.
[[nodiscard]] std::optional<RawResponse> fetch(std::uint16_t port, const RequestLines& request);

} // namespace signalbox::test
