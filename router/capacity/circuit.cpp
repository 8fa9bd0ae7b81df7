// SPDX-License-Identifier: MIT
#include "router/capacity/circuit.h"

#include "router/capacity/circuit_watch.h"

#include <algorithm>
#include <limits>

namespace signalbox::capacity {
namespace {

constexpr Steady::rep kNever = std::numeric_limits<Steady::rep>::min();
constexpr Steady::rep kForever = std::numeric_limits<Steady::rep>::max();

}  // namespace

std::string_view toString(CircuitState state) {
    switch (state) {
    case CircuitState::closed: return "closed";
    case CircuitState::open: return "open";
    case CircuitState::halfOpen: return "half_open";
    }
    return {};
}

std::string_view toString(OpenCause cause) {
    switch (cause) {
    case OpenCause::none: return "";
    case OpenCause::consecutiveFailures: return "consecutive_failures";
    case OpenCause::availability: return "availability";
    case OpenCause::rateLimited: return "rate_limited";
    case OpenCause::probeFailed: return "probe_failed";
    case OpenCause::byHand: return "by_hand";
    }
    return {};
}

Circuit::Circuit(std::string endpointId, const CircuitSettings& settings, const Clock& clock,
                 std::shared_ptr<const CircuitWatch> watch)
    : m_endpointId(std::move(endpointId)), m_clock(clock), m_watch(std::move(watch)), m_coolsUntil(kNever),
      m_settings(settings) {
    m_entries.reserve(settings.window + 1);
}

std::optional<Permit> Circuit::tryAdmit() {
    const std::lock_guard lock(m_mutex);
    if (isDrained()) return std::nullopt;
    if (!m_open) return permit(Admission::normal);
    if (m_probing || m_clock.steady() < m_deadline) return std::nullopt;
    m_probing = true;
    publish();
    return permit(Admission::probe);
}

std::optional<Permit> Circuit::admitAnyway() {
    const std::lock_guard lock(m_mutex);
    if (isDrained()) return std::nullopt;
    return permit(m_open ? Admission::lastResort : Admission::normal);
}

Permit Circuit::permit(Admission admission) {
    ++m_inFlight;
    return Permit(shared_from_this(), admission, m_epoch);
}

std::optional<SampleId> Circuit::report(Admission admission, std::uint64_t epoch, Sample sample,
                                        std::optional<std::chrono::seconds> retryAfter) {
    std::unique_lock lock(m_mutex);
    const bool wasOpen = m_open;
    --m_inFlight;
    // Closing by hand sets a probe free, and another one may run by now.
    if (admission == Admission::probe && epoch == m_epoch) m_probing = false;
    std::optional<SampleId> counted;
    switch (sample) {
    case Sample::none: break;
    case Sample::success: succeed(admission, epoch); break;
    case Sample::failure: counted = failIn(admission, epoch); break;
    case Sample::rateLimited: counted = limit(retryAfter); break;
    }
    publish();
    tell(lock, wasOpen, {.end = CircuitChange::End::served});
    return counted;
}

// What was admitted before the circuit opened does not close it: only a probe and the last resort do, and before an operator's time
// is over not the last resort either: that the endpoint answers is not what it was opened for.
void Circuit::succeed(Admission admission, std::uint64_t epoch) {
    if (epoch != m_epoch) return;
    m_excused = false;
    const bool restsByHand = m_cause == OpenCause::byHand && m_clock.steady() < m_deadline;
    if (m_open && (admission == Admission::probe || (admission == Admission::lastResort && !restsByHand))) close();
    else add(false);
}

std::optional<SampleId> Circuit::failIn(Admission admission, std::uint64_t epoch) {
    if (epoch != m_epoch) return std::nullopt;
    const bool cooled = m_open && m_clock.steady() >= m_deadline;
    if (cooled && admission == Admission::normal) return std::nullopt;  // tells of the time before it opened
    const SampleId id = add(true);
    if (m_open) open(admission == Admission::probe ? OpenCause::probeFailed : m_cause, m_settings.coolFor, id);
    else if (const OpenCause due = dueCause(); due != OpenCause::none) open(due, m_settings.coolFor, id);
    return id;
}

SampleId Circuit::limit(std::optional<std::chrono::seconds> retryAfter) {
    const SampleId id = add(true);
    std::chrono::milliseconds time = m_settings.coolFor;
    if (retryAfter) time = std::clamp(*retryAfter, std::chrono::seconds(0), m_settings.maxRetryAfter);
    open(OpenCause::rateLimited, time, id);
    return id;
}

SampleId Circuit::add(bool failed) {
    m_entries.push_back({++m_lastId, failed});
    if (m_entries.size() > m_settings.window) m_entries.erase(m_entries.begin());
    return m_lastId;
}

// Of two deadlines the later one wins.
void Circuit::open(OpenCause cause, std::chrono::milliseconds time, SampleId by) {
    const Steady until = m_clock.steady() + time;
    if (m_open && until <= m_deadline) return;
    if (!m_open || cause == OpenCause::probeFailed) ++m_openedTotal;
    if (!m_open) {
        m_openedAt = m_clock.steady();
        m_failedProbes = 0;
    } else if (cause == OpenCause::probeFailed) {
        ++m_failedProbes;
    }
    m_open = true;
    m_deadline = until;
    m_cause = cause;
    m_openedBy = by;
}

void Circuit::close() {
    m_open = false;
    m_probing = false;
    m_cause = OpenCause::none;
    m_entries.clear();
    ++m_epoch;
}

void Circuit::publish() {
    const Steady::rep until = isDrained() ? kForever : !m_open ? kNever : m_probing ? kForever : m_deadline.time_since_epoch().count();
    m_coolsUntil.store(until, std::memory_order_relaxed);
}

void Circuit::tell(std::unique_lock<std::mutex>& lock, bool wasOpen, CircuitChange change) const noexcept {
    if (m_open == wasOpen || !m_watch) return;
    try {
        const Steady now = m_clock.steady();
        change.endpointId = m_endpointId;
        change.opened = m_open;
        change.cause = m_cause;
        if (m_open) change.coolsFor = std::chrono::ceil<std::chrono::milliseconds>(m_deadline - now);
        else change.wasOpenFor = std::chrono::ceil<std::chrono::milliseconds>(now - m_openedAt);
        if (!m_open) change.failedProbes = m_failedProbes;
    } catch (...) {  // no memory for the name
        return;
    }
    lock.unlock();
    m_watch->tell(change);
}

OpenCause Circuit::dueCause() const {
    if (trailingFailures() >= m_settings.consecutiveFailures) return OpenCause::consecutiveFailures;
    if (m_entries.size() >= m_settings.minAttempts && availability() < m_settings.minAvailability)
        return OpenCause::availability;
    return OpenCause::none;
}

std::uint32_t Circuit::trailingFailures() const {
    const auto success = std::find_if(m_entries.rbegin(), m_entries.rend(), [](const Entry& entry) { return !entry.failed; });
    return static_cast<std::uint32_t>(success - m_entries.rbegin());
}

double Circuit::availability() const {
    if (m_entries.empty()) return 1;
    const auto good = std::count_if(m_entries.begin(), m_entries.end(), [](const Entry& entry) { return !entry.failed; });
    return static_cast<double>(good) / static_cast<double>(m_entries.size());
}

bool Circuit::excuse(SampleId sample) {
    std::unique_lock lock(m_mutex);
    const bool wasOpen = m_open;
    const auto entry = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.id == sample; });
    if (m_excused || entry == m_entries.end()) return false;
    m_excused = true;
    m_entries.erase(entry);
    // A probe that proved nothing leaves the circuit as the probe found it: ready for the next one.
    if (m_open && m_cause == OpenCause::probeFailed && m_openedBy == sample) m_deadline = m_clock.steady();
    const bool openedByCounting = m_cause == OpenCause::consecutiveFailures || m_cause == OpenCause::availability;
    if (m_open && openedByCounting && dueCause() == OpenCause::none) {
        m_open = false;
        m_cause = OpenCause::none;
    }
    publish();
    tell(lock, wasOpen, {.end = CircuitChange::End::excused});
    return true;
}

void Circuit::setDrained(bool drained) {
    const std::lock_guard lock(m_mutex);
    m_drained.store(drained, std::memory_order_relaxed);
    publish();
}

void Circuit::configure(const CircuitSettings& settings) {
    const std::lock_guard lock(m_mutex);
    m_settings = settings;
    if (m_entries.size() > settings.window)
        m_entries.erase(m_entries.begin(), m_entries.end() - static_cast<std::ptrdiff_t>(settings.window));
}

void Circuit::coolByHand() {
    std::chrono::milliseconds time;
    {
        const std::lock_guard lock(m_mutex);
        time = m_settings.coolFor;
    }
    coolByHand(time);
}

void Circuit::coolByHand(std::chrono::milliseconds time) {
    std::unique_lock lock(m_mutex);
    const bool wasOpen = m_open;
    open(OpenCause::byHand, time, 0);
    // What is under way was admitted before the operator spoke, a probe too: it undoes nothing.
    m_cause = OpenCause::byHand;
    m_openedBy = 0;
    m_probing = false;
    ++m_epoch;
    publish();
    tell(lock, wasOpen, {});
}

void Circuit::closeByHand() {
    std::unique_lock lock(m_mutex);
    const bool wasOpen = m_open;
    close();
    publish();
    tell(lock, wasOpen, {.end = CircuitChange::End::byHand});
}

CircuitView Circuit::view() const {
    const std::lock_guard lock(m_mutex);
    CircuitView out;
    out.endpointId = m_endpointId;
    if (const Steady now = m_clock.steady(); m_open) {
        out.state = now < m_deadline ? CircuitState::open : CircuitState::halfOpen;
        if (now < m_deadline) out.remaining = std::chrono::ceil<std::chrono::milliseconds>(m_deadline - now);
    }
    out.cause = m_cause;
    out.probing = m_probing;
    out.consecutiveFailures = trailingFailures();
    out.attempts = static_cast<std::uint32_t>(m_entries.size());
    out.availability = availability();
    out.openedTotal = m_openedTotal;
    out.drained = isDrained();
    out.inFlight = m_inFlight;
    return out;
}

Permit::~Permit() {
    if (m_circuit) static_cast<void>(m_circuit->report(m_admission, m_epoch, Sample::none, std::nullopt));
}

void Permit::succeeded() {
    if (const auto circuit = std::move(m_circuit))
        static_cast<void>(circuit->report(m_admission, m_epoch, Sample::success, std::nullopt));
}

std::optional<SampleId> Permit::failed(const Fault& fault) {
    const auto circuit = std::move(m_circuit);
    return circuit ? circuit->report(m_admission, m_epoch, sampleOf(fault), fault.retryAfter) : std::nullopt;
}

}  // namespace signalbox::capacity
