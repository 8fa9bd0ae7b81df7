// SPDX-License-Identifier: MIT
#include "router/strategy/pool_outcome.h"

#include "router/strategy/fault_of.h"

#include <utility>

namespace signalbox::strategy {

using dispatch::Chunk;
using dispatch::UpstreamFailure;

namespace {

class WatchedAnswer final : public dispatch::RoutedAnswer {
public:
    WatchedAnswer(std::unique_ptr<dispatch::RoutedAnswer> answer, PoolOutcome outcome)
        : m_answer(std::move(answer)), m_outcome(std::move(outcome)) {}

    const dispatch::ResponseHead& head() const override { return m_answer->head(); }
    dispatch::asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() override {
        auto chunk = co_await m_answer->next();
        if (!chunk) m_outcome.failed(chunk.error());
        // The answer is whole here, whether or not the caller goes on to ask for the end.
        else if (!*chunk || (*chunk)->kind == Chunk::Kind::done || (*chunk)->kind == Chunk::Kind::body) m_outcome.served();
        co_return chunk;
    }
    dispatch::Usage usage() const override { return m_answer->usage(); }
    std::uint32_t toolCalls() const override { return m_answer->toolCalls(); }
    dispatch::ToolOutcome toolOutcome() const override { return m_answer->toolOutcome(); }
    std::optional<double> firstByteMs() const override { return m_answer->firstByteMs(); }
    const std::string& endpointId() const override { return m_answer->endpointId(); }
    const policy::RouteTarget& target() const override { return m_answer->target(); }
    bool isLastResort() const override { return m_answer->isLastResort(); }

private:
    std::unique_ptr<dispatch::RoutedAnswer> m_answer;
    PoolOutcome m_outcome;
};

}  // namespace

PoolOutcome::PoolOutcome(const capacity::EndpointBook& endpoints, std::string_view poolId, const Clock& clock)
    : m_clock(&clock), m_began(clock.steady()) {
    if (const capacity::Endpoint* pool = endpoints.pool(poolId)) m_pool = *pool;
}

void PoolOutcome::failed(const UpstreamFailure& failure) {
    const bool says = capacity::sampleOf(faultOf(failure)) != capacity::Sample::none;
    if (m_pool && says && !std::exchange(m_told, true)) m_pool->poolEnded(false, elapsedMs());
}

void PoolOutcome::served() {
    if (m_pool && !std::exchange(m_told, true)) m_pool->poolEnded(true, elapsedMs());
}

double PoolOutcome::elapsedMs() const {
    return std::chrono::duration<double, std::milli>(m_clock->steady() - m_began).count();
}

std::unique_ptr<dispatch::RoutedAnswer> PoolOutcome::watch(std::unique_ptr<dispatch::RoutedAnswer> answer) const {
    if (!m_pool) return answer;
    return std::make_unique<WatchedAnswer>(std::move(answer), *this);
}

}  // namespace signalbox::strategy
