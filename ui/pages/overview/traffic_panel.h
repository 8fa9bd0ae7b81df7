// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"

#include <QTimer>

namespace signalbox::ui {

class TimeChart;

/// Requests over the range by preset, with what happened to the gateways meanwhile. Asks history while it is shown.
class TrafficPanel : public QWidget {
    Q_OBJECT
public:
    explicit TrafficPanel(const PageContext& context, QWidget* parent = nullptr);

    [[nodiscard]] TimeChart* chart() const { return m_chart; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void connectChart();
    void ask();
    void take(const Result<evidence::PresetSeries>& series);

    PageContext m_context;
    TimeChart* m_chart;
    TicketPtr m_ticket, m_eventsTicket;
    QTimer m_settle;  ///< decisions arrive many times a second; the chart follows at most every five
    bool m_stale = true;
};

}  // namespace signalbox::ui
