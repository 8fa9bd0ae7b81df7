// SPDX-License-Identifier: MIT
#pragma once

#include <QSemaphore>
#include <QThreadPool>

#include <memory>

namespace signalbox::test {

/// Keeps all workers of the program busy: what is asked of them meanwhile waits, as on a slow disk, until `release`.
class HeldWorkers {
public:
    HeldWorkers() : m_count(QThreadPool::globalInstance()->maxThreadCount()) {
        const auto held = std::make_shared<QSemaphore>();
        for (int i = 0; i < m_count; ++i)
            QThreadPool::globalInstance()->start([held, go = m_go] {
                held->release();
                go->acquire();
            });
        held->acquire(m_count);
    }
    ~HeldWorkers() { release(); }
    HeldWorkers(const HeldWorkers&) = delete;
    HeldWorkers& operator=(const HeldWorkers&) = delete;

    void release() {
        m_go->release(m_count);
        m_count = 0;
    }

private:
    std::shared_ptr<QSemaphore> m_go = std::make_shared<QSemaphore>();
    int m_count;
};

}  // namespace signalbox::test
