// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <utility>

namespace signalbox::ui {

/// One thread of its own for work that nobody can hurry or break off, as the derivation of a key is: one job after the
/// other, so that two of them never need their memory at once. Dropping it waits for nothing, the end of the program
/// included: what is under way runs out and is nobody's any more, and what has not begun never does. A job therefore owns
/// all that it touches. Lives on the GUI thread.
class LoneWorker : public QObject {
    Q_OBJECT
public:
    explicit LoneWorker(QObject* parent = nullptr);
    ~LoneWorker() override;

    /// Hands the value of `work` to `done` on the GUI thread, unless `context` or this died meanwhile.
    template <class Work, class Done>
    void run(QObject* context, Work work, Done done) {
        QPointer<QObject> guard(context);
        start([guard, work = std::move(work), done = std::move(done)]() mutable -> Answer {
            auto value = std::make_shared<decltype(work())>(work());
            return [guard, value, done = std::move(done)]() mutable {
                if (guard) done(std::move(*value));
            };
        });
    }
    /// Something that was asked for has not ended.
    [[nodiscard]] bool isBusy() const;
    /// Blocks until what is under way has ended, and begins nothing more: for a job in its last milliseconds, which the end
    /// of the program must not cut off.
    void finish();

private:
    using Answer = std::function<void()>;
    using Job = std::function<Answer()>;
    struct Queue;
    static void workOff(const std::shared_ptr<Queue>& queue);
    void start(Job job);

    std::shared_ptr<Queue> m_queue;
};

}  // namespace signalbox::ui
