// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/greedy_pool.h"

#include <algorithm>

namespace signalbox::strategy {

using evidence::RecordedPool;

RecordedPool GreedyRouter::boundRecord(const std::string& endpointId, const LocalServer::Judgement* judgement) const {
    RecordedPool out;
    out.poolId = m_grant.poolId;
    out.router = "greedy";
    out.drawn = endpointId;
    out.affinity = "none";
    out.candidatesTotal = 1;
    evidence::RecordedPoolCandidate only;
    only.endpointId = endpointId;
    only.share = 1;
    if (judgement != nullptr) {
        out.admission = toString(judgement->reason);
        if (!judgement->admitted) only.excluded = out.admission;
        if (judgement->ttftS) out.predictedTtftMs = *judgement->ttftS * 1000;
        if (judgement->tpotS) out.predictedTpotMs = *judgement->tpotS * 1000;
    }
    out.candidates.push_back(std::move(only));
    return out;
}

dispatch::PoolView GreedyRouter::view(Steady now) const {
    const dispatch::PoolForecast usual = forecast({}, now);
    dispatch::PoolView out;
    out.id = m_grant.poolId;
    out.aliases = m_aliases;
    out.router = "greedy";
    out.requests = m_requests.load(std::memory_order_relaxed);
    dispatch::PoolView cloud;
    if (m_cloud) cloud = m_cloud->router()->view(now);
    for (const config::Route& route : m_routes) out.members.push_back(memberView(route.endpointId(), usual.choice, cloud, now));
    out.mix = std::move(cloud.mix);
    out.hedge = std::move(cloud.hedge);
    out.local = localView(now);
    return out;
}

dispatch::PoolMemberView GreedyRouter::memberView(const std::string& id, const RecordedPool& usual,
                                                  const dispatch::PoolView& cloud, Steady now) const {
    dispatch::PoolMemberView out;
    const auto server = std::find_if(m_servers.begin(), m_servers.end(), [&](const auto& one) { return one->member().id == id; });
    if (server == m_servers.end()) {
        const auto there = std::find_if(cloud.members.begin(), cloud.members.end(), [&](const auto& one) { return one.endpointId == id; });
        if (there != cloud.members.end()) out = *there;
    } else {
        out = viewOf((*server)->member());
        const capacity::MeanTtft mean = (*server)->member().member.endpoint.profile()->mean(now);
        if (mean.samples > 0) out.meanTtftMs = mean.seconds() * 1000;
        out.ttftBasis = mean.basis == capacity::ProfileBasis::recent  ? "recent"
                        : mean.basis == capacity::ProfileBasis::prior ? "prior"
                                                                      : "none";
        out.ttftSamples = mean.samples;
    }
    const auto weighed = std::find_if(usual.candidates.begin(), usual.candidates.end(), [&](const auto& one) { return one.endpointId == id; });
    if (weighed != usual.candidates.end()) {
        out.share = weighed->share;
        out.excluded = weighed->excluded;
    }
    return out;
}

dispatch::LocalLoadView GreedyRouter::localView(Steady now) const {
    dispatch::LocalLoadView out;
    for (const auto& server : m_servers) {
        const LocalServer::State state = server->state(now);
        out.runningRequests += state.load.runningRequests;
        out.reservedTokens += state.load.reservedTokens;
        out.maxRunningRequests += m_parameters.profile.maxRunningRequests;
        out.maxReservedTokens += m_parameters.profile.maxReservedTokens;
        out.usesEngineMetrics = out.usesEngineMetrics || state.usesEngineMetrics;
    }
    out.admitted = m_admitted.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < m_refused.size(); ++i)
        if (const std::uint64_t times = m_refused[i].load(std::memory_order_relaxed); times > 0)
            out.refusedBy.emplace_back(toString(static_cast<admission::Reason>(i)), times);
    return out;
}

dispatch::PoolForecast GreedyRouter::forecast(const dispatch::PoolQuestion& question, Steady now) const {
    const admission::Request request = requestOf(question.promptTokens, question.maxTokens, now);
    const LocalChoice choice = chooseLocal(m_servers, request, now,
                                           [&](const PoolMember& member) { return exclusionOf(member, question.needs); });
    RecordedPool own = recordOf(choice, m_servers, m_grant.poolId, now);
    if (!m_cloud) return {std::move(own), std::nullopt};
    dispatch::PoolForecast below = m_cloud->router()->forecast(question, now);
    if (!own.drawn.empty()) below.hedge.reset();
    return {withCloudPart(std::move(own), below.choice), std::move(below.hedge)};
}

}  // namespace signalbox::strategy
