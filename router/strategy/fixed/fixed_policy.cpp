// SPDX-License-Identifier: MIT
#include "router/strategy/fixed/fixed_policy.h"

#include "router/strategy/attempt.h"

#include <algorithm>

namespace signalbox::strategy {

std::string restingReason(const PoolMember& member, Steady now) {
    const auto& circuit = member.member.endpoint.circuit();
    if (circuit->isDrained()) return std::string(kEndpointDrained);
    return circuit->isCooling(now) ? std::string(kCircuitOpen) : std::string();
}

FixedChoice chooseFixed(std::span<const PoolMember> members, std::vector<std::string> excluded,
                        const std::optional<std::string>& session, double u, Steady now, DrawSource& source,
                        Random* ofThread) {
    FixedChoice out;
    out.shares.assign(members.size(), 0);
    std::vector<std::size_t> eligible;
    std::vector<double> weights;
    std::vector<std::string_view> ids;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (!excluded[i].empty()) continue;
        eligible.push_back(i);
        ids.push_back(members[i].id);
        weights.push_back(members[i].route.weight);
        excluded[i] = restingReason(members[i], now);
    }
    const std::vector<double> shares = sharesOf(weights);
    for (std::size_t i = 0; i < eligible.size(); ++i) out.shares[eligible[i]] = shares[i];
    for (const std::size_t at : session ? sessionOrder(weights, ids, *session) : drawOrder(weights, u, source, ofThread))
        out.order.push_back(eligible[at]);
    out.affinity = "none";
    if (session && !out.order.empty()) {
        const std::string& why = excluded[out.order.front()];
        out.affinity = why.empty() ? "kept" : "dropped:" + why;
    }
    const auto resting = std::stable_partition(out.order.begin(), out.order.end(), [&](std::size_t at) { return excluded[at].empty(); });
    out.ready = static_cast<std::size_t>(resting - out.order.begin());
    out.excluded = std::move(excluded);
    return out;
}

evidence::RecordedPool recordOf(const FixedChoice& choice, std::span<const PoolMember> members, const std::string& poolId) {
    using evidence::RecordedPool;
    RecordedPool out;
    out.poolId = poolId;
    out.affinity = choice.affinity;
    if (!choice.order.empty()) out.drawn = members[choice.order.front()].id;
    out.candidatesTotal = static_cast<std::uint32_t>(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
        // The drawn one keeps a place, wherever it stands.
        const bool drawnIsAhead = !choice.order.empty() && choice.order.front() > i;
        if (members[i].id != out.drawn && out.candidates.size() + (drawnIsAhead ? 1 : 0) >= RecordedPool::kMostCandidates) continue;
        evidence::RecordedPoolCandidate one;
        one.endpointId = members[i].id;
        one.excluded = choice.excluded[i];
        one.share = choice.shares[i];
        out.candidates.push_back(std::move(one));
    }
    return out;
}

}  // namespace signalbox::strategy
