// SPDX-License-Identifier: MIT
// A stream of server-sent events: how the network cuts it changes nothing, and what we frame reads back as it was.
#include "router/upstream/sse_reader.h"
#include "tests/fuzz/require.h"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace signalbox;
using fuzz::require;
using upstream::SseEvent;
using upstream::SseReader;

namespace {

constexpr std::size_t kSmallLimit = 512;

struct Reading {
    std::vector<SseEvent> events;
    bool tooLarge = false;
};

/// In pieces of 1 to `longest` bytes, chosen by the bytes themselves.
Reading read(std::string_view stream, std::size_t longest, std::size_t limit) {
    SseReader reader(limit);
    Reading out;
    while (!stream.empty() && !out.tooLarge) {
        const std::size_t step = std::min(stream.size(), 1 + static_cast<unsigned char>(stream.front()) % longest);
        out.tooLarge = !reader.feed(stream.substr(0, step));
        stream.remove_prefix(step);
        while (auto event = reader.next()) out.events.push_back(std::move(*event));
    }
    if (auto rest = out.tooLarge ? std::nullopt : reader.rest()) out.events.push_back(std::move(*rest));
    return out;
}

/// A comment beside data means nothing to anybody and is left out.
void checkFraming(SseEvent event) {
    if (!event.isComment()) event.comment.clear();
    const Reading again = read(event.framed(), 64, std::size_t{1} << 20);
    require(again.events.size() == 1, "a framed event is one event");
    require(again.events.front() == event, "a framed event reads back as it was");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view stream(reinterpret_cast<const char*>(data), size);
    const Reading whole = read(stream, std::size_t{1} << 20, std::size_t{1} << 20);
    require(!whole.tooLarge, "less than the limit is never too large");
    for (const std::size_t longest : {1, 3, 17})
        require(read(stream, longest, std::size_t{1} << 20).events == whole.events, "cuts change nothing");
    for (const SseEvent& event : whole.events) checkFraming(event);
    // Whatever the limit refuses, it never hands out an event that is larger.
    for (const SseEvent& event : read(stream, 17, kSmallLimit).events)
        require(event.data.size() + event.name.size() + event.comment.size() <= 2 * kSmallLimit, "events stay near the limit");
    return 0;
}
