// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/http_exchange.h"
#include "router/upstream/payload.h"

#include <memory>
#include <string>
#include <string_view>

namespace signalbox::upstream {

using ChunkResult = tl::expected<std::optional<dispatch::Chunk>, dispatch::UpstreamFailure>;

/// What answers of every protocol have in common: one exchange, its head, what was counted, and how failures read.
class UpstreamAnswer : public dispatch::ResponseStream {
public:
    [[nodiscard]] const dispatch::ResponseHead& head() const override { return m_head; }
    [[nodiscard]] dispatch::Usage usage() const override { return m_usage; }

protected:
    explicit UpstreamAnswer(std::unique_ptr<HttpExchange> exchange);
    /// Cumulative where an upstream reports more than once, so later figures replace earlier ones.
    void count(const dispatch::Usage& usage);
    /// The rest of the body, at most 64 MiB.
    [[nodiscard]] asio::awaitable<tl::expected<std::string, dispatch::UpstreamFailure>> readWhole();
    [[nodiscard]] dispatch::UpstreamFailure errorFrame(const PayloadError& error, std::string_view body) const;
    [[nodiscard]] dispatch::UpstreamFailure malformed(std::string code, std::string what) const;
    /// What came in the place of an answer, to end a message with: content type and the beginning, and where to look if it is
    /// no JSON at all, which is what a page of another server looks like.
    [[nodiscard]] std::string insteadOfAnswer(std::string_view body) const;

    std::unique_ptr<HttpExchange> m_exchange;
    dispatch::ResponseHead m_head;

private:
    dispatch::Usage m_usage;
};

/// The failure of an answer whose status is none of success, with what its body says.
[[nodiscard]] asio::awaitable<dispatch::UpstreamFailure> statusFailure(std::unique_ptr<HttpExchange> exchange);

}  // namespace signalbox::upstream
