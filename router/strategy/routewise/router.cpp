// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/router.h"

#include "router/strategy/pool_attempts.h"
#include "router/strategy/routewise/hedged_send.h"
#include "router/strategy/routewise/pool_report.h"
#include "router/strategy/routewise/pool_request.h"

#include <utility>

namespace signalbox::strategy::routewise {

namespace asio = dispatch::asio;
using dispatch::AnswerResult;
using evidence::AttemptRole;

namespace {

dispatch::PoolGrant grantOf(const Pool& pool) {
    dispatch::PoolGrant out{pool.id(), {}};
    for (const PoolMember& member : pool.members()) out.endpoints.insert(member.id);
    return out;
}

/// The one preferred, if it can serve; else the one drawn.
std::optional<std::size_t> firstOf(const PoolRequest& request, const Choice& choice) {
    const auto& delegated = std::get<dispatch::DelegatePool>(request.call().instruction);
    const auto preferred = request.pool().find(delegated.preferredEndpoint);
    return preferred && choice.members[*preferred].costUsd ? preferred : choice.drawn;
}

void record(const PoolRequest& request, const Choice& choice) {
    if (request.run().pool == nullptr) return;
    *request.run().pool = recorded(request.pool(), choice);
    if (request.pool().parameters().hedgeMode == HedgeMode::disabled) (*request.run().pool)->hedge = "disabled";
}

AttemptRole roleOf(const PoolRequest& request) {
    return isFirstTry(*request.run().attempts) ? AttemptRole::primary : AttemptRole::retry;
}

}  // namespace

RouteWiseRouter::RouteWiseRouter(std::shared_ptr<const Pool> pool, std::shared_ptr<Waiter> waiter)
    : m_pool(std::move(pool)), m_waiter(std::move(waiter)), m_grant(grantOf(*m_pool)),
      m_draw(m_pool->parameters().randomSeed), m_probes(m_pool) {}

asio::awaitable<AnswerResult> RouteWiseRouter::route(dispatch::PoolCall call, const dispatch::RequestRun& run) {
    m_requests.fetch_add(1, std::memory_order_relaxed);
    if (std::holds_alternative<dispatch::ExecuteEndpoint>(call.instruction)) call.allowFallback = false;
    PoolRequest request(m_pool, std::move(call), run);
    if (const auto* exact = std::get_if<dispatch::ExecuteEndpoint>(&request.call().instruction)) {
        AnswerResult answer = co_await exactly(*exact, request);
        co_return answer;
    }
    AnswerResult answer = co_await select(request);
    co_return answer;
}

asio::awaitable<AnswerResult> RouteWiseRouter::exactly(const dispatch::ExecuteEndpoint& exact, PoolRequest& request) {
    const auto member = m_pool->find(exact.binding.endpointId());
    if (!member) co_return tl::unexpected(dispatch::compositionFailure("out_of_scope", "The pool has no such endpoint"));
    if (auto stale = checkBinding(exact.binding, m_pool->members()[*member].member)) co_return tl::unexpected(std::move(*stale));
    Choice only = request.choose(0);
    only.drawn = member;
    // A router above that planned this attempt has recorded its own choice.
    if (request.run().pool != nullptr && !*request.run().pool) record(request, only);
    std::unique_ptr<dispatch::RoutedAnswer> answer = co_await send(request, *member, false);
    if (answer) co_return answer;
    co_return tl::unexpected(request.failure(Choice{}));
}

asio::awaitable<AnswerResult> RouteWiseRouter::select(PoolRequest& request) {
    Choice choice = request.choose(draw(request));
    choice.drawn = firstOf(request, choice);
    record(request, choice);
    const bool hedges = m_pool->parameters().hedgeMode == HedgeMode::probabilityTarget;
    bool lastResort = false;
    while (!request.verdict().ended()) {
        if (!choice.drawn) {
            if (lastResort || request.verdict().anythingSent()) break;
            lastResort = true;
            choice = request.chooseLastResort(choice, draw(request));
            if (choice.drawn && request.run().pool != nullptr)
                (*request.run().pool)->drawn = m_pool->members()[*choice.drawn].id;
            continue;
        }
        request.verdict().goesOn();
        const bool hedged = hedges && !lastResort && !request.verdict().anythingSent();
        std::unique_ptr<dispatch::RoutedAnswer> answer = co_await send(request, *choice.drawn, hedged);
        if (answer) co_return answer;
        choice = request.choose(draw(request));
    }
    co_return tl::unexpected(request.failure(choice));
}

asio::awaitable<std::unique_ptr<dispatch::RoutedAnswer>> RouteWiseRouter::send(PoolRequest& request, std::size_t member,
                                                                              bool hedged) {
    std::optional<ReadyAttempt> ready = request.admit(member, roleOf(request));
    if (!ready) co_return nullptr;
    if (hedged) {
        HedgedSend both(request, *m_waiter, member);
        std::unique_ptr<dispatch::RoutedAnswer> first = co_await both.run(std::move(*ready));
        co_return first;
    }
    AnswerResult answer = co_await sendAttempt(std::move(*ready), request.run());
    if (answer) co_return std::move(*answer);
    request.failed(member, std::move(answer.error()));
    co_return nullptr;
}

double RouteWiseRouter::draw(const PoolRequest& request) { return m_draw.next(request.run().random); }

dispatch::PoolView RouteWiseRouter::view(Steady now) const {
    dispatch::PoolView out = viewOf(*m_pool, now);
    out.requests = m_requests.load(std::memory_order_relaxed);
    return out;
}

dispatch::PoolForecast RouteWiseRouter::forecast(const dispatch::PoolQuestion& question, Steady now) const {
    return forecastOf(*m_pool, question, now);
}

std::vector<std::string> RouteWiseRouter::takeDueProbes(Steady now) {
    std::vector<std::string> out;
    for (const std::size_t member : m_probes.takeDue(now)) out.push_back(m_pool->members()[member].id);
    return out;
}

asio::awaitable<std::optional<dispatch::UpstreamFailure>> RouteWiseRouter::probe(std::string endpointId,
                                                                                const dispatch::RequestRun& run) {
    const auto member = m_pool->find(endpointId);
    if (!member) co_return dispatch::compositionFailure("out_of_scope", "The pool has no such endpoint");
    std::optional<dispatch::UpstreamFailure> failure = co_await m_probes.send(*member, *m_waiter, run);
    co_return failure;
}

}  // namespace signalbox::strategy::routewise
