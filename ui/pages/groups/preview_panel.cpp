// SPDX-License-Identifier: MIT
#include "ui/pages/groups/preview_panel.h"

#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/terms/term_chart.h"

#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr std::size_t kMostMoves = 3;
static constexpr policy::smart::Sizes kSample{1000, 500};

PreviewPanel::PreviewPanel(QWidget* parent)
    : QWidget(parent), m_sentence(makeLabel({})), m_moves(makeLabel({})), m_caption(makeMuted({})), m_chart(new TermChart) {
    m_moves->setFont(Theme::instance().fixedFont());
    m_moves->setProperty("data", true);
    m_caption->setFont(Theme::instance().smallFont());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(m_sentence);
    layout->addWidget(m_moves);
    layout->addWidget(m_caption);
    layout->addWidget(m_chart);
    layout->addStretch();
    connect(m_chart, &TermChart::rowChosen, this, [this](int row) {
        m_chart->setCurrent(row);
        Q_EMIT rowChosen(m_chart->decision().rows[static_cast<std::size_t>(row)].endpointId);
    });
}

QString PreviewPanel::sentence() const { return m_sentence->text(); }

QString previewSentence(const Redecided& again) {
    const auto total = again.decided + again.nothingLeft;
    if (total == 0) return PreviewPanel::tr("No request of this group was recorded in the range, so nothing can be decided again.");
    QString text;
    if (again.decided > 0 && again.recommended == 0) text = PreviewPanel::tr("All of the last %n request(s) would get the same recommendation under this draft.", nullptr, static_cast<int>(again.decided));
    else if (again.decided > 0)
        text = PreviewPanel::tr("Of the last %1 requests %2 (%3) would get another recommendation under this draft.")
                   .arg(format::count(again.decided), format::count(again.recommended),
                        format::share(again.recommended, again.decided).section(QStringLiteral(" %"), 0, 0) + PreviewPanel::tr(" %"));
    if (again.servedFirst > 0)
        text += QLatin1Char(' ') + PreviewPanel::tr("Another candidate would be tried first for %n of them.", nullptr, static_cast<int>(again.servedFirst));
    if (again.nothingLeft > 0)
        text += QLatin1Char(' ') + PreviewPanel::tr("%n of them cannot be decided again: nothing would be left to try, or not all candidates were recorded.", nullptr, static_cast<int>(again.nothingLeft));
    return text.trimmed();
}

void PreviewPanel::showMoves(const Redecided& again) {
    QStringList lines;
    for (std::size_t i = 0; i < std::min(kMostMoves, again.moves.size()); ++i) {
        const auto& move = again.moves[i];
        const QString from = move.from.empty() ? tr("none") : format::text(move.from);
        lines << QStringLiteral("%1 × %2 → %3").arg(format::count(move.count), from, format::text(move.to));
    }
    if (again.moves.size() > kMostMoves) lines << tr("and %n more kind(s) of change", nullptr, static_cast<int>(again.moves.size() - kMostMoves));
    m_moves->setText(lines.join(QLatin1Char('\n')));
    m_moves->setVisible(!lines.isEmpty());
}

void PreviewPanel::showPlan(const DraftGroup& draft, std::span<const RecordPtr> records) {
    for (const RecordPtr& record : records) {
        const auto plan = planUnder(draft, *record);
        if (!plan) continue;
        m_caption->setText(tr("The newest request, %1, under this draft, with the weights of %2 (estimates and priors):")
                               .arg(format::dateTime(record->createdAt), format::text(toString(plan->profile))));
        m_chart->setDecision(toTermDecision(*plan, draft.group));
        return m_chart->setVisible(true);
    }
    const auto plan = planOfSample(draft, kSample);
    m_chart->setVisible(plan.has_value());
    if (!plan) return m_caption->setText(tr("Now no candidate of this group could be tried."));
    m_caption->setText(tr("A made-up request of %1 input and %2 output tokens, with the weights of %3 (estimates and priors):")
                           .arg(format::count(kSample.inputTokens), format::count(kSample.outputTokens), format::text(toString(plan->profile))));
    m_chart->setDecision(toTermDecision(*plan, draft.group));
}

void PreviewPanel::set(const DraftGroup& draft, std::span<const RecordPtr> records) {
    const Redecided again = redecide(draft, records);
    m_sentence->setText(previewSentence(again));
    showMoves(again);
    showPlan(draft, records);
}

}  // namespace signalbox::ui
