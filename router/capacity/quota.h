// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/capacity/resource.h"

#include <chrono>
#include <mutex>
#include <optional>

namespace signalbox::capacity {

struct QuotaState {
    /// Whole units that can still be taken.
    std::uint64_t remaining = 0;
    /// 0..1; 1 also for a limit that is no limit at all (not positive).
    double usedFraction = 1;
    bool operator==(const QuotaState&) const = default;
};

/// `used` as last counted or read, `localIncrement` what we took since.
[[nodiscard]] QuotaState quotaState(double used, double limit, double localIncrement);

struct QuotaOptions {
    double limit = 0;
    /// How long a window lasts; empty: the quota never resets by itself.
    std::optional<std::chrono::seconds> window;
    /// Somebody else counts (the provider's own page): nothing is known before the first reading.
    bool externallyCounted = false;
};

/// What the provider says about a quota at one moment.
struct QuotaReading {
    double used = 0;
    double limit = 0;
    std::optional<Steady> resetsAt;
};

/// Units within a time window, over all routers. A unit is held while its call is on the way and stays used once the
/// call was sent. A reading replaces what we counted; calls still on their way are counted on top of it, which may
/// count one twice until the next reading but never sends one too many.
class Quota final : public Resource, public std::enable_shared_from_this<Quota> {
public:
    /// `now` starts the first window.
    Quota(std::string identity, QuotaOptions options, Steady now);

    /// nullopt before the first reading of an externally counted quota, or when fewer than `units` remain.
    [[nodiscard]] std::optional<Reservation> tryTake(Steady now, std::uint64_t units = 1);
    /// nullopt before the first reading of an externally counted quota.
    [[nodiscard]] std::optional<QuotaState> state(Steady now);
    /// When units come back by themselves; nullopt if they never do.
    [[nodiscard]] std::optional<Steady> resetsAt(Steady now);
    void applyReading(const QuotaReading& reading);
    void setLimit(double limit);
    /// Another length ends the running window that long from `now`, what was used in it stays used; the same one changes nothing.
    void setWindow(std::optional<std::chrono::seconds> window, Steady now);

private:
    void settle(std::uint64_t units, bool spent) override;
    /// Begins a new window when the old one is over; call under the lock.
    void roll(Steady now);
    [[nodiscard]] QuotaState current() const;
    void beginWindow(Steady now);

    std::mutex m_mutex;  // any thread takes units; guards what follows
    std::optional<std::chrono::seconds> m_window;
    bool m_known;
    double m_limit;
    double m_used = 0;
    std::uint64_t m_spentSince = 0;
    std::uint64_t m_held = 0;
    std::optional<Steady> m_resetsAt;
};

}  // namespace signalbox::capacity
