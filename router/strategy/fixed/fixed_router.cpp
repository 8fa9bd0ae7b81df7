// SPDX-License-Identifier: MIT
#include "router/strategy/fixed/fixed_router.h"

#include "router/strategy/fixed/fixed_policy.h"
#include "router/strategy/pool_attempts.h"

#include <algorithm>
#include <atomic>

namespace signalbox::strategy {
namespace {

using dispatch::AnswerResult;
using dispatch::UpstreamFailure;
using evidence::RecordedPool;

class FixedRouter final : public dispatch::PoolRouter {
public:
    FixedRouter(const config::Model& model, const FixedParameters& parameters, const RouterContext& context)
        : m_aliases(model.aliases), m_grant(grantOf(model)), m_members(poolMembers(model, context)),
          m_affinity(parameters.sessionAffinity), m_draw(parameters.randomSeed), m_clock(context.clock) {}

    const dispatch::PoolGrant& grant() const override { return m_grant; }
    dispatch::asio::awaitable<AnswerResult> route(dispatch::PoolCall call, const dispatch::RequestRun& run) override;
    dispatch::PoolView view(Steady now) const override;
    dispatch::PoolForecast forecast(const dispatch::PoolQuestion& question, Steady now) const override;

private:
    RecordedPool recorded(const FixedChoice& choice) const;
    dispatch::asio::awaitable<AnswerResult> exactly(const dispatch::ExecuteEndpoint& exact, dispatch::PoolCall& call,
                                                    const dispatch::RequestRun& run);
    const PoolMember* find(std::string_view endpointId) const;

    std::vector<std::string> m_aliases;
    dispatch::PoolGrant m_grant;
    std::vector<PoolMember> m_members;
    bool m_affinity;
    DrawSource m_draw;
    std::atomic<std::uint64_t> m_requests{0};
    const Clock& m_clock;
};

const PoolMember* FixedRouter::find(std::string_view endpointId) const {
    const auto found = std::find_if(m_members.begin(), m_members.end(), [&](const PoolMember& one) { return one.id == endpointId; });
    return found == m_members.end() ? nullptr : &*found;
}

RecordedPool FixedRouter::recorded(const FixedChoice& choice) const {
    RecordedPool out = recordOf(choice, m_members, m_grant.poolId);
    out.router = "fixed";
    return out;
}

dispatch::asio::awaitable<AnswerResult> FixedRouter::route(dispatch::PoolCall call, const dispatch::RequestRun& run) {
    m_requests.fetch_add(1, std::memory_order_relaxed);
    if (const auto* exact = std::get_if<dispatch::ExecuteEndpoint>(&call.instruction)) {
        AnswerResult answer = co_await exactly(*exact, call, run);
        co_return answer;
    }
    std::vector<std::string> excluded;
    for (const PoolMember& member : m_members) excluded.push_back(exclusionOf(member, call.scope, run));
    FixedChoice choice = chooseFixed(m_members, std::move(excluded), m_affinity ? run.session : std::nullopt,
                                     m_draw.next(run.random), m_clock.steady(), m_draw, run.random);
    const std::string& preferred = std::get<dispatch::DelegatePool>(call.instruction).preferredEndpoint;
    std::stable_partition(choice.order.begin(), choice.order.end(), [&](std::size_t at) {
        return m_members[at].id == preferred && choice.excluded[at].empty();
    });
    if (run.pool != nullptr) *run.pool = recorded(choice);
    if (choice.order.empty())
        co_return tl::unexpected(nobodyCanTake(m_grant.poolId, m_members, choice.excluded, run.needs));
    std::vector<const Member*> order;
    for (const std::size_t at : choice.order) order.push_back(&m_members[at].member);
    AnswerResult answer = co_await tryInOrder(std::move(order), call, run, m_clock);
    co_return answer;
}

dispatch::asio::awaitable<AnswerResult> FixedRouter::exactly(const dispatch::ExecuteEndpoint& exact, dispatch::PoolCall& call,
                                                             const dispatch::RequestRun& run) {
    const PoolMember* member = find(exact.binding.endpointId());
    if (member == nullptr)
        co_return tl::unexpected(dispatch::compositionFailure("out_of_scope", "The pool has no such endpoint"));
    if (auto stale = checkBinding(exact.binding, member->member)) co_return tl::unexpected(std::move(*stale));
    call.allowFallback = false;
    std::vector<const Member*> order{&member->member};
    AnswerResult answer = co_await tryInOrder(std::move(order), call, run, m_clock);
    co_return answer;
}

dispatch::PoolView FixedRouter::view(Steady now) const {
    const dispatch::PoolForecast usual = forecast({}, now);
    dispatch::PoolView out;
    out.id = m_grant.poolId;
    out.aliases = m_aliases;
    out.router = "fixed";
    out.requests = m_requests.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        dispatch::PoolMemberView one = viewOf(m_members[i]);
        const auto found = std::find_if(usual.choice.candidates.begin(), usual.choice.candidates.end(),
                                        [&](const auto& candidate) { return candidate.endpointId == one.endpointId; });
        if (found != usual.choice.candidates.end()) {
            one.share = found->share;
            one.excluded = found->excluded;
        }
        const capacity::MeanTtft mean = m_members[i].member.endpoint.profile()->mean(now);
        if (mean.samples > 0) one.meanTtftMs = mean.seconds() * 1000;
        one.ttftBasis = mean.basis == capacity::ProfileBasis::recent  ? "recent"
                        : mean.basis == capacity::ProfileBasis::prior ? "prior"
                                                                      : "none";
        one.ttftSamples = mean.samples;
        out.members.push_back(std::move(one));
    }
    return out;
}

dispatch::PoolForecast FixedRouter::forecast(const dispatch::PoolQuestion& question, Steady now) const {
    std::vector<std::string> excluded;
    for (const PoolMember& member : m_members) excluded.push_back(exclusionOf(member, question.needs));
    DrawSource unseeded(std::nullopt);
    return {recorded(chooseFixed(m_members, std::move(excluded), m_affinity ? question.session : std::nullopt, question.u, now,
                                 unseeded, nullptr)),
            std::nullopt};
}

}  // namespace

PoolResult makeFixedPool(const PoolSpec& spec, const RouterContext& context) {
    auto parameters = readFixedParameters(spec);
    if (!parameters) return tl::unexpected(std::move(parameters.error()));
    return std::make_shared<FixedRouter>(spec.model, *parameters, context);
}

}  // namespace signalbox::strategy
