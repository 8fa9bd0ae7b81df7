// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/capacity/capacity_book.h"
#include "router/capacity/endpoint.h"
#include "router/dispatch/adapter.h"
#include "router/evidence/record.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::strategy {

/// Learns from attempts at one endpoint; called on the request's thread, at most once each.
class AttemptObserver {
public:
    virtual ~AttemptObserver() = default;
    /// Milliseconds from the attempt's start.
    virtual void firstContent(double ms) = 0;
    /// The answer ended well; `usage` as the upstream counted.
    virtual void served(const dispatch::Usage& usage) = 0;
    /// It failed in a way that speaks of the endpoint, not of the request or of us.
    virtual void failed() = 0;
};

/// Writes one entry of the caller's attempt list, and tells the endpoint's circuit and outcomes: opened when the attempt
/// starts, closed exactly once, so that what is recorded and what is learned are the same.
/// Destroying it open is what a cancelled coroutine or a dropped answer does; it reads as `client_gone` and says nothing
/// about the endpoint (F45).
class AttemptRecord {
public:
    AttemptRecord(std::vector<evidence::Attempt>& attempts, const Clock& clock, Steady admittedAt,
                  std::string endpointId, evidence::AttemptRole role);
    /// Goes on with the entry of a target that was passed over before, so that no endpoint is listed twice (F62).
    AttemptRecord(std::vector<evidence::Attempt>& attempts, const Clock& clock, Steady admittedAt, std::size_t entry);
    ~AttemptRecord();
    AttemptRecord(AttemptRecord&& other) noexcept;
    AttemptRecord(const AttemptRecord&) = delete;
    AttemptRecord& operator=(const AttemptRecord&) = delete;
    AttemptRecord& operator=(AttemptRecord&&) = delete;

    /// The circuit's permission, to which the end of the attempt is reported. `lastResort`: the endpoint was cooling, and
    /// is tried because nothing else was left.
    void governBy(capacity::AttemptPermit permit, std::shared_ptr<capacity::RequestBlame> blame, bool lastResort);
    /// What the call consumes; comes back when the attempt ends, however it ends.
    void hold(capacity::Reservations reservations) { m_reservations = std::move(reservations); }
    /// Learns from this attempt. A profile learns its time to first content, and a failure, also one after the content: an
    /// endpoint that begins fast and breaks off must not look fast (F59).
    void teach(std::shared_ptr<capacity::LatencyProfile> profile) {
        if (m_profile == nullptr) m_profile = std::move(profile);
        else m_profiles.push_back(std::move(profile));
    }
    void teach(std::shared_ptr<AttemptObserver> observer) { m_observers.push_back(std::move(observer)); }
    [[nodiscard]] bool isLastResort() const { return m_lastResort; }
    [[nodiscard]] std::size_t index() const { return m_index; }

    void headSeen(const dispatch::ResponseHead& head);
    /// From its start to `headSeen`.
    [[nodiscard]] std::optional<double> headMs() const { return m_headMs; }
    void contentSeen();
    /// What the upstream has counted so far; before the end of the attempt is told.
    void counted(const dispatch::Usage& usage);
    void served();
    void failed(const dispatch::UpstreamFailure& failure);
    /// Our side gave up on it, because another leg was faster. Says nothing about the endpoint.
    void lost();

private:
    [[nodiscard]] double elapsedMs() const;
    [[nodiscard]] evidence::Attempt& entry() const { return (*m_attempts)[m_index]; }
    void close(evidence::AttemptOutcome outcome, std::string reason, bool reached = true);

    std::vector<evidence::Attempt>* m_attempts;
    const Clock* m_clock;
    Steady m_admittedAt;
    std::size_t m_index;
    bool m_open = true;
    bool m_lastResort = false;
    std::optional<capacity::AttemptPermit> m_permit;
    std::shared_ptr<capacity::RequestBlame> m_blame;
    capacity::Reservations m_reservations;
    std::shared_ptr<capacity::LatencyProfile> m_profile;  // the first of those, nearly always the only one
    std::vector<std::shared_ptr<capacity::LatencyProfile>> m_profiles;
    std::vector<std::shared_ptr<AttemptObserver>> m_observers;
    dispatch::Usage m_usage;
    std::optional<double> m_headMs;
};

/// The reason of an attempt that another leg of the same request overtook.
inline constexpr std::string_view kHedgeLost = "hedge_lost";

/// The reason of an attempt that was served by an endpoint which was cooling.
inline constexpr std::string_view kLastResort = "last_resort";

}  // namespace signalbox::strategy
