// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace signalbox::upstream {

namespace asio = boost::asio;

/// The four separate limits of a call (F19), and the budget of the request that it belongs to (F44).
enum class Limit : std::uint8_t { connect, firstByte, streamIdle, total, requestBudget };
/// `timeout_connect`, `timeout_first_byte`, `timeout_stream_idle`, `timeout_total`, `request_budget`
[[nodiscard]] std::string_view timeoutCode(Limit limit);

/// One timer for a whole call. Moving the deadline further costs nothing: the timer fires at its old time, sees the
/// new one and sleeps on. Belongs to one thread.
class Deadline {
public:
    /// No limit armed later lasts beyond `total`, nor beyond the request's budget. Where both end at the same moment the
    /// call's own limit is the one that fired.
    Deadline(const asio::any_io_executor& executor, Steady total, Steady budget = Steady::max());
    ~Deadline();
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;

    /// What to break off when a limit fires: the operation that is waiting.
    void onExpiry(std::function<void()> action);
    void arm(Steady at, Limit limit);
    /// Nothing is being waited for, so nothing can be late.
    void pause();
    /// The limit that fired; stays set.
    [[nodiscard]] std::optional<Limit> fired() const;

private:
    struct State;
    std::shared_ptr<State> m_state;
};

}  // namespace signalbox::upstream
