// SPDX-License-Identifier: MIT
#include "ui/pages/overview/traffic_panel.h"

#include "ui/bridge/event_question.h"
#include "ui/bridge/status_words.h"
#include "ui/charts/time_chart.h"
#include "ui/theme/format.h"

#include <QVBoxLayout>

namespace signalbox::ui {

using namespace std::chrono_literals;

TrafficPanel::TrafficPanel(const PageContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_chart(new TimeChart(tr("When did who serve how much?"))) {
    m_chart->setObjectName(QStringLiteral("trafficChart"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_chart);
    connectChart();
    m_settle.setSingleShot(true);
    m_settle.setInterval(5s);
    connect(&m_settle, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible()) ask();
    });
    const auto follow = [this] {
        m_stale = true;
        if (isVisible() && !m_settle.isActive()) m_settle.start();
    };
    connect(context.bridge, &Bridge::ownDecisionsArrived, this, follow);
    connect(context.view, &ViewState::rangeChanged, this, [this, follow] {
        if (m_context.view->isLive()) return follow();
        m_stale = true;
        if (isVisible()) ask();
    });
}

void TrafficPanel::connectChart() {
    connect(m_chart, &TimeChart::rangeChosen, m_context.view, &ViewState::setRange);
    connect(m_chart, &TimeChart::pointChosen, this, [this](const evidence::TimeRange& range, int) {
        const auto micros = [](Timestamp at) { return QVariant::fromValue<qlonglong>(at.time_since_epoch().count()); };
        m_context.go(QStringLiteral("history"), {{QStringLiteral("from"), micros(range.from)}, {QStringLiteral("to"), micros(range.to)}});
    });
    connect(m_chart, &TimeChart::lineChosen, this, [this](int line) {
        const auto& chosen = m_chart->series().lines[static_cast<std::size_t>(line)];
        if (chosen.kind == TimeSeries::Kind::entity) m_context.go(QStringLiteral("history"), {{QStringLiteral("preset"), chosen.entity}});
    });
    connect(m_chart, &TimeChart::said, this, [this](const QString& text) { m_context.say(text); });
    connect(m_chart, &TimeChart::failed, this, [this](const Error& error) { m_context.complain(error); });
}

void TrafficPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // Once this size is known, so that the chart asks for as many points as it can show.
    if (m_stale) QTimer::singleShot(0, this, &TrafficPanel::ask);
}

void TrafficPanel::ask() {
    m_stale = false;
    m_chart->setLoading();
    evidence::HistoryFilter filter;
    filter.range = m_context.view->range();
    m_ticket = m_context.bridge->ask<evidence::PresetSeries>(
        [filter, points = m_chart->usefulPoints()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            return reader.presetsOverTime(filter, points, cancel);
        },
        [this](const Result<evidence::PresetSeries>& series) { take(series); });
    m_eventsTicket = askEvents(*m_context.bridge, filter.range, [this](auto events) { m_chart->setEvents(std::move(events)); });
}

void TrafficPanel::take(const Result<evidence::PresetSeries>& series) {
    if (!series) {
        m_stale = true;
        m_settle.start();
        const StatusWords words = evidenceWords(m_context.bridge->ownStatus().evidence);
        return m_chart->setMessage(tr("Traffic cannot be read right now"), format::sentence(series.error().message) + QStringLiteral(". ") + words.explanation);
    }
    if (series->total == 0) m_chart->setMessage(tr("No request in this range"), tr("Each request that the gateway decides is counted here. Send one from the gateway page, or widen the range."));
    else m_chart->setSeries(toTimeSeries(*series));
}

}  // namespace signalbox::ui
