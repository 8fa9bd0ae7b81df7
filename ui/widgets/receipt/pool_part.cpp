// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/pool_part.h"

#include "ui/models/pool_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui {

using evidence::RecordedPool;
using evidence::RecordedPoolCandidate;

namespace {

struct PoolReceipt {
    Q_DECLARE_TR_FUNCTIONS(PoolReceipt)
public:
    const RecordedPool& pool;
    std::vector<ReceiptLine> lines;

    void addHead();
    void addCandidates();
    void addMix();
    void addAdmission();

private:
    void add(const QString& name, const QString& value, std::optional<Tone> tone = std::nullopt) { lines.push_back({name, value, tone}); }
    [[nodiscard]] QString candidateText(const RecordedPoolCandidate& candidate, int percent) const;
};

void PoolReceipt::addHead() {
    lines.push_back({tr("Model"), format::text(pool.poolId), std::nullopt, true});
    const QString router = words::router(pool.router);
    add(tr("Router"), words::isExperimental(pool.router) ? tr("%1, experimental. %2").arg(router, words::routerHelp(pool.router)) : tr("%1. %2").arg(router, words::routerHelp(pool.router)));
    if (pool.drawn.empty()) add(tr("Drawn"), tr("none: no endpoint could take it"), Tone::danger);
    else lines.push_back({tr("Drawn"), format::text(pool.drawn), std::nullopt, true});
    if (!pool.affinity.empty() && pool.affinity != "none") add(tr("Session"), words::poolAffinity(pool.affinity), pool.affinity == "kept" ? Tone::clear : Tone::info);
}

QString PoolReceipt::candidateText(const RecordedPoolCandidate& candidate, int percent) const {
    QStringList parts;
    if (candidate.excluded.empty()) parts << tr("share %1 %").arg(percent);
    else parts << tr("left out: %1").arg(words::excluded(candidate.excluded));
    if (candidate.costUsd) parts << tr("%1 USD (estimate)").arg(words::usd(candidate.costUsd));
    if (candidate.meanTtftMs) parts << tr("first token after %1 on average").arg(format::milliseconds(*candidate.meanTtftMs));
    return parts.join(QStringLiteral(" · "));
}

void PoolReceipt::addCandidates() {
    std::vector<double> shares;
    for (const auto& candidate : pool.candidates) shares.push_back(candidate.share);
    const std::vector<int> percents = words::percents(shares);
    for (std::size_t i = 0; i < pool.candidates.size(); ++i) {
        const auto& candidate = pool.candidates[i];
        const bool isDrawn = candidate.endpointId == pool.drawn;
        const QString what = tr("%1: %2").arg(format::text(candidate.endpointId), candidateText(candidate, percents[i]));
        add(tr("Candidate"), what, isDrawn ? Tone::clear : candidate.excluded.empty() ? Tone::idle : Tone::caution);
    }
    if (pool.candidatesTotal > pool.candidates.size()) add(tr("Candidates"), tr("%1 of %2 were recorded").arg(pool.candidates.size()).arg(pool.candidatesTotal));
}

void PoolReceipt::addMix() {
    if (pool.mixStatus.empty()) return;
    add(tr("Mix"), words::mixStatus(pool.mixStatus), words::mixTone(pool.mixStatus));
    if (pool.budgetUsd) add(tr("Budget"), tr("%1 USD a request").arg(words::usd(pool.budgetUsd)));
    if (pool.expectedCostUsd) add(tr("Expected cost"), tr("%1 USD (estimate)").arg(words::usd(pool.expectedCostUsd)));
    if (pool.objectiveS) add(tr("Expected wait"), tr("%1 to the first token (estimate)").arg(format::milliseconds(*pool.objectiveS * 1000)));
    if (pool.predictedOutputTokens > 0) add(tr("Predicted answer"), tr("%1 tokens (estimate)").arg(QLocale().toString(pool.predictedOutputTokens, 'f', 0)));
    if (pool.hedge.empty()) return;
    const QString when = pool.hedgeAtMs ? tr(", %1 after the first try").arg(format::milliseconds(*pool.hedgeAtMs)) : QString();
    add(tr("Backup request"), words::hedge(pool.hedge) + when, words::hedgeTone(pool.hedge));
}

void PoolReceipt::addAdmission() {
    if (pool.admission.empty()) return;
    add(tr("Local server"), words::admission(pool.admission), words::admissionTone(pool.admission));
    if (pool.predictedTtftMs) add(tr("Local first token"), tr("%1 (estimate)").arg(format::milliseconds(*pool.predictedTtftMs)));
    if (pool.predictedTpotMs) add(tr("Local speed"), tr("%1 a token (estimate)").arg(format::milliseconds(*pool.predictedTpotMs)));
}

}  // namespace

std::vector<ReceiptLine> poolLines(const RecordedPool& pool) {
    PoolReceipt receipt{pool, {}};
    receipt.addHead();
    receipt.addAdmission();
    receipt.addCandidates();
    receipt.addMix();
    return std::move(receipt.lines);
}

ReceiptPart poolPart(const evidence::DecisionRecord& record) { return {PoolReceipt::tr("What the model's router chose"), poolLines(*record.pool)}; }

}  // namespace signalbox::ui
