// SPDX-License-Identifier: MIT
// Where each bar, cell, band and row of the page leads.
#include "ui/pages/shadow/shadow_page.h"

#include "router/policy/smart/what_if.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/heat_map/heat_chart.h"
#include "ui/charts/rate_chart.h"
#include "ui/pages/shadow/candidate_models.h"
#include "ui/pages/shadow/candidate_sheet.h"
#include "ui/pages/shadow/shadow_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/table_view.h"

namespace signalbox::ui {

void ShadowPage::connectCharts() {
    connect(m_rates, &RateChart::rangeChosen, m_context.view, &ViewState::setRange);
    connect(m_rates, &RateChart::pointChosen, this, [this](const evidence::TimeRange& range, int line) {
        QVariantMap conditions{{QStringLiteral("differs"), true},
                               {QStringLiteral("from"), static_cast<qlonglong>(range.from.time_since_epoch().count())},
                               {QStringLiteral("to"), static_cast<qlonglong>(range.to.time_since_epoch().count())}};
        if (line >= 0) {
            const auto key = m_answer.lineKeys.constFind(m_rates->series().lines[static_cast<std::size_t>(line)].entity);
            if (key != m_answer.lineKeys.constEnd()) {
                conditions.insert(QStringLiteral("group"), format::text(key->first));
                conditions.insert(QStringLiteral("profile"), format::text(key->second));
            }
        }
        goToDecisions(std::move(conditions));
    });
    connect(m_rates, &RateChart::lineChosen, this, [this](int line) {
        const auto key = m_answer.lineKeys.constFind(m_rates->series().lines[static_cast<std::size_t>(line)].entity);
        if (key != m_answer.lineKeys.constEnd()) setChoice(format::text(key->first), format::text(key->second));
    });
    connect(m_pairs, &HeatChart::cellChosen, this, &ShadowPage::goToCell);
    connect(m_terms, &BarChart::barChosen, this, [this](int bar) {
        goToDecisions({{QStringLiteral("differs"), true}, {QStringLiteral("term"), format::text(policy::smart::toString(static_cast<policy::smart::Term>(bar)))}});
    });
    connect(m_margins, &BarChart::barChosen, this, [this](int bar) { goToDecisions({{QStringLiteral("differs"), true}, {QStringLiteral("margin"), bar}}); });
    for (ChartFrame* chart : charts()) {
        connect(chart, &ChartFrame::said, this, [this](const QString& text) { m_context.say(text); });
        connect(chart, &ChartFrame::failed, this, [this](const Error& error) { m_context.complain(error); });
    }
    const auto open = [this](const CandidateFacts& facts) { m_context.go(QStringLiteral("history"), {{QStringLiteral("attempted"), format::text(facts.endpointId)}}); };
    connect(m_estimatesView, &TableView::rowOpened, this, [this, open](int row) { open(m_estimates->at(row)); });
    connect(m_failuresView, &TableView::rowOpened, this, [this, open](int row) { open(m_failures->at(row)); });
    connect(m_estimatesView, &TableView::rowSelected, this, [this](int row) {
        if (row >= 0) inspectCandidate(m_estimates->at(row));
    });
    connect(m_failuresView, &TableView::rowSelected, this, [this](int row) {
        if (row >= 0) inspectCandidate(m_failures->at(row));
    });
}

void ShadowPage::goToDecisions(QVariantMap conditions) {
    if (!m_group.isEmpty() && !conditions.contains(QStringLiteral("group"))) conditions.insert(QStringLiteral("group"), m_group);
    if (!m_profile.isEmpty() && !conditions.contains(QStringLiteral("profile"))) conditions.insert(QStringLiteral("profile"), m_profile);
    m_context.go(QStringLiteral("history"), conditions);
}

void ShadowPage::goToCell(int row, int column) {
    const HeatGrid& grid = m_answer.pairs;
    QVariantMap conditions;
    const bool restRow = grid.restRow && row == grid.rows.size() - 1, restColumn = grid.restColumn && column == grid.columns.size() - 1;
    if (!restRow) conditions.insert(QStringLiteral("selected"), grid.rows[row]);
    if (!restColumn) conditions.insert(QStringLiteral("recommended"), grid.columns[column]);
    if (!grid.isSame(row, column)) {
        if (restRow != restColumn || !restRow) conditions.insert(QStringLiteral("differs"), true);
    } else if (const auto mode = m_answer.onlyMode()) {
        conditions.insert(QStringLiteral("mode"), format::text(*mode));  // agreement in active mode was not compared
    }
    goToDecisions(std::move(conditions));
}

void ShadowPage::inspectCandidate(const CandidateFacts& facts) {
    m_context.inspect(makeCandidateSheet(facts, m_context.go), tr("Candidate"));
}

void ShadowPage::showSilence() {
    if (m_answer.silences.empty()) return m_silence->dismiss();
    m_silence->notice(Tone::caution, silenceText(m_answer.silences), tr("Was the mode changed, or a header lost on the way?"), tr("Show these decisions"), [this] {
        const auto to = m_context.view->range().to;
        goToDecisions({{QStringLiteral("from"), static_cast<qlonglong>((to - std::chrono::hours(1)).time_since_epoch().count())},
                       {QStringLiteral("to"), static_cast<qlonglong>(to.time_since_epoch().count())}});
    });
}

}  // namespace signalbox::ui
