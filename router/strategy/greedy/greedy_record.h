// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/request_run.h"
#include "router/evidence/record.h"

#include <optional>

namespace signalbox::strategy {

/// Drops candidates from the end down to what a record holds, but never the drawn one.
void keepMostCandidates(evidence::RecordedPool& pool);

/// One record of both parts: the local servers, then the cloud's candidates and everything else that its router wrote.
/// `own` has drawn a local server, or nothing where the request goes to the cloud.
[[nodiscard]] evidence::RecordedPool withCloudPart(evidence::RecordedPool own, const evidence::RecordedPool& cloud);

/// Writes how a greedy router chose. The cloud part's router records its own choice in the same place; on every way out
/// of the request's routing, cancellation included, this puts the two together.
class GreedyRecord {
public:
    /// Writes `own` at once.
    GreedyRecord(const dispatch::RequestRun& run, evidence::RecordedPool own);
    ~GreedyRecord();
    GreedyRecord(const GreedyRecord&) = delete;
    GreedyRecord& operator=(const GreedyRecord&) = delete;

    /// Admission has been asked again.
    void judged(evidence::RecordedPool own);
    /// From here on the cloud part's router writes. What it then tries first is no first try if something was tried
    /// before it. `first`: the cloud was asked before any local server, and what it draws is what the pool has drawn.
    void cloudBegins(bool first);

private:
    std::optional<evidence::RecordedPool>* m_pool;
    std::vector<evidence::Attempt>* m_attempts;
    evidence::RecordedPool m_own;
    const std::size_t m_begunAt;             // of the attempt list
    std::optional<std::size_t> m_cloudFrom;  // likewise
    bool m_cloudFirst = false;
};

}  // namespace signalbox::strategy
