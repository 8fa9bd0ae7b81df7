// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/running_request.h"

#include <QWidget>

class QLabel;

namespace signalbox::ui {

class ToneLabel;

/// One request under way, as the inspector shows it. Values change in place, so that nobody loses a selection once a second.
class RunningView : public QWidget {
    Q_OBJECT
public:
    RunningView(const evidence::RunningRequest& request, Steady now, QWidget* parent = nullptr);

    [[nodiscard]] const DecisionId& id() const { return m_id; }
    /// The same request, later.
    void set(const evidence::RunningRequest& request, Steady now);
    /// It ended, and nobody told how.
    void setGone();

private:
    DecisionId m_id;
    ToneLabel* m_stage;
    QLabel* m_sentence;
    QLabel* m_age;
    QLabel* m_first;
    QLabel* m_endpoint;
    QLabel* m_attempts;
};

}  // namespace signalbox::ui
