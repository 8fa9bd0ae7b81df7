// SPDX-License-Identifier: MIT
#include "ui/bridge/async.h"

namespace signalbox::ui {

static constexpr int kMostWaiting = 64;  // an answer that streams, a gateway that drains, connections that are tested

// Ends as the application begins to: what still waits then posts its answer to an application that is there.
QThreadPool& waitingPool() {
    static QThreadPool* pool = nullptr;
    if (pool == nullptr) {
        pool = new QThreadPool;
        pool->setMaxThreadCount(kMostWaiting);
        qAddPostRoutine([] { delete std::exchange(pool, nullptr); });
    }
    return *pool;
}

}  // namespace signalbox::ui
