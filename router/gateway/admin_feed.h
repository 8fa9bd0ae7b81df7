// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::gateway {

/// What somebody did over the admin API, wanted to do, or looks at, for a log: names and hashes, nothing else of a body.
struct AdminEntry {
    enum class Outcome : std::uint8_t {
        done,
        unchanged, ///< it was so already
        refused,
        looked     ///< a view; it changes nothing
    };
    Timestamp at{};
    std::string action;     ///< `off`, `mode`, `drain`, … `status`, `tail`; the path, where somebody was turned away before it was read
    std::string subject;    ///< endpoint, `on`, `active 25 %`, hash of the policy to apply; empty where there is none or none was read
    std::string actor;      ///< `operator`, or `operator:LABEL` as they call themselves
    std::string peer;       ///< address without port; empty when it had gone
    Outcome outcome = Outcome::done;
    std::string policyHash; ///< that runs after it; empty where it was refused or only looked at
    int status = 0;         ///< with `code` and `message`: what they were told, where it was refused
    std::string code;
    std::string message;
};

/// `done`, `unchanged`, `refused`, `looked`.
[[nodiscard]] std::string_view toString(AdminEntry::Outcome outcome);

/// From the admin API to the thread that writes a log, bounded: what does not fit is counted. Thread safe; never throws, since
/// no action may fail for want of a line.
class AdminFeed {
public:
    static constexpr std::size_t kMostWaiting = 1024;
    /// Whoever looks all the time, as a console does, is told when they begin and every `kAgain`; they begin anew after a
    /// pause of `kPause`. So many at a time are told apart.
    static constexpr std::chrono::minutes kPause{1};
    static constexpr std::chrono::hours kAgain{1};
    static constexpr std::size_t kMostLookers = 256;

    void add(AdminEntry entry) noexcept;
    /// The same for a view.
    void addLook(AdminEntry entry, Steady now) noexcept;

    struct Batch {
        std::vector<AdminEntry> entries; ///< oldest first
        std::uint64_t missed = 0;        ///< since the last `take`
    };
    [[nodiscard]] Batch take();

private:
    struct Looker {
        Steady seen{}, told{};
    };
    void put(AdminEntry entry);
    [[nodiscard]] bool isDue(const AdminEntry& entry, Steady now);

    std::mutex m_mutex;
    std::vector<AdminEntry> m_waiting;
    std::uint64_t m_missed = 0;
    std::map<std::string, Looker> m_lookers;
};

} // namespace signalbox::gateway
