// SPDX-License-Identifier: MIT
// An upstream's bytes: how the network cuts them changes nothing, whatever the encoding claims stays bounded, and a
// socket is only kept where the answer's end is certain.
#include "router/upstream/body_decoder.h"
#include "router/upstream/http_parser.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstdint>

using namespace signalbox;
using fuzz::require;
using upstream::BodyDecoder;
using upstream::HttpParser;

namespace {

constexpr std::size_t kDecodedLimit = 64 << 10;

struct Reading {
    bool failed = false, head = false, complete = false, reusable = false;
    int status = 0;
    std::string body;
    bool operator==(const Reading&) const = default;
};

Reading read(std::string_view stream, std::size_t longest) {
    Reading out;
    HttpParser parser;
    std::size_t at = 0;
    while (at < stream.size() && !out.failed) {
        const std::size_t step = std::min(stream.size() - at, 1 + static_cast<unsigned char>(stream[at]) % longest);
        out.failed = parser.feed(stream.substr(at, step), out.body).has_value();
        at += step;
    }
    require(out.body.size() <= stream.size(), "a body is no longer than what came");
    out.head = !out.failed && parser.headComplete();
    out.complete = !out.failed && parser.complete();
    out.reusable = !out.failed && parser.reusable();
    require(!out.reusable || out.complete, "what goes on may not be used again");
    if (out.head) out.status = parser.head().status;
    return out;
}

/// Beast refuses some bytes the first time it sees them and waits for the end of a line the next time; that is the one
/// thing that may depend on the cuts, and only as long as nothing is complete.
bool isSame(const Reading& a, const Reading& b) {
    if (a.failed || b.failed) return !a.complete && !b.complete;
    return a == b;
}

void checkDecoding(std::string_view bytes, std::string_view encoding) {
    auto decoder = BodyDecoder::forEncoding(encoding);
    require(decoder.has_value(), "an encoding of ours is known");
    std::string out;
    while (!bytes.empty()) {
        std::string piece(bytes.substr(0, 1000));
        bytes.remove_prefix(piece.size());
        const auto outcome = decoder->decode(piece, out, kDecodedLimit);
        require(out.size() <= kDecodedLimit, "what unfolds stays under the limit");
        if (outcome != BodyDecoder::Outcome::decoded) return;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view stream(reinterpret_cast<const char*>(data), size);
    const Reading whole = read(stream, std::size_t{1} << 20);
    for (const std::size_t longest : {1, 5, 200}) require(isSame(read(stream, longest), whole), "cuts change nothing");
    for (const std::string_view encoding : {"gzip", "deflate"}) {
        checkDecoding(stream, encoding);
        if (whole.complete) checkDecoding(whole.body, encoding);
    }
    return 0;
}
