// SPDX-License-Identifier: MIT
#include "router/strategy/hybrid/hybrid_router.h"

#include "router/dispatch/backends.h"
#include "router/strategy/fixed/fixed_policy.h"
#include "router/strategy/fixed/fixed_router.h"
#include "router/strategy/pool_attempts.h"
#include "router/strategy/stage_verdict.h"

#include <algorithm>
#include <atomic>

namespace signalbox::strategy {
namespace {

using dispatch::AnswerResult;
using dispatch::EndpointScope;
using dispatch::UpstreamFailure;

/// Backends asked for one request, the primary one among them.
constexpr std::size_t kMostAttempts = 4;

/// Selects no endpoint itself: plans attempts as the fixed router would draw them, and hands each to the part of the pool
/// that it is for. Both parts are run by one shared FixedRouter, which keeps admission and health.
class HybridRouter final : public dispatch::PoolRouter {
public:
    HybridRouter(const config::Model& model, const FixedParameters& parameters, const RouterContext& context,
                 dispatch::LocalBackend local, dispatch::FixedCloudBackend cloud)
        : m_grant(grantOf(model)), m_members(poolMembers(model, context)), m_affinity(parameters.sessionAffinity),
          m_draw(parameters.randomSeed), m_clock(context.clock), m_local(std::move(local)), m_cloud(std::move(cloud)) {}

    const dispatch::PoolGrant& grant() const override { return m_grant; }
    dispatch::asio::awaitable<AnswerResult> route(dispatch::PoolCall call, const dispatch::RequestRun& run) override;
    dispatch::PoolView view(Steady now) const override;
    dispatch::PoolForecast forecast(const dispatch::PoolQuestion& question, Steady now) const override;

private:
    FixedChoice plan(const dispatch::PoolCall& call, const dispatch::RequestRun& run);
    const dispatch::TreeBackend& backendOf(std::size_t member) const;
    tl::expected<dispatch::PoolCall, UpstreamFailure> primary(const FixedChoice& choice, const dispatch::PoolCall& call) const;
    tl::expected<dispatch::PoolCall, UpstreamFailure> fallback(std::size_t member, const dispatch::PoolCall& call) const;
    bool mayStillBeTried(std::size_t member, const dispatch::RequestRun& run, std::size_t begunAt, bool lastResort) const;
    /// How many of the plan from `from` on may still be tried.
    std::size_t left(const FixedChoice& choice, std::size_t from, const dispatch::RequestRun& run, std::size_t begunAt,
                     bool sent) const;
    dispatch::asio::awaitable<AnswerResult> exactly(dispatch::PoolCall call, const dispatch::RequestRun& run);

    dispatch::PoolGrant m_grant;
    std::vector<PoolMember> m_members;
    bool m_affinity;
    DrawSource m_draw;
    const Clock& m_clock;
    dispatch::LocalBackend m_local;
    dispatch::FixedCloudBackend m_cloud;
    std::atomic<std::uint64_t> m_requests{0};
};

/// Each backend counts from one; over the whole plan, only the first attempt is the first try.
class Roles {
public:
    explicit Roles(std::vector<evidence::Attempt>& attempts) : m_attempts(attempts), m_begunAt(attempts.size()) {}
    ~Roles() {
        for (std::size_t i = m_begunAt + 1; i < m_attempts.size(); ++i)
            if (m_attempts[i].role == evidence::AttemptRole::primary) m_attempts[i].role = evidence::AttemptRole::retry;
    }
    Roles(const Roles&) = delete;
    Roles& operator=(const Roles&) = delete;
    [[nodiscard]] std::size_t begunAt() const { return m_begunAt; }

private:
    std::vector<evidence::Attempt>& m_attempts;
    const std::size_t m_begunAt;
};

const dispatch::TreeBackend& HybridRouter::backendOf(std::size_t member) const {
    if (m_members[member].route.kind == config::RouteKind::local) return m_local;
    return m_cloud;
}

FixedChoice HybridRouter::plan(const dispatch::PoolCall& call, const dispatch::RequestRun& run) {
    std::vector<std::string> excluded;
    for (const PoolMember& member : m_members) excluded.push_back(exclusionOf(member, call.scope, run));
    FixedChoice out = chooseFixed(m_members, std::move(excluded), m_affinity ? run.session : std::nullopt,
                                  m_draw.next(run.random), m_clock.steady(), m_draw, run.random);
    const std::string& preferred = std::get<dispatch::DelegatePool>(call.instruction).preferredEndpoint;
    std::stable_partition(out.order.begin(), out.order.end(), [&](std::size_t at) {
        return m_members[at].id == preferred && out.excluded[at].empty();
    });
    return out;
}

// The part may choose another of its endpoints, but none that rests while others do not: the plan has those at its end.
tl::expected<dispatch::PoolCall, UpstreamFailure> HybridRouter::primary(const FixedChoice& choice,
                                                                        const dispatch::PoolCall& call) const {
    const std::size_t first = choice.order.front();
    EndpointScope::Ids ready;
    for (std::size_t i = 0; i < choice.order.size(); ++i)
        if (i < choice.ready || choice.ready == 0) ready.insert(m_members[choice.order[i]].id);
    dispatch::PoolCall out = call;
    out.scope = call.scope.intersectedWith(EndpointScope::only(std::move(ready)));
    out.instruction = dispatch::DelegatePool{m_grant.poolId, m_members[first].id};
    out.allowFallback = false;  // what comes after is the plan's
    return out;
}

tl::expected<dispatch::PoolCall, UpstreamFailure> HybridRouter::fallback(std::size_t member, const dispatch::PoolCall& call) const {
    const Member& target = m_members[member].member;
    auto binding = dispatch::EndpointBinding::make(m_members[member].id, target.target.model, target.adapter, m_grant.poolId);
    if (!binding) return tl::unexpected(dispatch::compositionFailure("inconsistent_binding", binding.error().text()));
    dispatch::PoolCall out = call;
    out.instruction = dispatch::ExecuteEndpoint{std::move(*binding)};
    out.allowFallback = false;
    return out;
}

// Each endpoint once, and one that began to rest meanwhile only when nothing is left that does not.
bool HybridRouter::mayStillBeTried(std::size_t member, const dispatch::RequestRun& run, std::size_t begunAt,
                                   bool lastResort) const {
    const auto tried = std::any_of(run.attempts->begin() + static_cast<std::ptrdiff_t>(begunAt), run.attempts->end(),
                                   [&](const evidence::Attempt& one) { return one.endpointId == m_members[member].id; });
    if (tried) return false;
    return lastResort || restingReason(m_members[member], m_clock.steady()).empty();
}

dispatch::asio::awaitable<AnswerResult> HybridRouter::route(dispatch::PoolCall call, const dispatch::RequestRun& run) {
    m_requests.fetch_add(1, std::memory_order_relaxed);
    if (std::holds_alternative<dispatch::ExecuteEndpoint>(call.instruction)) {
        auto bound = exactly(std::move(call), run);
        AnswerResult answer = co_await std::move(bound);
        co_return answer;
    }
    const FixedChoice choice = plan(call, run);
    if (run.pool != nullptr) {
        *run.pool = recordOf(choice, m_members, m_grant.poolId);
        (*run.pool)->router = "hybrid";
    }
    if (choice.order.empty()) co_return tl::unexpected(nobodyCanTake(m_grant.poolId, m_members, choice.excluded, run.needs));
    dispatch::RequestRun below = run;
    below.pool = nullptr;           // the choice is recorded once, here
    below.whyNoFallback = nullptr;  // and so is what follows from a failure
    StageVerdict verdict(call.allowFallback, run.whyNoFallback);
    const Roles roles(*run.attempts);
    std::size_t asked = 0;
    for (std::size_t i = 0; i < choice.order.size() && asked < kMostAttempts; ++i) {
        const std::size_t member = choice.order[i];
        const bool lastResort = i >= choice.ready;
        // What rests may be tried only when nothing was sent to anyone (F57).
        if (lastResort && verdict.sent()) break;
        if (i > 0 && !mayStillBeTried(member, run, roles.begunAt(), lastResort)) continue;
        auto handed = i == 0 ? primary(choice, call) : fallback(member, call);
        if (!handed) {
            if (!verdict.mayGoOn(std::move(handed.error()), choice.order.size() - i - 1)) break;
            continue;
        }
        ++asked;
        auto executing = backendOf(member).execute(std::move(*handed), below);
        AnswerResult answer = co_await std::move(executing);
        if (answer) co_return answer;
        const std::size_t after = left(choice, i + 1, run, roles.begunAt(), verdict.sent() || answer.error().sent());
        if (!verdict.mayGoOn(std::move(answer.error()), std::min(after, kMostAttempts - asked))) break;
    }
    co_return tl::unexpected(verdict.failure());
}

std::size_t HybridRouter::left(const FixedChoice& choice, std::size_t from, const dispatch::RequestRun& run,
                               std::size_t begunAt, bool sent) const {
    std::size_t out = 0;
    for (std::size_t i = from; i < (sent ? choice.ready : choice.order.size()); ++i)
        if (mayStillBeTried(choice.order[i], run, begunAt, i >= choice.ready)) ++out;
    return out;
}

dispatch::asio::awaitable<AnswerResult> HybridRouter::exactly(dispatch::PoolCall call, const dispatch::RequestRun& run) {
    const std::string endpoint = std::get<dispatch::ExecuteEndpoint>(call.instruction).binding.endpointId();
    const auto found = std::find_if(m_members.begin(), m_members.end(), [&](const PoolMember& one) { return one.id == endpoint; });
    if (found == m_members.end())
        co_return tl::unexpected(dispatch::compositionFailure("out_of_scope", "The pool has no endpoint " + endpoint));
    if (run.pool != nullptr) {
        run.pool->emplace();
        (*run.pool)->poolId = m_grant.poolId;
        (*run.pool)->router = "hybrid";
        (*run.pool)->drawn = endpoint;
        (*run.pool)->affinity = "none";
    }
    dispatch::RequestRun below = run;
    below.pool = nullptr;
    auto executing = backendOf(static_cast<std::size_t>(found - m_members.begin())).execute(std::move(call), below);
    AnswerResult answer = co_await std::move(executing);
    co_return answer;
}

dispatch::PoolView HybridRouter::view(Steady now) const {
    dispatch::PoolView out = m_local.router()->view(now);
    out.router = "hybrid";
    out.requests = m_requests.load(std::memory_order_relaxed);
    return out;
}

dispatch::PoolForecast HybridRouter::forecast(const dispatch::PoolQuestion& question, Steady now) const {
    dispatch::PoolForecast out = m_local.router()->forecast(question, now);
    out.choice.router = "hybrid";
    return out;
}

Finding unusable(const PoolSpec& spec, const Error& error) {
    Finding out;
    out.code = "composition_unusable";
    out.pointer = spec.parametersPath + ".hybrid_composition";
    out.message = error.message;
    out.hint = error.hint;
    return out;
}

}  // namespace

PoolResult makeHybridPool(const PoolSpec& spec, const RouterContext& context) {
    const auto parameters = readFixedParameters(spec);
    if (!parameters) return tl::unexpected(parameters.error());
    auto shared = makeFixedPool(spec, context);
    if (!shared) return shared;
    auto local = dispatch::LocalBackend::make(*shared, spec.model);
    if (!local) return tl::unexpected(Findings{unusable(spec, local.error())});
    auto cloud = dispatch::FixedCloudBackend::make(*shared, spec.model);
    if (!cloud) return tl::unexpected(Findings{unusable(spec, cloud.error())});
    return std::make_shared<HybridRouter>(spec.model, *parameters, context, std::move(*local), std::move(*cloud));
}

}  // namespace signalbox::strategy
