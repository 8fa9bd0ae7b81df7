// SPDX-License-Identifier: MIT
#include "router/strategy/fixed_router.h"

#include "router/dispatch/leaf.h"
#include "router/strategy/fixed_answer.h"

#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;
using AnswerResult = tl::expected<std::unique_ptr<RoutedAnswer>, UpstreamFailure>;

namespace {

UpstreamFailure compositionFailure(const Error& error) {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::composition;
    failure.code = "inconsistent_binding";
    failure.message = error.text();
    return failure;
}

UpstreamFailure emptyPlan() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::composition;
    failure.code = "empty_plan";
    failure.message = "The route plan names no target";
    return failure;
}

UpstreamFailure circuitOpen(const capacity::Endpoint& endpoint) {
    const capacity::CircuitView view = endpoint.circuit()->view();
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::refused;
    failure.code = std::string(kCircuitOpen);
    failure.retryAfter = std::max(std::chrono::ceil<std::chrono::seconds>(view.remaining), std::chrono::seconds(1));
    failure.message = "Endpoint " + view.endpointId + " is cooling (" + std::string(toString(view.cause)) +
                      ") and is tried again in " + std::to_string(failure.retryAfter->count()) + " s";
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

}  // namespace

FixedRouter::FixedRouter(AdapterMap adapters, const Clock& clock, std::shared_ptr<const capacity::EndpointBook> endpoints,
                         NotCallable notCallable)
    : m_adapters(std::move(adapters)), m_notCallable(std::move(notCallable)), m_endpoints(std::move(endpoints)),
      m_clock(clock) {}

dispatch::asio::awaitable<AnswerResult> FixedRouter::route(RouteCall call) {
    const std::vector<policy::RouteTarget>& targets = call.plan->targets;
    if (targets.empty()) co_return tl::unexpected(emptyPlan());
    Course course(*call.plan, call.whyNoFallback);
    const auto blame = std::make_shared<capacity::RequestBlame>();
    while (const std::optional<Course::Step> step = course.next()) {
        const policy::RouteTarget& target = targets[step->target];
        AttemptRecord record = openRecord(call, *step);
        auto leaf = mayBegin(call, target).and_then([&](std::shared_ptr<dispatch::Adapter>&& adapter) {
            return bind(target, std::move(adapter));
        });
        if (!leaf) {
            record.failed(leaf.error());
            course.failed(std::move(leaf.error()));
            continue;
        }
        const capacity::Endpoint endpoint = endpointOf(*call.plan, step->target);
        // Asked again before every attempt: what was closed when the plan was made may be open by now (F56).
        auto permit = endpoint.tryBegin();
        const bool lastResort = !permit && step->anyway;
        if (!permit && !lastResort) {
            UpstreamFailure open = circuitOpen(endpoint);
            record.failed(open);
            course.passedOver(*step, record.index(), std::move(open));
            continue;
        }
        record.governBy(lastResort ? endpoint.beginAnyway() : std::move(*permit), blame, lastResort);
        AnswerResult answer = co_await attempt(*leaf, call, target, std::move(record));
        if (answer) co_return answer;
        course.failed(std::move(answer.error()));
    }
    co_return tl::unexpected(course.failure());
}

AttemptRecord FixedRouter::openRecord(const RouteCall& call, const Course::Step& step) const {
    if (step.entry) return AttemptRecord(*call.attempts, m_clock, call.admittedAt, *step.entry);
    return AttemptRecord(*call.attempts, m_clock, call.admittedAt, call.plan->targets[step.target].endpointId(),
                         step.target == 0 ? evidence::AttemptRole::primary : evidence::AttemptRole::retry);
}

tl::expected<std::shared_ptr<dispatch::Adapter>, UpstreamFailure>
FixedRouter::mayBegin(const RouteCall& call, const policy::RouteTarget& target) const {
    if (call.mayTry)
        if (auto refused = call.mayTry(target)) return tl::unexpected(std::move(*refused));
    return adapterFor(target);
}

capacity::Endpoint FixedRouter::endpointOf(const policy::RoutePlan& plan, std::size_t target) const {
    const policy::RouteTarget& asked = plan.targets[target];
    if (plan.group) return m_endpoints->of(plan.group->group, plan.group->candidateOf[target], asked.endpointId());
    return m_endpoints->of(asked.providerId, asked.endpointId());
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
