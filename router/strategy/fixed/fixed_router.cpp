// SPDX-License-Identifier: MIT
#include "router/strategy/fixed/fixed_router.h"

#include "router/strategy/fixed/weighted_draw.h"
#include "router/strategy/pool_attempts.h"
#include "router/strategy/pool_members.h"

#include <algorithm>
#include <atomic>

namespace signalbox::strategy {
namespace {

using dispatch::AnswerResult;
using dispatch::UpstreamFailure;
using evidence::RecordedPool;

/// Words of RecordedPool::affinity.
constexpr std::string_view kNoAffinity = "none";
constexpr std::string_view kAffinityKept = "kept";

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
    /// The members that can take a request, in the order in which they are tried.
    struct Choice {
        std::vector<std::size_t> order;
        std::vector<std::string> excluded;  ///< one for each member
        std::vector<double> shares;         ///< likewise
        std::string affinity;
    };
    Choice choose(std::vector<std::string> excluded, const std::optional<std::string>& session, double u, Steady now,
                  DrawSource& source, Random* ofThread) const;
    std::string resting(const PoolMember& member, Steady now) const;
    RecordedPool recorded(const Choice& choice) const;
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

// A draw among those that rest would send requests away only to fail; they stay in the order, behind the others.
std::string FixedRouter::resting(const PoolMember& member, Steady now) const {
    const auto& circuit = member.member.endpoint.circuit();
    if (circuit->isDrained()) return std::string(kEndpointDrained);
    return circuit->isCooling(now) ? std::string(kCircuitOpen) : std::string();
}

FixedRouter::Choice FixedRouter::choose(std::vector<std::string> excluded, const std::optional<std::string>& session,
                                        double u, Steady now, DrawSource& source, Random* ofThread) const {
    Choice out;
    out.shares.assign(m_members.size(), 0);
    std::vector<std::size_t> eligible;
    std::vector<double> weights;
    std::vector<std::string_view> ids;
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        if (!excluded[i].empty()) continue;
        eligible.push_back(i);
        ids.push_back(m_members[i].id);
        weights.push_back(m_members[i].route.weight);
        excluded[i] = resting(m_members[i], now);
    }
    const std::vector<double> shares = sharesOf(weights);
    for (std::size_t i = 0; i < eligible.size(); ++i) out.shares[eligible[i]] = shares[i];
    const bool bySession = m_affinity && session.has_value();
    for (const std::size_t at : bySession ? sessionOrder(weights, ids, *session) : drawOrder(weights, u, source, ofThread))
        out.order.push_back(eligible[at]);
    out.affinity = kNoAffinity;
    if (bySession && !out.order.empty()) {
        const std::string& why = excluded[out.order.front()];
        out.affinity = why.empty() ? std::string(kAffinityKept) : "dropped:" + why;
    }
    std::stable_partition(out.order.begin(), out.order.end(), [&](std::size_t at) { return excluded[at].empty(); });
    out.excluded = std::move(excluded);
    return out;
}

RecordedPool FixedRouter::recorded(const Choice& choice) const {
    RecordedPool out;
    out.poolId = m_grant.poolId;
    out.router = "fixed";
    out.affinity = choice.affinity;
    if (!choice.order.empty()) out.drawn = m_members[choice.order.front()].id;
    out.candidatesTotal = static_cast<std::uint32_t>(m_members.size());
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        // The drawn one keeps a place, wherever it stands.
        const bool drawn = m_members[i].id == out.drawn;
        const bool drawnIsAhead = !choice.order.empty() && choice.order.front() > i;
        if (!drawn && out.candidates.size() + (drawnIsAhead ? 1 : 0) >= RecordedPool::kMostCandidates) continue;
        evidence::RecordedPoolCandidate one;
        one.endpointId = m_members[i].id;
        one.excluded = choice.excluded[i];
        one.share = choice.shares[i];
        out.candidates.push_back(std::move(one));
    }
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
    Choice choice = choose(std::move(excluded), run.session, m_draw.next(run.random), m_clock.steady(), m_draw, run.random);
    const std::string& preferred = std::get<dispatch::DelegatePool>(call.instruction).preferredEndpoint;
    std::stable_partition(choice.order.begin(), choice.order.end(), [&](std::size_t at) {
        return m_members[at].id == preferred && choice.excluded[at].empty();
    });
    if (run.pool != nullptr) *run.pool = recorded(choice);
    if (choice.order.empty())
        co_return tl::unexpected(nothingAvailable(m_grant.poolId, "can take this request"));
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
    return {recorded(choose(std::move(excluded), question.session, question.u, now, unseeded, nullptr)), std::nullopt};
}

}  // namespace

PoolResult makeFixedPool(const PoolSpec& spec, const RouterContext& context) {
    auto parameters = readFixedParameters(spec);
    if (!parameters) return tl::unexpected(std::move(parameters.error()));
    return std::make_shared<FixedRouter>(spec.model, *parameters, context);
}

}  // namespace signalbox::strategy
