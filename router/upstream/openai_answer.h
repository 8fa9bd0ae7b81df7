// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/http_exchange.h"
#include "router/upstream/payload.h"
#include "router/upstream/sse_reader.h"

#include <deque>
#include <memory>
#include <set>

namespace signalbox::upstream {

using ChunkResult = tl::expected<std::optional<dispatch::Chunk>, dispatch::UpstreamFailure>;

/// What both kinds of answer count while they pass on bytes.
class OpenAiAnswer : public dispatch::ResponseStream {
public:
    [[nodiscard]] const dispatch::ResponseHead& head() const override { return m_head; }
    [[nodiscard]] dispatch::Usage usage() const override { return m_usage; }
    [[nodiscard]] std::uint32_t toolCalls() const override { return static_cast<std::uint32_t>(m_toolCalls.size()); }

protected:
    explicit OpenAiAnswer(std::unique_ptr<HttpExchange> exchange);
    void count(const Payload& payload);
    [[nodiscard]] dispatch::UpstreamFailure errorFrame(const PayloadError& error, std::string_view body) const;
    [[nodiscard]] dispatch::UpstreamFailure malformed(std::string code, std::string what) const;

    std::unique_ptr<HttpExchange> m_exchange;
    dispatch::ResponseHead m_head;

private:
    dispatch::Usage m_usage;
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_toolCalls;
};

/// A whole JSON answer, one chunk of kind `body`.
class OpenAiBody final : public OpenAiAnswer {
public:
    explicit OpenAiBody(std::unique_ptr<HttpExchange> exchange) : OpenAiAnswer(std::move(exchange)) {}
    [[nodiscard]] asio::awaitable<ChunkResult> next() override;

private:
    bool m_delivered = false;
};

/// A stream of server-sent events.
class OpenAiStream final : public OpenAiAnswer {
public:
    explicit OpenAiStream(std::unique_ptr<HttpExchange> exchange) : OpenAiAnswer(std::move(exchange)) {}

    /// Reads up to and including the first frame; an error in it is the call's failure (F3).
    [[nodiscard]] asio::awaitable<tl::expected<void, dispatch::UpstreamFailure>> readFirstFrame();
    [[nodiscard]] asio::awaitable<ChunkResult> next() override;

private:
    [[nodiscard]] asio::awaitable<ChunkResult> pull();
    [[nodiscard]] asio::awaitable<tl::expected<std::optional<SseEvent>, dispatch::UpstreamFailure>> nextEvent();
    [[nodiscard]] asio::awaitable<void> drain();
    [[nodiscard]] tl::expected<dispatch::Chunk, dispatch::UpstreamFailure> understand(SseEvent event);
    [[nodiscard]] ChunkResult atEnd();
    /// An answer that is no stream although one was asked for: most often an error without its status.
    [[nodiscard]] asio::awaitable<dispatch::UpstreamFailure> notAStream();

    SseReader m_events;
    std::string m_bytes;
    std::deque<dispatch::Chunk> m_first;
    bool m_sniffed = false;
    bool m_bodyEnded = false;
    bool m_sawFinish = false;
    bool m_done = false;
};

}  // namespace signalbox::upstream
