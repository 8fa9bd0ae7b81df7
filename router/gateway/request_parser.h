// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/edge_error.h"
#include "router/gateway/http_request.h"

#include <memory>
#include <string>

namespace signalbox::gateway {

/// Reads HTTP/1.x requests from bytes as they come, chunked bodies included. The only place that knows Beast.
class RequestParser {
public:
    RequestParser();
    ~RequestParser();

    /// Forgets everything and takes the next request.
    void restart();
    /// Largest body that is taken from here on; unlimited before.
    void limitBody(std::uint64_t bytes);

    struct Fed {
        std::size_t used = 0;
        std::optional<EdgeError> error; ///< what the client did wrong; nothing more can be read
    };
    /// Takes as many of these bytes as belong to what is being read: the head, then the body.
    [[nodiscard]] Fed feed(std::string_view bytes);
    [[nodiscard]] bool hasHead() const;
    [[nodiscard]] bool isDone() const;

    /// Views into the parser, valid until `restart`. Before `hasHead` what was read so far, without framing; neither method
    /// nor target while the first line is not whole.
    [[nodiscard]] HttpRequest head() const;
    [[nodiscard]] std::string takeBody();
    /// What came of the body, without its framing.
    [[nodiscard]] std::uint64_t bodyBytes() const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

[[nodiscard]] EdgeError bodyTooLarge(std::uint64_t limit);

} // namespace signalbox::gateway
