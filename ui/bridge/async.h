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

/// Runs `work` on a pool thread and hands its value to `done` on the GUI thread, unless `context` died meanwhile.
template <class Work, class Done>
void runAsync(QObject* context, Work work, Done done) {
    QPointer<QObject> guard(context);
    QThreadPool::globalInstance()->start([guard, work = std::move(work), done = std::move(done)]() mutable {
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

}  // namespace signalbox::ui
