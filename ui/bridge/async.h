// SPDX-License-Identifier: MIT
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QPointer>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <utility>

namespace signalbox::ui {

/// The threads of what waits for others, a gateway or a network. The global pool has as many threads as there are cores:
/// what waits there for minutes keeps a save or a check waiting behind it. Asked for on the GUI thread only.
[[nodiscard]] QThreadPool& waitingPool();

/// Runs `work` on a thread of `pool` and hands its value to `done` on the GUI thread, unless `context` died meanwhile.
template <class Work, class Done>
void runOn(QThreadPool& pool, QObject* context, Work work, Done done) {
    QPointer<QObject> guard(context);
    pool.start([guard, work = std::move(work), done = std::move(done)]() mutable {
        auto value = std::make_shared<decltype(work())>(work());
        // The application object outlives every page; the guard is looked at on the GUI thread only.
        QMetaObject::invokeMethod(
            qApp,
            [guard, value, done = std::move(done)]() mutable {
                if (guard) done(std::move(*value));
            },
            Qt::QueuedConnection);
    });
}

/// Work of our own: files, checks, simulations.
template <class Work, class Done>
void runAsync(QObject* context, Work work, Done done) {
    runOn(*QThreadPool::globalInstance(), context, std::move(work), std::move(done));
}

/// Work that waits for a gateway, a network or a person.
template <class Work, class Done>
void runWaiting(QObject* context, Work work, Done done) {
    runOn(waitingPool(), context, std::move(work), std::move(done));
}

}  // namespace signalbox::ui
