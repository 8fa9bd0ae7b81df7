// SPDX-License-Identifier: MIT
#include "ui/bridge/lone_worker.h"

#include <QCoreApplication>
#include <QMetaObject>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace signalbox::ui {

/// Of the worker and its thread; the thread may be the last to have it.
struct LoneWorker::Queue {
    std::mutex mutex;
    std::condition_variable rested;
    std::deque<Job> jobs;
    std::size_t unanswered = 0;
    bool hasThread = false;
    bool dropped = false;
};

LoneWorker::LoneWorker(QObject* parent) : QObject(parent), m_queue(std::make_shared<Queue>()) {}

LoneWorker::~LoneWorker() {
    const std::lock_guard lock(m_queue->mutex);
    m_queue->dropped = true;
    m_queue->jobs.clear();
}

bool LoneWorker::isBusy() const {
    const std::lock_guard lock(m_queue->mutex);
    return m_queue->unanswered > 0;
}

void LoneWorker::finish() {
    std::unique_lock lock(m_queue->mutex);
    m_queue->unanswered -= m_queue->jobs.size();
    m_queue->jobs.clear();
    m_queue->rested.wait(lock, [this] { return !m_queue->hasThread; });
}

// The application object is there as long as nobody dropped the worker, so an answer is posted with the queue locked.
void LoneWorker::workOff(const std::shared_ptr<Queue>& queue) {
    std::unique_lock lock(queue->mutex);
    while (!queue->jobs.empty()) {
        Job job = std::move(queue->jobs.front());
        queue->jobs.pop_front();
        lock.unlock();
        Answer answer = job();
        job = nullptr;
        lock.lock();
        --queue->unanswered;
        if (!queue->dropped) QMetaObject::invokeMethod(qApp, std::move(answer), Qt::QueuedConnection);
    }
    queue->hasThread = false;
    queue->rested.notify_all();
}

void LoneWorker::start(Job job) {
    const std::lock_guard lock(m_queue->mutex);
    m_queue->jobs.push_back(std::move(job));
    ++m_queue->unanswered;
    if (std::exchange(m_queue->hasThread, true)) return;
    std::thread([queue = m_queue] { workOff(queue); }).detach();
}

}  // namespace signalbox::ui
