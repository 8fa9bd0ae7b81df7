// SPDX-License-Identifier: MIT
// The part of the page that asks history, and the sentence that comes of it.
#include "ui/document/policy_document.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/coverage/coverage_matrix.h"
#include "ui/widgets/section.h"

namespace signalbox::ui {

void RulesPage::askHits() {
    if (!m_view) return;
    m_ticket = m_context.bridge->ask<evidence::CellHits>(
        [family = m_view->coverage().family, range = m_context.view->range()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            return reader.cellHits(family, range, cancel);
        },
        [this](Result<evidence::CellHits> hits) { takeHits(hits); });
}

void RulesPage::takeHits(const Result<evidence::CellHits>& hits) {
    m_hits = hits ? std::optional(*hits) : std::nullopt;
    m_hitsProblem = hits ? QString() : format::text(hits.error().message);
    m_matrix->setHits(m_hits);
    showCards();
    fillFacts();
    say();
}

// Which requests said no cap only their receipts know; that is read rarely, and only adds to what is shown.
void RulesPage::askCaps() {
    if (!m_view) return;
    m_capsSettle.start();
    m_capsTicket = m_context.bridge->ask<evidence::CellCaps>(
        [family = m_view->coverage().family, range = m_context.view->range()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            return reader.cellCaps(family, range, cancel);
        },
        [this](Result<evidence::CellCaps> caps) {
            m_caps = caps ? std::optional(*caps) : std::nullopt;
            if (m_view) showCards();
            fillFacts();
        });
}

void RulesPage::say() {
    if (!m_view) {
        Q_EMIT answerChanged(m_context.document->table() ? tr("No preset of this table has a family, so no rule can apply.") : tr("No routing table is open."));
        return;
    }
    QString traffic = m_hits ? m_view->trafficSentence(*m_hits, m_context.view->span()) : QString();
    if (!m_hitsProblem.isEmpty()) traffic = tr("Hits are unknown: %1.").arg(m_hitsProblem);
    m_matrixSection->setNote(m_hits ? tr("bars: requests in the range") : QString());
    Q_EMIT answerChanged((m_view->sentence() + QLatin1Char(' ') + traffic).trimmed());
}

}  // namespace signalbox::ui
