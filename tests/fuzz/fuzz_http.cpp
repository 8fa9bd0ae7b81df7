// SPDX-License-Identifier: MIT
// A client's bytes before a gateway: how the network cuts them changes nothing, and where one request ends the next begins.
#include "router/gateway/request_parser.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace signalbox;
using fuzz::require;
using gateway::HttpRequest;
using gateway::RequestParser;

namespace {

constexpr std::uint64_t kBodyLimit = 4096;
constexpr int kMostRequests = 8;

/// What a session sees of one connection, with copies of what the parser only lends. Not whether it ended with an error:
/// Beast refuses some bytes the first time it sees them and waits for the end of a line the next time.
struct Reading {
    struct Request {
        std::string method, target, host, body;
        bool chunked = false, http11 = false, keepAlive = false;
        bool operator==(const Request&) const = default;
    };
    std::vector<Request> requests;
    std::size_t used = 0;  ///< bytes up to the end of the last of them
    bool operator==(const Reading&) const = default;
};

/// Bytes that came and were not yet taken, as a connection keeps them.
class Wire {
public:
    Wire(std::string_view stream, std::size_t longest) : m_stream(stream), m_longest(longest) {}
    [[nodiscard]] std::string_view buffered() const { return m_stream.substr(m_taken, m_arrived - m_taken); }
    [[nodiscard]] std::size_t taken() const { return m_taken; }
    void take(std::size_t bytes) { m_taken += bytes; }
    bool receive() {
        if (m_arrived == m_stream.size()) return false;
        const std::size_t step = 1 + static_cast<unsigned char>(m_stream[m_arrived]) % m_longest;
        m_arrived = std::min(m_stream.size(), m_arrived + step);
        return true;
    }

private:
    std::string_view m_stream;
    std::size_t m_longest, m_taken = 0, m_arrived = 0;
};

/// False when nothing more can be read: the bytes ended, or were refused.
bool feedUntil(RequestParser& parser, Wire& wire, bool (RequestParser::*isEnough)() const) {
    while (!(parser.*isEnough)()) {
        const RequestParser::Fed fed = wire.buffered().empty() ? RequestParser::Fed{} : parser.feed(wire.buffered());
        require(fed.used <= wire.buffered().size(), "no more is taken than there is");
        wire.take(fed.used);
        if (fed.error) {
            require(fed.error->status >= 400 && fed.error->status < 500, "what a client sends wrong is its own fault");
            require(!fed.error->message.empty(), "an error says something");
            return false;
        }
        if (fed.used == 0 && !(parser.*isEnough)() && !wire.receive()) return false;
    }
    return true;
}

Reading read(std::string_view stream, std::size_t longest) {
    Reading out;
    Wire wire(stream, longest);
    RequestParser parser;
    for (int i = 0; i < kMostRequests; ++i) {
        parser.restart();
        if (!feedUntil(parser, wire, &RequestParser::hasHead)) break;
        const HttpRequest head = parser.head();
        parser.limitBody(kBodyLimit);
        if (!feedUntil(parser, wire, &RequestParser::isDone)) break;
        require(parser.bodyBytes() <= kBodyLimit, "a body stays under its limit");
        const std::string body = parser.takeBody();
        require(head.chunked || body.size() == head.contentLength.value_or(0), "a body is as long as was announced");
        require(!(head.chunked && head.contentLength), "two framings are none");
        require(head.hasBody() || body.empty(), "nothing is read that was not announced");
        for (const std::string_view part : {head.method, head.target, head.host, head.origin, head.authorization})
            require(part.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos, "a header is one line");
        out.requests.push_back({std::string(head.method), std::string(head.target), std::string(head.host), body, head.chunked,
                                head.http11, head.keepAlive});
        out.used = wire.taken();
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view stream(reinterpret_cast<const char*>(data), size);
    const Reading whole = read(stream, std::size_t{1} << 20);
    for (const std::size_t longest : {1, 5, 200}) {
        const Reading cut = read(stream, longest);
        require(cut.requests == whole.requests, "cuts change no request");
        require(cut.used == whole.used, "cuts change no end");
    }
    return 0;
}
