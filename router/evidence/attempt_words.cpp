// SPDX-License-Identifier: MIT
#include "router/evidence/attempt_words.h"

#include "router/base/text.h"

#include <algorithm>
#include <set>

namespace signalbox::evidence {
namespace {

constexpr std::size_t kMostNamed = 8;
/// A client may name a model of any length where a provider takes every name.
constexpr std::size_t kMostEndpointBytes = 120;

bool cameToNothing(const Attempt& attempt) {
    return attempt.outcome == AttemptOutcome::failed || attempt.outcome == AttemptOutcome::refused;
}

/// By when they began: one that was passed over and tried in the end keeps its place in the record.
std::vector<const Attempt*> unansweredInOrder(const std::vector<Attempt>& attempts, bool withHedges) {
    std::vector<const Attempt*> out;
    for (const Attempt& attempt : attempts)
        if (cameToNothing(attempt) && (withHedges || attempt.role != AttemptRole::hedge)) out.push_back(&attempt);
    std::stable_sort(out.begin(), out.end(), [](const Attempt* a, const Attempt* b) { return a->startedMs < b->startedMs; });
    return out;
}

}  // namespace

std::string endingOf(const Attempt& attempt) {
    if (attempt.status >= 400) return std::to_string(attempt.status);
    return attempt.reason.empty() ? std::string(toString(attempt.outcome)) : attempt.reason;
}

const Attempt* lastTried(const std::vector<Attempt>& attempts) {
    const Attempt* last = nullptr;
    for (const Attempt& attempt : attempts) {
        const bool sent = attempt.outcome != AttemptOutcome::refused;
        const bool lastSent = last != nullptr && last->outcome != AttemptOutcome::refused;
        if (last == nullptr || (sent != lastSent ? sent : attempt.startedMs >= last->startedMs)) last = &attempt;
    }
    return last;
}

const std::string& endpointConcerned(const DecisionRecord& record) {
    if (!record.endpointId.empty()) return record.endpointId;
    const Attempt* const last = lastTried(record.attempts);
    return last == nullptr ? record.endpointId : last->endpointId;
}

std::string unansweredBy(const std::vector<Attempt>& attempts, bool withHedges) {
    const std::vector<const Attempt*> all = unansweredInOrder(attempts, withHedges);
    std::string out;
    for (std::size_t i = 0; i < std::min(all.size(), kMostNamed); ++i)
        out += (i == 0 ? "" : ", ") + elided(all[i]->endpointId, kMostEndpointBytes) + ' ' + endingOf(*all[i]);
    if (all.size() > kMostNamed) out += " and " + std::to_string(all.size() - kMostNamed) + " more";
    return out;
}

std::size_t countOfUnanswered(const std::vector<Attempt>& attempts) {
    std::set<std::string_view> endpoints;
    for (const Attempt& attempt : attempts)
        if (cameToNothing(attempt)) endpoints.insert(attempt.endpointId);
    return endpoints.size();
}

std::string servedAfter(const DecisionRecord& record) {
    return record.outcome == Outcome::served ? unansweredBy(record.attempts, false) : std::string();
}

}  // namespace signalbox::evidence
