// SPDX-License-Identifier: MIT
#include "ui/bridge/try_run.h"

#include "ui/bridge/async.h"

#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

namespace signalbox::ui {

static constexpr std::chrono::milliseconds kTryTick{100};

/// What the worker has heard and the GUI thread has not taken yet.
struct TryRun::Shared {
    engine::TryCall call;
    std::mutex mutex;
    std::optional<engine::TryHead> head;
    std::string text;
    std::optional<engine::TryEnd> end;
};

TryRun::TryRun(engine::TryRequest request, QObject* parent) : QObject(parent), m_shared(std::make_shared<Shared>()) {
    m_timer.setInterval(kTryTick);
    connect(&m_timer, &QTimer::timeout, this, &TryRun::take);
    m_timer.start();
    waitingPool().start([shared = m_shared, request = std::move(request)] {
        const engine::TryListener listener{[&](const engine::TryHead& head) {
                                               const std::scoped_lock lock(shared->mutex);
                                               shared->head = head;
                                           },
                                           [&](const std::string& text) {
                                               const std::scoped_lock lock(shared->mutex);
                                               shared->text += text;
                                           }};
        auto end = shared->call.run(request, listener);
        const std::scoped_lock lock(shared->mutex);
        shared->end = std::move(end);
    });
}

TryRun::~TryRun() { m_shared->call.cancel(); }

void TryRun::cancel() { m_shared->call.cancel(); }

void TryRun::take() {
    std::optional<engine::TryHead> head;
    std::string text;
    std::optional<engine::TryEnd> end;
    {
        const std::scoped_lock lock(m_shared->mutex);
        head = std::exchange(m_shared->head, std::nullopt);
        text = std::exchange(m_shared->text, {});
        end = std::exchange(m_shared->end, std::nullopt);
    }
    if (end) m_timer.stop();
    if (head) Q_EMIT headCame(*head);
    if (!text.empty()) Q_EMIT textCame(QString::fromStdString(text));
    if (end) Q_EMIT ended(*end);
}

}  // namespace signalbox::ui
