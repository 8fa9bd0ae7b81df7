// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/capacity/fault.h"
#include "router/config/pool_types.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::capacity {

using CircuitSettings = config::CircuitSettings;

enum class CircuitState : std::uint8_t { closed, open, halfOpen };
/// Why a circuit opened last.
enum class OpenCause : std::uint8_t { none, consecutiveFailures, availability, rateLimited, probeFailed, byHand };
[[nodiscard]] std::string_view toString(CircuitState state);
[[nodiscard]] std::string_view toString(OpenCause cause);

/// Who is cooling, why, until when (F58).
struct CircuitView {
    std::string endpointId;
    CircuitState state = CircuitState::closed;
    OpenCause cause = OpenCause::none;
    std::chrono::milliseconds remaining{0};  ///< until it may be probed
    bool probing = false;
    std::uint32_t consecutiveFailures = 0;
    std::uint32_t attempts = 0;  ///< in the window
    double availability = 1;
    std::uint64_t openedTotal = 0;
    bool drained = false;        ///< an operator keeps new attempts away
    std::uint32_t inFlight = 0;  ///< attempts on their way
};

class Permit;
class CircuitWatch;
struct CircuitChange;
using SampleId = std::uint64_t;

/// The one state machine of an endpoint (F56): closed, open for a time, half-open with a single probe.
/// Thread safe. Made by `Circuits`; permits keep it alive.
class Circuit : public std::enable_shared_from_this<Circuit> {
public:
    /// `watch` is told when it opens and when it closes; null for nobody.
    Circuit(std::string endpointId, const CircuitSettings& settings, const Clock& clock,
            std::shared_ptr<const CircuitWatch> watch = nullptr);

    [[nodiscard]] const std::string& endpointId() const { return m_endpointId; }
    /// What planning takes: true while nothing may be sent there. One relaxed load.
    [[nodiscard]] bool isCooling(Steady now) const {
        return now.time_since_epoch().count() < m_coolsUntil.load(std::memory_order_relaxed);
    }
    /// To be asked before every attempt; empty while open or while another attempt probes (F62).
    [[nodiscard]] std::optional<Permit> tryAdmit();
    /// For the last-resort plan, when every candidate is cooling (F57); empty while drained.
    [[nodiscard]] std::optional<Permit> admitAnyway();

    /// Takes a failure back that turned out to be the request's own fault. Granted once between two successes, so
    /// that endpoints that fail for everyone cannot excuse each other for ever. False when not granted.
    bool excuse(SampleId sample);

    /// For the cooling time of its settings. What was admitted before, a probe too, says nothing any more.
    void coolByHand();
    void coolByHand(std::chrono::milliseconds time);
    void closeByHand();
    /// While drained nothing new is admitted, not even as the last resort; what is in flight goes on.
    void setDrained(bool drained);
    [[nodiscard]] bool isDrained() const { return m_drained.load(std::memory_order_relaxed); }
    /// From here on; what was counted stays.
    void configure(const CircuitSettings& settings);
    [[nodiscard]] CircuitView view() const;

private:
    friend class Permit;
    enum class Admission : std::uint8_t { normal, probe, lastResort };
    struct Entry {
        SampleId id;
        bool failed;
    };

    [[nodiscard]] std::optional<SampleId> report(Admission admission, std::uint64_t epoch, Sample sample,
                                                 std::optional<std::chrono::seconds> retryAfter);
    // All below: with the lock held.
    [[nodiscard]] Permit permit(Admission admission);
    void succeed(Admission admission, std::uint64_t epoch);
    [[nodiscard]] std::optional<SampleId> failIn(Admission admission, std::uint64_t epoch);
    [[nodiscard]] SampleId limit(std::optional<std::chrono::seconds> retryAfter);
    SampleId add(bool failed);
    void open(OpenCause cause, std::chrono::milliseconds time, SampleId by);
    void close();
    void publish();
    /// Releases the lock if there is something to tell, and tells it.
    void tell(std::unique_lock<std::mutex>& lock, bool wasOpen, CircuitChange change) const noexcept;
    [[nodiscard]] OpenCause dueCause() const;
    [[nodiscard]] std::uint32_t trailingFailures() const;
    [[nodiscard]] double availability() const;

    const std::string m_endpointId;
    const Clock& m_clock;
    const std::shared_ptr<const CircuitWatch> m_watch;
    std::atomic<Steady::rep> m_coolsUntil;
    std::atomic<bool> m_drained{false};

    mutable std::mutex m_mutex;
    CircuitSettings m_settings;
    std::uint32_t m_inFlight = 0;  // permits that are out
    std::vector<Entry> m_entries;  // oldest first, at most a window
    bool m_open = false;
    bool m_probing = false;
    bool m_excused = false;  // since the last success
    Steady m_deadline{};
    OpenCause m_cause = OpenCause::none;
    SampleId m_openedBy = 0;
    SampleId m_lastId = 0;
    std::uint64_t m_epoch = 0;  // moves on when the circuit closes or is opened by hand: what was admitted before says nothing any more
    std::uint64_t m_openedTotal = 0;
    Steady m_openedAt{};             // when it opened last after having been closed
    std::uint64_t m_failedProbes = 0;  // since then
};

/// The right to make one attempt. Report how it ended; a permit that is only dropped says nothing, and sets a probe
/// free for the next attempt.
class Permit {
public:
    Permit(Permit&& other) noexcept = default;
    Permit& operator=(Permit&& other) = delete;
    ~Permit();

    void succeeded();
    /// The sample that was counted, if any; for `Circuit::excuse`.
    std::optional<SampleId> failed(const Fault& fault);
    [[nodiscard]] bool isProbe() const { return m_admission == Circuit::Admission::probe; }
    [[nodiscard]] const std::shared_ptr<Circuit>& circuit() const { return m_circuit; }

private:
    friend class Circuit;
    Permit(std::shared_ptr<Circuit> circuit, Circuit::Admission admission, std::uint64_t epoch)
        : m_circuit(std::move(circuit)), m_admission(admission), m_epoch(epoch) {}

    std::shared_ptr<Circuit> m_circuit;  // null once reported or moved from
    Circuit::Admission m_admission;
    std::uint64_t m_epoch;
};

}  // namespace signalbox::capacity
