// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>

namespace signalbox::gateway {

/// Coarse deadlines for many connections of one thread with a single timer: arming is a store, and mostly
/// nothing else. A deadline fires up to two ticks late. For the owning thread only.
class DeadlineWheel {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kTick{100};

    /// Something with at most one deadline. Unlinks itself when destroyed.
    class Entry {
    public:
        Entry() = default;
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;
        virtual ~Entry();

    protected:
        virtual void onDeadline() = 0;

    private:
        friend class DeadlineWheel;
        void unlink();
        Clock::time_point m_deadline = Clock::time_point::max();
        Clock::time_point m_visit{}; ///< when the slot that holds it comes round
        Entry* m_next = nullptr;
        Entry** m_link = nullptr; ///< what points at us; null when not in the wheel
    };

    explicit DeadlineWheel(boost::asio::io_context& context);
    ~DeadlineWheel();

    void arm(Entry& entry, std::chrono::milliseconds after);
    void disarm(Entry& entry) { entry.m_deadline = Clock::time_point::max(); }

private:
    static constexpr std::size_t kSlots = 1024;
    void insert(Entry& entry);
    void startTicking();
    void waitTick();
    void tick();

    using Timer = boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>,
                                                    boost::asio::io_context::executor_type>;
    Timer m_timer;
    std::array<Entry*, kSlots> m_slots{};
    Clock::time_point m_now{};
    std::size_t m_cursor = 0; ///< slot of m_now
    bool m_ticking = false;
};

} // namespace signalbox::gateway
