// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/try_request.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

namespace signalbox::ui {

/// One request that the operator sends through the running gateway: it runs on a worker and comes back as batched
/// signals, at most ten times a second. Destroying it breaks the request off and drops what still comes.
class TryRun : public QObject {
    Q_OBJECT
public:
    explicit TryRun(engine::TryRequest request, QObject* parent = nullptr);
    ~TryRun() override;

    /// Breaks off down to the socket; `ended` follows.
    void cancel();

Q_SIGNALS:
    void headCame(const signalbox::engine::TryHead& head);
    /// What came since the last one.
    void textCame(const QString& text);
    void ended(const signalbox::engine::TryEnd& end);

private:
    struct Shared;
    void take();

    std::shared_ptr<Shared> m_shared;
    QTimer m_timer;
};

}  // namespace signalbox::ui
