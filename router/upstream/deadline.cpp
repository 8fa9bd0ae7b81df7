// SPDX-License-Identifier: MIT
#include "router/upstream/deadline.h"

#include "router/dispatch/adapter.h"

#include <boost/asio/steady_timer.hpp>

namespace signalbox::upstream {

std::string_view timeoutCode(Limit limit) {
    switch (limit) {
    case Limit::connect: return "timeout_connect";
    case Limit::firstByte: return "timeout_first_byte";
    case Limit::streamIdle: return "timeout_stream_idle";
    case Limit::total: return "timeout_total";
    case Limit::requestBudget: return dispatch::kRequestBudget;
    }
    return "timeout";
}

struct Deadline::State : std::enable_shared_from_this<State> {
    State(const asio::any_io_executor& executor, Steady end, Steady ofRequest)
        : timer(executor), total(end), budget(ofRequest) {}

    void wait() {
        waiting = true;
        timer.expires_at(at);  // ends an earlier wait with operation_aborted
        timer.async_wait([self = shared_from_this()](const boost::system::error_code& ec) {
            if (!ec) self->wake();
        });
    }

    void wake() {
        waiting = false;
        if (closed || at == Steady::max()) return;
        if (std::chrono::steady_clock::now() < at) return wait();
        fired = limit;
        if (action) action();
    }

    asio::steady_timer timer;
    Steady total;
    Steady budget;
    Steady at = Steady::max();
    Limit limit = Limit::total;
    std::optional<Limit> fired;
    std::function<void()> action;
    bool waiting = false;
    bool closed = false;
};

Deadline::Deadline(const asio::any_io_executor& executor, Steady total, Steady budget)
    : m_state(std::make_shared<State>(executor, total, budget)) {}

Deadline::~Deadline() {
    m_state->closed = true;
    m_state->action = nullptr;
    m_state->timer.cancel();
}

void Deadline::onExpiry(std::function<void()> action) { m_state->action = std::move(action); }

void Deadline::arm(Steady at, Limit limit) {
    State& state = *m_state;
    state.limit = at < state.total ? limit : Limit::total;
    state.at = std::min(at, state.total);
    if (state.budget < state.at) {
        state.limit = Limit::requestBudget;
        state.at = state.budget;
    }
    if (!state.waiting || state.at < state.timer.expiry()) state.wait();
}

void Deadline::pause() { m_state->at = Steady::max(); }

std::optional<Limit> Deadline::fired() const { return m_state->fired; }

}  // namespace signalbox::upstream
