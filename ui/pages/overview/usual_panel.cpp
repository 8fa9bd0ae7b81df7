// SPDX-License-Identifier: MIT
#include "ui/pages/overview/usual_panel.h"

#include "ui/pages/overview/usual_figure.h"
#include "ui/pages/overview/usual_sheet.h"
#include "ui/theme/format.h"
#include "ui/widgets/figure_row.h"

#include <QVBoxLayout>

namespace signalbox::ui {

using namespace std::chrono_literals;

UsualPanel::UsualPanel(const PageContext& context, QWidget* parent) : QWidget(parent), m_context(context) {
    QList<QWidget*> figures;
    for (std::size_t i = 0; i < kUsualTopics.size(); ++i) {
        m_figures[i] = new UsualFigure(kUsualTopics[i]);
        connect(m_figures[i], &UsualFigure::opened, this, [this, topic = kUsualTopics[i]] { inspect(topic); });
        figures << m_figures[i];
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new FigureRow(figures));
    m_again.setSingleShot(true);
    m_again.setInterval(20s);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible()) ask();
    });
    connect(context.view, &ViewState::rangeChanged, this, [this] {
        m_stale = true;
        // A live range moves by itself; whoever chose another one wants to see it now.
        const bool onlyMoved = m_context.view->isLive() && m_context.view->span() == m_askedSpan;
        if (isVisible() && !(onlyMoved && m_again.isActive())) ask();
    });
    connect(context.bridge, &Bridge::ownDecisionsArrived, this, [this] {
        m_stale = true;
        if (isVisible() && !m_again.isActive()) ask();
    });
}

void UsualPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) ask();
}

void UsualPanel::ask() {
    m_stale = false;
    m_again.start();
    m_askedSpan = m_context.view->span();
    m_ticket = m_context.bridge->ask<evidence::UsualReport>(
        [range = m_context.view->range()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.usual(range, cancel); },
        [this](Result<evidence::UsualReport> report) { take(std::move(report)); });
}

void UsualPanel::take(Result<evidence::UsualReport> report) {
    const QString why = report ? QString() : format::text(report.error().message);
    m_stale = m_stale || !report;  // asked again with the next tick
    m_report = report ? std::optional(std::move(*report)) : std::nullopt;
    for (UsualFigure* figure : m_figures) {
        if (m_report) figure->set(usualText(figure->topic(), *m_report));
        else figure->set({format::none(), why, Tone::idle, {}, {}, {}});
    }
    if (m_sheet && m_report) m_sheet->show(*m_report);
    else if (m_sheet) m_sheet->showFailure(why);
    Q_EMIT reported();
}

void UsualPanel::inspect(UsualTopic topic) {
    if (!m_report) return;
    const auto showEndpoint = [context = m_context](const QString& endpointId) {
        if (!context.bridge->looksElsewhere()) return context.go(QStringLiteral("endpoints"), {{QStringLiteral("endpoint"), endpointId}});
        // Its endpoint of that name, if it has one, is another server than the one that these figures are of.
        context.say(tr("Endpoints shows those of %1 now. Look at this console's own gateway to see %2 there.").arg(format::text(context.bridge->status().name), endpointId));
    };
    m_sheet = makeUsualSheet(topic, *m_report, [go = m_context.go](const QVariantMap& filter) { go(QStringLiteral("history"), filter); }, showEndpoint);
    m_context.inspect(m_sheet, usualName(topic));
}

}  // namespace signalbox::ui
