// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/shared_state.h"

namespace signalbox::gateway {

/// One admitted request: holds its place in the in-flight counts and writes its one record.
class Admission {
public:
    Admission(ThreadState& thread, std::shared_ptr<const Serving> serving, InFlightLedger::Guard all,
              Steady admittedAt);
    Admission(const Admission&) = delete;
    Admission& operator=(const Admission&) = delete;

    [[nodiscard]] evidence::DecisionRecord& record() { return *m_record; }
    [[nodiscard]] const Serving& serving() const { return *m_serving; }
    [[nodiscard]] Steady admittedAt() const { return m_admittedAt; }
    [[nodiscard]] double elapsedMs() const;
    void hold(InFlightLedger::Guard family) { m_family = std::move(family); }
    [[nodiscard]] bool isFinished() const { return m_finished; }

    /// Appends the record, which must not be changed afterwards, and leaves the in-flight counts. Once per
    /// request, and before the last bytes go to the client.
    void finish(evidence::Outcome outcome, int status, std::string errorCode = {});

private:
    ThreadState& m_thread;
    std::shared_ptr<const Serving> m_serving;
    InFlightLedger::Guard m_all, m_family;
    Steady m_admittedAt;
    std::shared_ptr<evidence::DecisionRecord> m_record = std::make_shared<evidence::DecisionRecord>();
    bool m_finished = false;
};

} // namespace signalbox::gateway
