// SPDX-License-Identifier: MIT
#include "ui/bridge/fleet.h"

#include "ui/bridge/async.h"

namespace signalbox::ui {

static constexpr std::chrono::milliseconds kPoll{1000};

Fleet::Fleet(std::shared_ptr<engine::Target> target, QObject* parent) : QObject(parent), m_target(std::move(target)) {
    m_timer.setInterval(kPoll);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_followed.expired()) m_timer.stop();
        else read();
    });
}

Fleet::~Fleet() = default;

void Fleet::lookAt(std::shared_ptr<engine::Target> target) {
    m_target = std::move(target);
    m_state = {};
    ++m_looks;
    dropForecast();
    m_reading = m_again = false;
    if (!m_followed.expired()) read();
    Q_EMIT changed();
}

// Everybody who follows shares one token, which is gone when the last of them lets go.
Fleet::Interest Fleet::follow() {
    auto interest = m_followed.lock();
    if (!interest) {
        interest = std::make_shared<const char>();
        m_followed = interest;
    }
    m_timer.start();
    read();
    return interest;
}

static FleetState readState(const engine::Target& target) {
    FleetState now;
    now.readSteady = SystemClock().steady();
    const auto state = target.status().state;
    const bool runs = state == engine::GatewayState::running || state == engine::GatewayState::draining;
    const engine::KnownLists known = target.knownLists();
    now.endpointsTold = runs && known.endpoints;
    now.poolsTold = runs && known.pools;
    now.endpoints = target.endpoints();
    now.pools = target.pools();
    now.resources = target.resources();
    return now;
}

// One question at a time: a slow answer must not pile up others behind it.
void Fleet::read() {
    if (m_reading) {
        m_again = true;
        return;
    }
    m_reading = true;
    runWaiting(
        this, [target = m_target] { return readState(*target); },
        [this, look = m_looks](FleetState state) {
            if (look != m_looks) return;
            m_reading = false;
            m_state = std::move(state);
            if (std::exchange(m_again, false)) read();
            Q_EMIT changed();
        });
}

void Fleet::act(const std::string& endpointId, engine::EndpointAction action, std::function<void(Result<void>)> done) {
    runWaiting(
        this, [target = m_target, endpointId, action] { return target->act(endpointId, action); },
        [this, done = std::move(done)](Result<void> result) {
            read();
            done(std::move(result));
        });
}

void Fleet::forecast(const std::string& poolId, const dispatch::PoolQuestion& question, std::function<void(Result<dispatch::PoolForecast>)> done) {
    runWaiting(
        this, [target = m_target, poolId, question] { return target->forecast(poolId, question); },
        [this, job = ++m_forecastJob, done = std::move(done)](Result<dispatch::PoolForecast> answer) {
            if (job == m_forecastJob) done(std::move(answer));
        });
}

}  // namespace signalbox::ui
