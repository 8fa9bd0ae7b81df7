// SPDX-License-Identifier: MIT
#include "ui/bridge/live_requests.h"

#include "ui/bridge/async.h"

namespace signalbox::ui {

static constexpr std::chrono::milliseconds kAskEvery{1000};

LiveRequests::LiveRequests(std::shared_ptr<engine::Target> target, QObject* parent) : QObject(parent), m_target(std::move(target)) {
    m_timer.setInterval(kAskEvery);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (m_followed.expired()) m_timer.stop();
        else read();
    });
}

LiveRequests::~LiveRequests() = default;

void LiveRequests::lookAt(std::shared_ptr<engine::Target> target) {
    m_target = std::move(target);
    m_state = {};
    ++m_looks;
    m_reading = false;
    if (!m_followed.expired()) read();
    Q_EMIT changed();
}

// Everybody who follows shares one token, which is gone when the last of them lets go.
LiveRequests::Interest LiveRequests::follow() {
    auto interest = m_followed.lock();
    if (!interest) {
        interest = std::make_shared<const char>();
        m_followed = interest;
    }
    m_timer.start();
    read();
    return interest;
}

static engine::RequestsUnderWay readRequests(const engine::Target& target) {
    const auto state = target.status().state;
    if (state == engine::GatewayState::running || state == engine::GatewayState::draining) return target.requests();
    return {{}, 0, engine::RequestsUnderWay::Told::told};
}

// One question at a time: behind a slow answer none piles up, the next second asks again.
void LiveRequests::read() {
    if (std::exchange(m_reading, true)) return;
    runWaiting(
        this, [target = m_target] { return readRequests(*target); },
        [this, look = m_looks](engine::RequestsUnderWay state) {
            if (look != m_looks) return;
            m_reading = false;
            m_state = std::move(state);
            Q_EMIT changed();
        });
}

}  // namespace signalbox::ui
