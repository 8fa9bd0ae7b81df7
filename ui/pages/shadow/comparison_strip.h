// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/shadow/shadow_answer.h"

#include <QWidget>

namespace signalbox::ui {

class Figure;

/// What was chosen beside what was recommended: estimated cost and time of one request, and what the real calls of the
/// same endpoints measured.
class ComparisonStrip : public QWidget {
    Q_OBJECT
public:
    explicit ComparisonStrip(QWidget* parent = nullptr);
    void set(const SideOfComparison& chosen, const SideOfComparison& recommended);

private:
    Figure* m_cost;
    Figure* m_measuredCost;
    Figure* m_latency;
    Figure* m_measuredLatency;
};

}  // namespace signalbox::ui
