// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/attempt_record.h"
#include "router/strategy/router.h"

#include <memory>
#include <vector>

namespace signalbox::strategy {

/// One endpoint's answer, of which the frames before the first content are held back until `fill` saw that content.
class LeafAnswer final : public RoutedAnswer {
public:
    LeafAnswer(std::unique_ptr<dispatch::ResponseStream> stream, policy::RouteTarget target, AttemptRecord record);
    ~LeafAnswer() override;
    LeafAnswer(const LeafAnswer&) = delete;
    LeafAnswer& operator=(const LeafAnswer&) = delete;

    /// Reads until content, the whole body or the end is in hand (F1, F2). A failure here committed nothing.
    [[nodiscard]] dispatch::asio::awaitable<tl::expected<void, dispatch::UpstreamFailure>> fill();

    /// Another leg of the request was faster: ends the call down to the socket when destroyed.
    void lose();

    [[nodiscard]] const dispatch::ResponseHead& head() const override { return m_stream->head(); }
    [[nodiscard]] dispatch::asio::awaitable<tl::expected<std::optional<dispatch::Chunk>, dispatch::UpstreamFailure>>
    next() override;
    [[nodiscard]] dispatch::Usage usage() const override { return m_stream->usage(); }
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_stream->toolCalls(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_stream->toolOutcome(); }
    [[nodiscard]] std::optional<double> firstByteMs() const override { return m_record.headMs(); }
    [[nodiscard]] const std::string& endpointId() const override { return m_endpointId; }
    [[nodiscard]] const policy::RouteTarget& target() const override { return m_target; }
    [[nodiscard]] bool isLastResort() const override { return m_record.isLastResort(); }

private:
    /// What came of the stream, for the record.
    void note(const tl::expected<std::optional<dispatch::Chunk>, dispatch::UpstreamFailure>& chunk);

    std::unique_ptr<dispatch::ResponseStream> m_stream;
    policy::RouteTarget m_target;
    std::string m_endpointId;
    AttemptRecord m_record;
    std::vector<dispatch::Chunk> m_held;  // emptied when all were handed out
    std::size_t m_handedOut = 0;
    std::size_t m_heldBytes = 0;
    bool m_contentSeen = false;
    bool m_ended = false;
};

}  // namespace signalbox::strategy
