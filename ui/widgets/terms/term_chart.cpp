// SPDX-License-Identifier: MIT
#include "ui/widgets/terms/term_chart.h"

#include "ui/theme/theme.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/terms/term_bar.h"
#include "ui/widgets/terms/term_legend.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

TermChart::TermChart(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout), m_legend(new TermLegend), m_note(makeMuted({})) {
    setObjectName(QStringLiteral("termChart"));
    setAccessibleName(tr("Scores of the candidates by term"));
    m_rows->setSpacing(2);
    m_note->setFont(Theme::instance().smallFont());
    m_note->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_rows);
    layout->addWidget(m_legend);
    layout->addWidget(m_note);
    layout->addStretch();  // rows keep their height where there is room to spare
}

void TermChart::setDecision(TermDecision decision) {
    m_decision = std::move(decision);
    const std::size_t count = m_decision.rows.size();
    while (m_bars.size() < count) {
        auto* bar = new TermBar;
        const int row = static_cast<int>(m_bars.size());
        connect(bar, &TermBar::chosen, this, [this, row] { Q_EMIT rowChosen(row); });
        connect(bar, &TermBar::moveAsked, this, [this, row](int by) { move(row, by); });
        bar->installEventFilter(this);
        m_rows->addWidget(bar);
        m_bars.push_back(bar);
    }
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        m_bars[i]->setVisible(i < count);
        if (i < count) m_bars[i]->setRow(m_decision.rows[i], m_decision.weights);
    }
    m_legend->setWeights(m_decision.weights);
    const std::size_t missing = m_decision.total > count ? m_decision.total - count : 0;
    m_note->setText(tr("%n more candidate(s) of this group were not recorded", nullptr, static_cast<int>(missing)));
    m_note->setVisible(missing > 0);
    shareNameWidth();
    setCurrent(m_current < static_cast<int>(count) ? m_current : -1);
    setTabStop(std::max(0, m_current));
}

void TermChart::setLegendShown(bool shown) { m_legend->setVisible(shown); }

// The names give way first: a bar needs room to tell its parts.
void TermChart::shareNameWidth() {
    int wanted = 150;  // "tried first", "recommended" beside each other
    for (std::size_t i = 0; i < m_decision.rows.size(); ++i) wanted = std::max(wanted, m_bars[i]->wantedNameWidth());
    const int room = std::max(120, width() * 2 / 5);
    for (std::size_t i = 0; i < m_decision.rows.size(); ++i) m_bars[i]->setNameWidth(std::min(wanted, room));
}

void TermChart::setCurrent(int row) {
    m_current = row;
    for (std::size_t i = 0; i < m_bars.size(); ++i) m_bars[i]->setCurrent(static_cast<int>(i) == row);
}

void TermChart::move(int from, int by) {
    const int last = static_cast<int>(m_decision.rows.size()) - 1;
    if (last < 0) return;
    const int to = std::clamp(from + by, 0, last);
    m_bars[static_cast<std::size_t>(to)]->setFocus(Qt::OtherFocusReason);
}

void TermChart::setTabStop(int row) {
    for (std::size_t i = 0; i < m_bars.size(); ++i)
        m_bars[i]->setFocusPolicy(static_cast<int>(i) == row ? Qt::StrongFocus : Qt::ClickFocus);
}

bool TermChart::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn) {
        const auto it = std::find(m_bars.begin(), m_bars.end(), watched);
        if (it != m_bars.end()) setTabStop(static_cast<int>(it - m_bars.begin()));
    }
    return QWidget::eventFilter(watched, event);
}

void TermChart::resizeEvent(QResizeEvent*) { shareNameWidth(); }

}  // namespace signalbox::ui
