// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/answer.h"
#include "router/upstream/sse_reader.h"

namespace signalbox::upstream {

/// A stream of server-sent events being read, whatever they mean: a protocol says that in the hooks below.
class EventStream : public UpstreamAnswer {
public:
    /// Reads up to and including the first frame; an error in it is the call's failure (F3).
    [[nodiscard]] asio::awaitable<tl::expected<void, dispatch::UpstreamFailure>> readFirstFrame();
    [[nodiscard]] asio::awaitable<ChunkResult> next() final;

protected:
    explicit EventStream(std::unique_ptr<HttpExchange> exchange) : UpstreamAnswer(std::move(exchange)) {}

    /// What one event is, comments left out. Kind `done` ends the answer.
    [[nodiscard]] virtual tl::expected<dispatch::Chunk, dispatch::UpstreamFailure> understand(SseEvent event) = 0;
    /// The error that a whole body may be instead of a stream.
    [[nodiscard]] virtual std::optional<PayloadError> errorIn(std::string& body) const = 0;
    /// The body has ended without `done`. True when the answer is whole all the same: some upstreams leave the last event
    /// out. Otherwise it was cut off (F4).
    [[nodiscard]] virtual bool isWhole() const = 0;
    /// The last event as it should have come, for clients that wait for it; nullopt when they need none.
    [[nodiscard]] virtual std::optional<dispatch::Chunk> missingEnd() const { return std::nullopt; }

private:
    /// What one event is, and what follows from it when it is the last.
    [[nodiscard]] ChunkResult understood(SseEvent event);
    /// Looks once at the first bytes that are no space: those of JSON or of a page begin no stream.
    [[nodiscard]] bool sniffsNoStream();
    [[nodiscard]] asio::awaitable<void> drain();
    [[nodiscard]] ChunkResult atEnd();
    /// An answer that is no stream although one was asked for: most often an error without its status.
    [[nodiscard]] asio::awaitable<dispatch::UpstreamFailure> notAStream();

    SseReader m_events;
    std::string m_bytes;
    std::optional<dispatch::Chunk> m_first;
    bool m_sniffed = false;
    bool m_bodyEnded = false;
    bool m_done = false;
};

}  // namespace signalbox::upstream
