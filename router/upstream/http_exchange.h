// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/body_decoder.h"
#include "router/upstream/connection.h"
#include "router/upstream/deadline.h"
#include "router/upstream/http_parser.h"

#include <memory>
#include <string>
#include <vector>

namespace signalbox::upstream {

struct TimeLimits {
    std::chrono::milliseconds connect{5'000};
    std::chrono::milliseconds firstByte{120'000};
    std::chrono::milliseconds streamIdle{120'000};
    std::chrono::milliseconds total{600'000};
};

/// What every call of one provider needs. Calls share it, so that they may outlive the adapter.
struct Upstream {
    std::string providerId;
    Origin origin;
    std::shared_ptr<asio::ssl::context> tls;  ///< null for plain origins
    TimeLimits limits;
    std::string section;  ///< of gateway.toml that sets these limits, `[providers.ID]`; empty: they are no settings
    std::vector<std::string> secrets;  ///< never to be seen in a message
    bool probeIdleSockets = true;      ///< false only where a test needs a dead socket to be reused
    /// False for calls on a connection of their own: none is taken from the cache and none goes there, whatever the
    /// answer says. The request should then say `Connection: close`.
    bool keepAlive = true;
    std::string idleKey;  ///< of the origin, so that not every call puts it together; may be empty
};

/// One HTTP/1.1 request and its response over a cached or fresh connection. Belongs to one thread.
/// Destroying it before the end of the body closes the connection; after it, the connection goes back to the cache.
class HttpExchange {
public:
    /// Sends and reads the head. No wait, later ones included, lasts beyond `endsBy` (F44). A reused socket that provably died before the request came is replaced once (F42).
    [[nodiscard]] static asio::awaitable<tl::expected<std::unique_ptr<HttpExchange>, dispatch::UpstreamFailure>>
    start(std::shared_ptr<const Upstream> upstream, std::string head, std::string body,
          std::optional<Steady> endsBy = std::nullopt);

    [[nodiscard]] const HttpHead& head() const { return m_parser.head(); }

    /// Appends the next decoded bytes to `into`, which never grows over `limit`; false at the end of the body.
    [[nodiscard]] asio::awaitable<tl::expected<bool, dispatch::UpstreamFailure>> read(std::string& into,
                                                                                      std::size_t limit);
    /// Nothing of the body is left; `read` would say so, too.
    [[nodiscard]] bool isDone() const { return m_parser.complete() && m_raw.empty() && m_decoder->finished(); }
    /// From here on the limit between two reads counts, no longer the one for the first byte.
    void firstFrameSeen() { m_limit = Limit::streamIdle; }
    [[nodiscard]] bool awaitsFirstFrame() const { return m_limit == Limit::firstByte; }
    /// The answer is complete; the transfer's own end may take this much longer, then the connection is given up.
    void finishWithin(std::chrono::milliseconds grace);

    /// `Provider ID (https://host:port)`, to begin a message with.
    [[nodiscard]] std::string label() const;
    [[nodiscard]] const Upstream& upstream() const { return *m_upstream; }

private:
    HttpExchange(std::shared_ptr<const Upstream> upstream, asio::any_io_executor executor, Steady endsBy);

    /// An idle one, if it may be and there is one.
    [[nodiscard]] bool takeConnection(bool mayReuse);
    [[nodiscard]] asio::awaitable<tl::expected<void, dispatch::UpstreamFailure>> connect();
    [[nodiscard]] asio::awaitable<tl::expected<void, dispatch::UpstreamFailure>> exchangeHead(const std::string& head,
                                                                                              const std::string& body);
    [[nodiscard]] tl::expected<void, dispatch::UpstreamFailure> beforeRead();
    [[nodiscard]] tl::expected<void, dispatch::UpstreamFailure> afterRead(const IoResult& got);
    [[nodiscard]] tl::expected<void, dispatch::UpstreamFailure> acceptHead();
    [[nodiscard]] tl::expected<void, dispatch::UpstreamFailure> decodeInto(std::string& into, std::size_t limit);
    [[nodiscard]] dispatch::UpstreamFailure failureNow(dispatch::UpstreamFailure::Kind kind, std::string code,
                                                       std::string message) const;
    /// Which setting a limit is and what it is now, to end a message with; empty where it is none.
    [[nodiscard]] std::string settingOf(Limit limit) const;
    [[nodiscard]] dispatch::UpstreamFailure ioFailure(const boost::system::error_code& error) const;
    [[nodiscard]] bool diedBeforeRequest();
    void armDeadline();
    void releaseConnection();
    [[nodiscard]] const std::string& idleKeyOfOrigin();

    std::shared_ptr<const Upstream> m_upstream;
    asio::any_io_executor m_executor;
    Deadline m_deadline;
    std::unique_ptr<Connection> m_connection;
    std::string m_ownIdleKey;
    bool m_reused = false;
    bool m_peerFinished = false;
    bool m_neverLeft = false;  ///< the socket was dead when the request was to be written
    HttpParser m_parser;
    std::optional<BodyDecoder> m_decoder;
    std::string m_raw;  ///< body bytes before decoding
    Limit m_limit = Limit::firstByte;
    Steady m_firstByteBy{};
    Steady m_finishBy = Steady::max();
};

}  // namespace signalbox::upstream
