// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/pool_request.h"

#include "router/strategy/pool_attempts.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy::routewise {

using dispatch::UpstreamFailure;
using evidence::AttemptRole;

namespace {

constexpr std::string_view kTried = "tried";
constexpr std::size_t kMostNamed = 8;

/// When the members that only time keeps away can be asked again.
std::optional<std::chrono::seconds> comesBackIn(const PoolMember& member, std::string_view excluded, Steady now) {
    if (excluded == kCircuitOpen)
        return std::max(std::chrono::ceil<std::chrono::seconds>(member.member.endpoint.circuit()->view().remaining), std::chrono::seconds(1));
    if (excluded != kQuotaExhausted) return std::nullopt;
    std::optional<std::chrono::seconds> out;
    for (const auto& resource : member.member.capacity.resources()) {
        const auto* quota = std::get_if<std::shared_ptr<capacity::Quota>>(&resource);
        const auto resets = quota == nullptr ? std::nullopt : (*quota)->resetsAt(now);
        // A member with two quotas waits for the later one; that the other still has units does no harm here.
        if (resets && *resets > now) out = std::max(out.value_or(std::chrono::seconds(0)), std::chrono::ceil<std::chrono::seconds>(*resets - now));
    }
    return out;
}

std::string whyNobody(const Pool& pool, const Choice& last) {
    std::string out = "can take this request now";
    for (std::size_t i = 0; i < std::min(last.members.size(), kMostNamed); ++i)
        out += (i == 0 ? ": " : ", ") + pool.members()[i].id + " " + last.members[i].excluded;
    return out;
}

}  // namespace

PoolRequest::PoolRequest(std::shared_ptr<const Pool> pool, dispatch::PoolCall call, const dispatch::RequestRun& run)
    : m_pool(std::move(pool)), m_call(std::move(call)), m_run(run), m_question{run.promptTokens, run.maxTokens},
      m_entries(m_pool->members().size()),
      m_verdict(m_call.allowFallback && m_pool->parameters().fallbackMode == FallbackMode::policy, run.whyNoFallback) {
    if (!m_run.blame) m_run.blame = std::make_shared<capacity::RequestBlame>();
    m_run.makeRequest = [make = run.makeRequest, streams = m_streams](const policy::RouteTarget& target) {
        dispatch::UpstreamRequest request = make(target);
        *streams = request.stream;
        return request;
    };
    for (const PoolMember& member : m_pool->members()) m_barred.push_back(exclusionOf(member, m_call.scope, m_run));
}

Choice PoolRequest::choose(double u) const { return m_pool->choose(m_question, m_barred, u, now(), m_isLastResort); }

Choice PoolRequest::chooseLastResort(const Choice& last, double u) {
    m_isLastResort = true;
    for (std::size_t i = 0; i < m_barred.size(); ++i) {
        const std::string& excluded = last.members[i].excluded;
        if (excluded == kCircuitOpen) m_barred[i].clear();
        else m_barred[i] = excluded.empty() ? std::string(kTried) : excluded;
    }
    return choose(u);
}

std::optional<ReadyAttempt> PoolRequest::admit(std::size_t member, AttemptRole role) {
    AttemptTerms terms = m_pool->terms(member, m_question, m_streams);
    terms.role = role;
    terms.anyway = m_isLastResort;
    terms.entry = std::exchange(m_entries[member], std::nullopt);
    terms.presetKey = m_call.presetKey;
    auto ready = admitAttempt(m_pool->members()[member].member, m_run, m_pool->clock(), std::move(terms));
    if (ready) return std::move(*ready);
    AttemptRefusal& refused = ready.error();
    const bool mayRest = refused.isCooling && !m_isLastResort;
    if (mayRest) m_entries[member] = refused.entry;
    m_barred[member] = mayRest ? std::string(kCircuitOpen) : refused.failure.code == kCircuitOpen ? std::string(kTried)
                                                                                                   : refused.failure.code;
    m_verdict.refused(std::move(refused.failure));
    return std::nullopt;
}

void PoolRequest::failed(std::size_t member, UpstreamFailure failure) {
    m_barred[member] = kTried;
    m_verdict.failed(std::move(failure));
}

UpstreamFailure PoolRequest::failure(const Choice& last) {
    m_verdict.nothingLeft();
    for (std::size_t i = 0; i < last.members.size(); ++i)
        if (const auto time = comesBackIn(m_pool->members()[i], last.members[i].excluded, now())) m_verdict.comesBackIn(*time);
    if (auto known = m_verdict.failure()) return std::move(*known);
    std::vector<strategy::Exclusion> exclusions;
    for (std::size_t i = 0; i < last.members.size(); ++i) exclusions.push_back({&m_pool->members()[i], last.members[i].excluded});
    if (auto cut = cutByRequest(m_pool->id(), exclusions, m_run.needs)) return std::move(*cut);
    UpstreamFailure nobody = nothingAvailable(m_pool->id(), whyNobody(*m_pool, last) + whatProvidersLack(exclusions));
    if (m_verdict.retryAfter()) nobody.retryAfter = m_verdict.retryAfter();
    return nobody;
}

}  // namespace signalbox::strategy::routewise
