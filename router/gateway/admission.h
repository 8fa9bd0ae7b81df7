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
    /// Who pays for what the record says that it cost; may be null.
    void charge(std::shared_ptr<capacity::PrincipalAccount> account) { m_account = std::move(account); }
    /// What was decided, for the counters; they count it when the record is written and not before.
    void decided(const policy::RoutePlan& plan);
    /// How long the upstream that answered took to its first byte.
    void upstreamAnswered(std::optional<double> firstByteMs) { m_firstByteMs = firstByteMs; }
    [[nodiscard]] bool isFinished() const { return m_finished; }

    /// Appends the record, which must not be changed afterwards, and leaves the in-flight counts. Once per
    /// request, and before the last bytes go to the client.
    void finish(evidence::Outcome outcome, int status, std::string errorCode = {});
    /// The same of a served request. Where others are under way on this thread the record is kept together with theirs: true
    /// then, and it is in the journal once the thread's `commits` have been waited for. `executor` is this thread's.
    [[nodiscard]] bool finishServed(int status, boost::asio::io_context::executor_type executor);

private:
    ThreadState& m_thread;
    std::shared_ptr<const Serving> m_serving;
    InFlightLedger::Guard m_all, m_family;
    struct Decided {
        policy::smart::ServedMode mode;
        std::string profile;
        std::string provider;
    };
    void complete(evidence::Outcome outcome, int status, std::string errorCode);
    [[nodiscard]] evidence::RecordSink* sink() const;
    void settle();
    void count() const;

    Steady m_admittedAt;
    std::optional<Decided> m_decided;
    std::shared_ptr<capacity::PrincipalAccount> m_account;
    std::shared_ptr<evidence::DecisionRecord> m_record = std::make_shared<evidence::DecisionRecord>();
    RunningList::Place m_running;
    std::optional<double> m_firstByteMs;
    bool m_finished = false;
};

} // namespace signalbox::gateway
