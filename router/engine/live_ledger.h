// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

namespace signalbox::engine {

/// Counts the decisions of a gateway elsewhere that its stream could not bring, because the stream was broken: from how
/// many the gateway says it has decided and how many came. One thread.
class LiveLedger {
public:
    /// To be told right before the stream is opened. How many were missed since it broke; of a gateway that has started
    /// anew meanwhile, those since its start, for nobody knows the rest.
    [[nodiscard]] std::uint64_t opens(const TargetStatus& status) {
        const bool sameRun = m_opened && m_startedAt == status.startedAt;
        const std::uint64_t known = sameRun ? m_decided + m_came : 0;
        const std::uint64_t missed = m_opened && status.decided > known ? status.decided - known : 0;
        m_opened = true;
        m_startedAt = status.startedAt;
        m_decided = status.decided;
        m_came = 0;
        return missed;
    }
    /// The gateway counts what was decided: not a name that resolved to nothing.
    void came(const evidence::DecisionRecord& record) { m_came += record.resolvedBy.empty() ? 0 : 1; }
    void skipped(std::uint64_t count) { m_came += count; }

private:
    bool m_opened = false;
    Timestamp m_startedAt{};
    std::uint64_t m_decided = 0, m_came = 0;
};

}  // namespace signalbox::engine
