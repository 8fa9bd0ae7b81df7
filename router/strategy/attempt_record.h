// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/dispatch/adapter.h"
#include "router/evidence/record.h"

#include <string>
#include <vector>

namespace signalbox::strategy {

/// Writes one entry of the caller's attempt list: opened when the attempt starts, closed exactly once.
/// Destroying it open is what a cancelled coroutine or a dropped answer does, and reads as `client_gone` (F45).
class AttemptRecord {
public:
    AttemptRecord(std::vector<evidence::Attempt>& attempts, const Clock& clock, Steady admittedAt,
                  std::string endpointId, evidence::AttemptRole role);
    ~AttemptRecord();
    AttemptRecord(AttemptRecord&& other) noexcept;
    AttemptRecord(const AttemptRecord&) = delete;
    AttemptRecord& operator=(const AttemptRecord&) = delete;
    AttemptRecord& operator=(AttemptRecord&&) = delete;

    void headSeen(int status);
    void contentSeen();
    void served();
    void failed(const dispatch::UpstreamFailure& failure);

private:
    [[nodiscard]] double elapsedMs() const;
    [[nodiscard]] evidence::Attempt& entry() const { return (*m_attempts)[m_index]; }
    void close(evidence::AttemptOutcome outcome, std::string reason);

    std::vector<evidence::Attempt>* m_attempts;
    const Clock* m_clock;
    Steady m_admittedAt;
    std::size_t m_index;
    bool m_open = true;
};

}  // namespace signalbox::strategy
