// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/comparison_strip.h"

#include "ui/pages/shadow/candidate_models.h"
#include "ui/theme/format.h"
#include "ui/widgets/figure.h"
#include "ui/widgets/figure_row.h"

#include <QHBoxLayout>
#include <QLocale>

#include <cmath>

namespace signalbox::ui {

ComparisonStrip::ComparisonStrip(QWidget* parent)
    : QWidget(parent), m_cost(new Figure(tr("USD per request, estimate"))), m_measuredCost(new Figure(tr("USD per call, measured"))),
      m_latency(new Figure(tr("Time of a request, estimate"))), m_measuredLatency(new Figure(tr("Time of a call, measured"))) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new FigureRow({m_cost, m_measuredCost, m_latency, m_measuredLatency}));
}

static QString change(double from, double to) {
    if (from <= 0) return {};
    const double percent = 100 * (to - from) / from;
    return (percent > 0 ? QStringLiteral("+") : percent < 0 ? QStringLiteral("−") : QString()) + QLocale().toString(std::abs(percent), 'f', 1) + QStringLiteral(" %");
}

void ComparisonStrip::set(const SideOfComparison& chosen, const SideOfComparison& recommended) {
    const QString arrow = QStringLiteral(" → ");
    if (chosen.decisions == 0) {
        for (Figure* figure : {m_cost, m_measuredCost, m_latency, m_measuredLatency}) figure->set(format::none(), tr("nothing was compared"));
        return;
    }
    m_cost->set(dollars(chosen.costUsd) + arrow + dollars(recommended.costUsd),
                tr("%1 if followed; mean of %2 decisions").arg(change(chosen.costUsd, recommended.costUsd), format::count(chosen.decisions)));
    m_latency->set(format::milliseconds(chosen.latencyMs) + arrow + format::milliseconds(recommended.latencyMs),
                   tr("%1 if followed; mean of %2 decisions").arg(change(chosen.latencyMs, recommended.latencyMs), format::count(chosen.decisions)));
    m_measuredCost->set(dollars(chosen.measuredCostUsd) + arrow + dollars(recommended.measuredCostUsd),
                        tr("means of %1 and %2 real calls").arg(format::count(chosen.costCalls), format::count(recommended.costCalls)));
    m_measuredLatency->set(format::milliseconds(chosen.measuredLatencyMs) + arrow + format::milliseconds(recommended.measuredLatencyMs),
                           tr("medians of %1 and %2 real calls").arg(format::count(chosen.timedCalls), format::count(recommended.timedCalls)));
}

}  // namespace signalbox::ui
