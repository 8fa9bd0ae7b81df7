// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/greedy_record.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace signalbox::strategy {

using evidence::RecordedPool;
using evidence::RecordedPoolCandidate;

void keepMostCandidates(RecordedPool& pool) {
    auto& all = pool.candidates;
    while (all.size() > RecordedPool::kMostCandidates) {
        auto last = std::prev(all.end());
        if (last->endpointId == pool.drawn) --last;
        all.erase(last);
    }
}

RecordedPool withCloudPart(RecordedPool own, const RecordedPool& cloud) {
    RecordedPool out = cloud;
    out.poolId = own.poolId;
    out.router = own.router;
    out.admission = own.admission;
    out.predictedTtftMs = own.predictedTtftMs;
    out.predictedTpotMs = own.predictedTpotMs;
    if (!own.drawn.empty()) {
        // The cloud's shares are of the requests that it gets; this one was to be served here.
        out.drawn = own.drawn;
        for (RecordedPoolCandidate& candidate : out.candidates) candidate.share = 0;
    }
    // An endpoint that the caller bound is named by both.
    const auto twice = static_cast<std::uint32_t>(std::erase_if(own.candidates, [&](const RecordedPoolCandidate& one) {
        return std::any_of(cloud.candidates.begin(), cloud.candidates.end(),
                           [&](const RecordedPoolCandidate& other) { return other.endpointId == one.endpointId; });
    }));
    out.candidatesTotal = own.candidatesTotal - twice + cloud.candidatesTotal;
    out.candidates.insert(out.candidates.begin(), own.candidates.begin(), own.candidates.end());
    keepMostCandidates(out);
    return out;
}

namespace {

RecordedPool undrawn(RecordedPool own) {
    own.drawn.clear();
    for (RecordedPoolCandidate& candidate : own.candidates) candidate.share = 0;
    return own;
}

}  // namespace

GreedyRecord::GreedyRecord(const dispatch::RequestRun& run, RecordedPool own)
    : m_pool(run.pool), m_attempts(run.attempts), m_begunAt(run.attempts->size()) {
    judged(std::move(own));
}

void GreedyRecord::judged(RecordedPool own) {
    m_own = std::move(own);
    if (m_pool != nullptr && !m_cloudFrom) *m_pool = m_own;
}

void GreedyRecord::cloudBegins(bool first) {
    m_cloudFirst = first;
    m_cloudFrom = m_attempts->size();
    if (m_pool != nullptr) m_pool->reset();
}

GreedyRecord::~GreedyRecord() {
    if (!m_cloudFrom) return;
    if (m_pool != nullptr) {
        // A composition error: the cloud part's router never got as far as writing.
        if (!*m_pool) *m_pool = m_own;
        else *m_pool = withCloudPart(m_cloudFirst ? undrawn(std::move(m_own)) : std::move(m_own), **m_pool);
    }
    if (*m_cloudFrom == m_begunAt) return;
    for (std::size_t i = *m_cloudFrom; i < m_attempts->size(); ++i)
        if ((*m_attempts)[i].role == evidence::AttemptRole::primary) (*m_attempts)[i].role = evidence::AttemptRole::retry;
}

}  // namespace signalbox::strategy
