// SPDX-License-Identifier: MIT
#include "router/evidence/running_request.h"

#include "router/base/text.h"

#include <algorithm>
#include <iterator>

namespace signalbox::evidence {
namespace {

/// Clients choose it, and hundreds of them may be asked for every second.
constexpr std::size_t kMostModelBytes = 240;

/// An entry of the attempt list gets its reason, or that it served, when it ends.
bool isUnderWay(const Attempt& attempt) { return attempt.reason.empty() && attempt.outcome != AttemptOutcome::served; }

/// Whose content the client gets; before that the newest that was sent.
const Attempt* currentOf(const std::vector<Attempt>& attempts) {
    const Attempt* current = nullptr;
    for (const Attempt& attempt : attempts) {
        const bool answers = attempt.firstContentMs && (attempt.outcome == AttemptOutcome::served || isUnderWay(attempt));
        if (answers) return &attempt;
        if (isUnderWay(attempt)) current = &attempt;
    }
    return current;
}

}  // namespace

RunningRequest runningRequest(const DecisionRecord& record, Steady admittedAt) {
    RunningRequest out;
    out.id = record.id;
    out.createdAt = record.createdAt;
    out.admittedAt = admittedAt;
    out.edge = record.edge;
    out.principal = record.principal;
    out.requestedModel = elided(record.requestedModel, kMostModelBytes);
    out.stream = record.features.stream;
    out.presetKey = record.presetKey;
    out.attempts = static_cast<std::uint32_t>(record.attempts.size());
    out.firstContentMs = record.firstContentMs;
    const Attempt* const current = currentOf(record.attempts);
    if (current != nullptr) out.endpointId = current->endpointId;
    if (record.firstContentMs) out.stage = Stage::streaming;
    else if (current != nullptr) out.stage = Stage::waiting;
    return out;
}

RunningRequests oldestOf(std::vector<RunningRequests> lists, std::size_t most) {
    RunningRequests all;
    for (RunningRequests& list : lists) {
        all.rows.insert(all.rows.end(), std::make_move_iterator(list.rows.begin()), std::make_move_iterator(list.rows.end()));
        all.leftOut += list.leftOut;
    }
    std::stable_sort(all.rows.begin(), all.rows.end(), [](const auto& a, const auto& b) { return a.admittedAt < b.admittedAt; });
    if (all.rows.size() <= most) return all;
    all.leftOut += all.rows.size() - most;
    all.rows.resize(most);
    return all;
}

}  // namespace signalbox::evidence
