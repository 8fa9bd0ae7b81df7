// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"
#include "router/policy/resolve.h"

namespace signalbox::dispatch {

/// An answer on its way to the client, and the attempts it took so far.
/// The router keeps feedback: reading `next` to its end (or dropping the answer) completes the last attempt.
class RoutedAnswer {
public:
    virtual ~RoutedAnswer() = default;
    [[nodiscard]] virtual const ResponseHead& head() const = 0;
    [[nodiscard]] virtual asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() = 0;
    [[nodiscard]] virtual Usage usage() const = 0;
    [[nodiscard]] virtual std::uint32_t toolCalls() const = 0;
    [[nodiscard]] virtual ToolOutcome toolOutcome() const { return {toolCalls()}; }
    /// From the start of the attempt that answers to the upstream's head, or of a stream to its first frame.
    [[nodiscard]] virtual std::optional<double> firstByteMs() const { return std::nullopt; }
    [[nodiscard]] virtual const std::string& endpointId() const = 0;
    [[nodiscard]] virtual const policy::RouteTarget& target() const = 0;
    /// True when the endpoint was cooling, and was tried because nothing else was left (F57).
    [[nodiscard]] virtual bool isLastResort() const = 0;
};

using AnswerResult = tl::expected<std::unique_ptr<RoutedAnswer>, UpstreamFailure>;

}  // namespace signalbox::dispatch
