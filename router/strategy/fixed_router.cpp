// SPDX-License-Identifier: MIT
#include "router/strategy/fixed_router.h"

#include "router/dispatch/leaf.h"
#include "router/strategy/fallback.h"
#include "router/strategy/fixed_answer.h"

#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;
using AnswerResult = tl::expected<std::unique_ptr<RoutedAnswer>, UpstreamFailure>;

namespace {

/// When nothing could be admitted and nobody said when to come back.
constexpr std::chrono::seconds kDefaultRetryAfter{5};

UpstreamFailure compositionFailure(const Error& error) {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::composition;
    failure.code = "inconsistent_binding";
    failure.message = error.text();
    return failure;
}

tl::expected<dispatch::LeafBackend, UpstreamFailure> bind(const policy::RouteTarget& target,
                                                          std::shared_ptr<dispatch::Adapter> adapter) {
    auto leaf = dispatch::EndpointBinding::make(target.endpointId(), target.model, std::move(adapter))
                    .and_then([](dispatch::EndpointBinding&& binding) {
                        return dispatch::LeafBackend::make(std::move(binding));
                    });
    if (!leaf) return tl::unexpected(compositionFailure(leaf.error()));
    return std::move(*leaf);
}

/// One attempt, from binding to first content; its record is closed on every way out.
dispatch::asio::awaitable<AnswerResult> attempt(const dispatch::LeafBackend& leaf, const RouteCall& call,
                                                const policy::RouteTarget& target, AttemptRecord record) {
    dispatch::UpstreamRequest request = call.makeRequest(target);
    auto stream = co_await leaf.call(std::move(request));
    if (!stream) {
        record.failed(stream.error());
        co_return tl::unexpected(std::move(stream.error()));
    }
    auto answer = std::make_unique<FixedAnswer>(std::move(*stream), target, std::move(record));
    auto filled = co_await answer->fill();
    if (!filled) co_return tl::unexpected(std::move(filled.error()));
    co_return std::unique_ptr<RoutedAnswer>(std::move(answer));
}

/// The failure that the client gets to know: the first that reached an upstream, else the first refusal.
class FinalFailure {
public:
    void add(UpstreamFailure failure) {
        if (!m_failure || (failure.sent() && !m_failure->sent())) m_failure = std::move(failure);
    }
    [[nodiscard]] UpstreamFailure take() {
        if (!m_failure->sent() && !m_failure->retryAfter) m_failure->retryAfter = kDefaultRetryAfter;
        return std::move(*m_failure);
    }

private:
    std::optional<UpstreamFailure> m_failure;
};

bool endsAtOnce(const UpstreamFailure& failure) {
    return failure.kind == UpstreamFailure::Kind::cancelled || failure.kind == UpstreamFailure::Kind::composition;
}

UpstreamFailure emptyPlan() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::composition;
    failure.code = "empty_plan";
    failure.message = "The route plan names no target";
    return failure;
}

}  // namespace

FixedRouter::FixedRouter(AdapterMap adapters, const Clock& clock, NotCallable notCallable)
    : m_adapters(std::move(adapters)), m_notCallable(std::move(notCallable)), m_clock(clock) {}

dispatch::asio::awaitable<AnswerResult> FixedRouter::route(RouteCall call) {
    const std::vector<policy::RouteTarget>& targets = call.plan->targets;
    if (targets.empty()) co_return tl::unexpected(emptyPlan());
    FinalFailure final;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const policy::RouteTarget& target = targets[i];
        AttemptRecord record(*call.attempts, m_clock, call.admittedAt, target.endpointId(),
                             i == 0 ? evidence::AttemptRole::primary : evidence::AttemptRole::retry);
        auto leaf = adapterFor(target).and_then(
            [&target](std::shared_ptr<dispatch::Adapter>&& adapter) { return bind(target, std::move(adapter)); });
        AnswerResult answer = tl::unexpected(UpstreamFailure{});
        if (leaf) {
            answer = co_await attempt(*leaf, call, target, std::move(record));
        } else {
            record.failed(leaf.error());
            answer = tl::unexpected(std::move(leaf.error()));
        }
        if (answer || endsAtOnce(answer.error())) co_return answer;
        const auto verdict = fallbackVerdict(answer.error(), call.plan->fallbackAllowed, targets.size() - i - 1);
        final.add(std::move(answer.error()));
        if (verdict != FallbackVerdict::next) break;
    }
    co_return tl::unexpected(final.take());
}

tl::expected<std::shared_ptr<dispatch::Adapter>, UpstreamFailure>
FixedRouter::adapterFor(const policy::RouteTarget& target) const {
    if (const auto found = m_adapters.find(target.providerId); found != m_adapters.end() && found->second)
        return found->second;
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::refused;
    failure.code = "provider_not_callable";
    const auto why = m_notCallable.find(target.providerId);
    failure.message = why != m_notCallable.end()
                          ? why->second
                          : "Provider " + target.providerId + " is not callable: the running policy gave it no adapter";
    return tl::unexpected(std::move(failure));
}

}  // namespace signalbox::strategy
