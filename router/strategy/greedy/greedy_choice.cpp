// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/greedy_choice.h"

#include "router/strategy/attempt.h"
#include "router/strategy/greedy/greedy_record.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy {
namespace {

std::optional<double> inMs(const std::optional<double>& seconds) {
    return seconds ? std::optional(*seconds * 1000) : std::nullopt;
}

}  // namespace

LocalChoice chooseLocal(const LocalServers& servers, const admission::Request& request, Steady now,
                        const std::function<std::string(const PoolMember&)>& exclusion) {
    LocalChoice out;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        const PoolMember& member = servers[i]->member();
        LocalChoice::One one;
        one.server = i;
        one.excluded = exclusion(member);
        if (one.excluded.empty() && member.member.endpoint.circuit()->isDrained()) one.excluded = kEndpointDrained;
        one.isResting = one.excluded.empty() && member.member.endpoint.circuit()->isCooling(now);
        if (one.isResting) one.excluded = kCircuitOpen;
        if (one.excluded.empty()) {
            one.judgement = servers[i]->ask(request, now);
            if (one.judgement->admitted) out.order.push_back(i);
            else one.excluded = toString(one.judgement->reason);
        }
        out.all.push_back(std::move(one));
    }
    std::stable_sort(out.order.begin(), out.order.end(), [&](std::size_t a, std::size_t b) {
        return out.all[a].judgement->ttftS < out.all[b].judgement->ttftS;
    });
    return out;
}

evidence::RecordedPool recordOf(const LocalChoice& choice, const LocalServers& servers, const std::string& poolId,
                                Steady now) {
    evidence::RecordedPool out;
    out.poolId = poolId;
    out.router = "greedy";
    out.affinity = "none";
    out.candidatesTotal = static_cast<std::uint32_t>(servers.size());
    const LocalChoice::One* speaks = nullptr;
    for (const LocalChoice::One& one : choice.all)
        if (one.judgement && speaks == nullptr) speaks = &one;
    if (!choice.order.empty()) {
        speaks = &choice.all[choice.order.front()];
        out.drawn = servers[speaks->server]->member().id;
    }
    for (const LocalChoice::One& one : choice.all) {
        evidence::RecordedPoolCandidate candidate;
        candidate.endpointId = servers[one.server]->member().id;
        candidate.excluded = one.excluded;
        const capacity::MeanTtft mean = servers[one.server]->member().member.endpoint.profile()->mean(now);
        if (mean.samples > 0) candidate.meanTtftMs = mean.seconds() * 1000;
        candidate.share = !out.drawn.empty() && candidate.endpointId == out.drawn ? 1 : 0;
        out.candidates.push_back(std::move(candidate));
    }
    keepMostCandidates(out);
    if (speaks != nullptr) {
        out.admission = toString(speaks->judgement->reason);
        out.predictedTtftMs = inMs(speaks->judgement->ttftS);
        out.predictedTpotMs = inMs(speaks->judgement->tpotS);
    }
    return out;
}

LocalAttempt::LocalAttempt(LocalServer::Judgement admitted, std::shared_ptr<capacity::OutputPredictor> predictor,
                           std::string model, std::uint64_t promptTokens, const Clock& clock)
    : m_admitted(std::move(admitted)), m_predictor(std::move(predictor)), m_model(std::move(model)),
      m_promptTokens(promptTokens), m_clock(clock) {}

dispatch::RequestRun LocalAttempt::watched(std::shared_ptr<LocalAttempt> attempt, const dispatch::RequestRun& run) {
    dispatch::RequestRun out = run;
    out.makeRequest = [attempt = std::move(attempt), make = run.makeRequest](const policy::RouteTarget& target) {
        dispatch::UpstreamRequest request = make(target);
        if (!request.stream) {
            const std::chrono::duration<double> ttft(attempt->m_admitted.ttftS.value_or(0));
            attempt->m_admitted.hold.expectContent(attempt->m_clock.steady() + std::chrono::round<Steady::duration>(ttft));
        }
        return request;
    };
    return out;
}

void LocalAttempt::firstContent(double) { m_admitted.hold.contentSeen(m_clock.steady()); }

void LocalAttempt::served(const dispatch::Usage& usage) {
    if (usage.outputTokens) m_predictor->update(m_model, m_promptTokens, static_cast<std::int64_t>(*usage.outputTokens));
    m_admitted.hold.release();
}

void LocalAttempt::failed() { m_admitted.hold.release(); }

}  // namespace signalbox::strategy
