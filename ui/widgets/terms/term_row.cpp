// SPDX-License-Identifier: MIT
#include "ui/widgets/terms/term_row.h"

#include "ui/models/group_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/terms/recorded_plan.h"

#include "router/policy/smart/what_if.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui {

namespace smart = policy::smart;

namespace {
struct TermRowWords {
    Q_DECLARE_TR_FUNCTIONS(TermRow)
};

TermRow rowOf(const QString& endpointId, const smart::CandidateTerms& terms, const smart::Weights& weights) {
    TermRow row;
    row.endpointId = endpointId;
    row.terms = terms;
    row.cut = format::text(smart::toString(terms.cut));
    if (terms.eligible()) row.parts = smart::contributions(terms, weights);
    return row;
}

TermDecision decisionOf(std::span<const smart::CandidateTerms> candidates, const smart::Weights& weights, const smart::Group& group) {
    TermDecision decision{{}, weights, group.candidates.size()};
    for (std::size_t i = 0; i < candidates.size() && i < group.candidates.size(); ++i)
        decision.rows.push_back(rowOf(format::text(group.candidates[i].endpointId), candidates[i], weights));
    return decision;
}
}  // namespace

TermDecision toTermDecision(const evidence::RecordedGroup& group) {
    const smart::Weights weights{group.weights[0], group.weights[1], group.weights[2], group.weights[3]};
    TermDecision decision{{}, weights, std::max<std::size_t>(group.candidatesTotal, group.candidates.size())};
    for (const auto& candidate : group.candidates) {
        TermRow row = rowOf(format::text(candidate.endpointId), termsOf(candidate, group), weights);
        row.cut = format::text(candidate.cut);
        row.isSelected = candidate.endpointId == group.selected;
        row.isRecommended = candidate.endpointId == group.recommended;
        row.isFavourite = candidate.endpointId == group.affinityFavourite;
        decision.rows.push_back(std::move(row));
    }
    return decision;
}

TermDecision toTermDecision(const smart::Plan& plan, const smart::Group& group) {
    TermDecision decision = decisionOf(plan.candidates, plan.weights, group);
    const auto mark = [&decision](std::size_t index, bool TermRow::* flag) {
        if (index < decision.rows.size()) decision.rows[index].*flag = true;
    };
    mark(plan.selected, &TermRow::isSelected);
    mark(plan.recommended, &TermRow::isRecommended);
    if (plan.affinityFavourite) mark(*plan.affinityFavourite, &TermRow::isFavourite);
    return decision;
}

TermDecision toTermDecision(const smart::Refusal& refusal, const smart::Group& group) {
    return decisionOf(refusal.candidates, {}, group);
}

QString scoreText(double score) { return QLocale().toString(smart::fourDecimals(score), 'f', 4); }

QString costText(double usd) {
    // Two digits that mean something: a request costs between a millionth and some dollars.
    const int decimals = usd >= 1 ? 2 : usd >= 0.01 ? 4 : 6;
    return TermRowWords::tr("%1 USD").arg(QLocale().toString(usd, 'f', decimals));
}

static QString marksOf(const TermRow& row) {
    QStringList marks;
    if (row.isSelected) marks << TermRowWords::tr("tried first");
    if (row.isRecommended) marks << TermRowWords::tr("recommended");
    if (row.isFavourite) marks << TermRowWords::tr("the session's favourite");
    return marks.join(QStringLiteral(", "));
}

QString sentenceOf(const TermRow& row) {
    const QString marks = marksOf(row);
    const QString end = marks.isEmpty() ? QString() : QStringLiteral("; ") + marks;
    if (!row.isEligible()) return TermRowWords::tr("%1, cut: %2%3").arg(row.endpointId, words::cut(format::utf8(row.cut)), end);
    QStringList parts;
    for (std::size_t i = 0; i < row.parts.size(); ++i)
        parts << TermRowWords::tr("%1 %2").arg(words::term(smart::toString(static_cast<smart::Term>(i))), scoreText(row.parts[i]));
    return TermRowWords::tr("%1, score %2: %3%4").arg(row.endpointId, scoreText(row.terms.score), parts.join(QStringLiteral(", ")), end);
}

QString inputsOf(const TermRow& row, const smart::Weights& weights) {
    if (!row.isEligible())
        return TermRowWords::tr("%1\ncut: %2\n%3").arg(row.endpointId, words::cut(format::utf8(row.cut)), words::cutHelp(format::utf8(row.cut)));
    const auto share = [](double value) { return QLocale().toString(value, 'f', 2); };
    const auto& terms = row.terms;
    QStringList lines{TermRowWords::tr("%1, score %2").arg(row.endpointId, scoreText(terms.score))};
    lines << TermRowWords::tr("quality %1 (prior) × weight %2 = %3").arg(share(terms.quality), share(weights.quality), scoreText(row.parts[0]));
    lines << TermRowWords::tr("cost %1 (estimate) → %2 × weight %3 = %4").arg(costText(terms.costUsd), share(terms.costValue), share(weights.cost), scoreText(row.parts[1]));
    lines << TermRowWords::tr("latency %1 (estimate) → %2 × weight %3 = %4")
                 .arg(format::milliseconds(terms.latencyMs), share(terms.latencyValue), share(weights.latency), scoreText(row.parts[2]));
    lines << TermRowWords::tr("reliability %1 × weight %2 = %3").arg(share(terms.reliability), share(weights.reliability), scoreText(row.parts[3]));
    lines << TermRowWords::tr("affinity of the session, at most 0.02 = %1").arg(scoreText(row.parts[4]));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace signalbox::ui
