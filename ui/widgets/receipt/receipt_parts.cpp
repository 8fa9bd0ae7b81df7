// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/receipt_parts.h"

#include "ui/models/attempt_words.h"
#include "ui/models/group_words.h"
#include "ui/models/pool_words.h"
#include "ui/models/record_words.h"
#include "ui/models/speed_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/receipt/group_part.h"
#include "ui/widgets/receipt/pool_part.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace signalbox::ui {
namespace {

struct Receipt {
    Q_DECLARE_TR_FUNCTIONS(Receipt)
public:
    const evidence::DecisionRecord& record;
    /// The table that decided; null when another one is open now.
    const table::RoutingTable* table;

    [[nodiscard]] ReceiptPart cameIn() const;
    [[nodiscard]] ReceiptPart resolved() const;
    [[nodiscard]] ReceiptPart tableSaid() const;
    [[nodiscard]] ReceiptPart sent() const;
    [[nodiscard]] ReceiptPart cost() const;
    [[nodiscard]] ReceiptLine toolCalls() const;
    [[nodiscard]] ReceiptPart decidedBy() const;

private:
    [[nodiscard]] QString toolsOffered() const;
    void addRules(ReceiptPart& part) const;
    [[nodiscard]] QString attemptText(const evidence::Attempt& attempt) const;
};

QString quoted(const std::string& text) { return format::text(text); }

QString withSource(const QString& value, classify::FoundBy by) {
    return value + QStringLiteral(" · ") + words::foundBy(std::string(classify::toString(by)));
}

QString tokenCount(std::uint64_t count) { return count == 1 ? Receipt::tr("1 token") : Receipt::tr("%1 tokens").arg(format::count(count)); }

QString tokens(const std::optional<std::uint64_t>& count) { return count ? format::count(*count) : format::none(); }

ReceiptPart Receipt::cameIn() const {
    const auto& features = record.features;
    ReceiptPart part{tr("What came in"), {}};
    part.lines.push_back({tr("Model asked for"), quoted(record.requestedModel), std::nullopt, true});
    part.lines.push_back({tr("Work"), withSource(words::workload(features.cell.workload), features.workloadFoundBy)});
    part.lines.push_back({tr("Output length"), withSource(words::length(features.cell.length), features.lengthFoundBy)});
    part.lines.push_back({tr("Output cap"), features.outputCap ? tokenCount(*features.outputCap)
                                                               : tr("none sent, so it counts as long")});
    part.lines.push_back({tr("In flight"), features.inFlight
                                               ? tr("%1, this one included: %2").arg(*features.inFlight).arg(words::concurrency(features.cell.concurrency))
                                               : tr("not known: single stream")});
    part.lines.push_back({tr("Input"), withSource(tokenCount(features.inputTokens), features.inputTokensFoundBy)});
    if (features.toolsOffered > 0 || features.functionsOffered > 0) part.lines.push_back({tr("Tools offered"), toolsOffered()});
    part.lines.push_back({tr("Answer"), features.stream ? tr("streamed") : tr("in one piece")});
    if (!record.team.empty()) part.lines.push_back({tr("Team"), quoted(record.team)});
    if (!record.clientRequestId.empty()) part.lines.push_back({tr("Client's request id"), quoted(record.clientRequestId), std::nullopt, true});
    return part;
}

QString Receipt::toolsOffered() const {
    const std::uint64_t functions = record.features.functionsOffered;
    const QString all = format::count(record.features.toolsOffered + functions);
    return functions == 0 ? all : all + QStringLiteral(" · ") + tr("as functions (the older tools): %1").arg(format::count(functions));
}

ReceiptPart Receipt::resolved() const {
    ReceiptPart part{tr("How the name resolved"), {}};
    if (record.resolvedBy.empty()) {
        part.lines.push_back({tr("Result"), tr("nothing here serves this name"), Tone::danger});
        return part;
    }
    part.lines.push_back({tr("The name is"), words::resolvedBy(record.resolvedBy)});
    if (record.family) part.lines.push_back({tr("Family"), quoted(*record.family), std::nullopt, true});
    if (record.presetKey) part.lines.push_back({tr("Preset"), quoted(*record.presetKey), std::nullopt, true});
    if (!record.naturalBy.empty()) part.lines.push_back({tr("Found as"), words::naturalBy(record.naturalBy)});
    return part;
}

void Receipt::addRules(ReceiptPart& part) const {
    for (const evidence::RecordedRule& rule : record.rules) {
        const bool matched = rule.verdict == "matched";
        part.lines.push_back({tr("Rule %1").arg(rule.ruleIndex + 1),
                              tr("for %1: %2").arg(quoted(rule.presetKey), words::verdict(rule.verdict)), matched ? Tone::clear : Tone::idle});
        if (matched && table != nullptr && rule.ruleIndex < table->rules.size())
            part.lines.push_back({tr("Evidence"), quoted(table->rules[rule.ruleIndex].evidence)});
    }
}

ReceiptPart Receipt::tableSaid() const {
    ReceiptPart part{tr("What the table said"), {}};
    if (record.reason.empty()) {
        part.lines.push_back({tr("Table"), tr("not used: the requested name does not lead to it"), Tone::idle});
        return part;
    }
    part.lines.push_back({tr("Answer"), words::coverage(record), words::coverageTone(record.coverage)});
    addRules(part);
    if (record.rules.empty()) part.lines.push_back({tr("Rules"), tr("the family has none")});
    if (!record.nullCause.empty()) part.lines.push_back({tr("Why no preset"), words::nullCause(record.nullCause)});
    if (record.gapIndex) {
        part.lines.push_back({tr("Declared gap"), tr("number %1 of the table").arg(*record.gapIndex + 1), Tone::gap});
        if (table != nullptr && *record.gapIndex < table->gaps.size())
            part.lines.push_back({tr("Next step"), quoted(table->gaps[*record.gapIndex].nextPhase)});
    }
    return part;
}

QString Receipt::attemptText(const evidence::Attempt& attempt) const {
    QStringList parts{quoted(attempt.endpointId)};
    if (attempt.role == evidence::AttemptRole::hedge || attempt.role == evidence::AttemptRole::probe) parts << words::attemptRole(toString(attempt.role));
    switch (attempt.outcome) {
    case evidence::AttemptOutcome::served: parts << tr("answered"); break;
    case evidence::AttemptOutcome::failed: parts << tr("failed"); break;
    case evidence::AttemptOutcome::refused: parts << tr("refused before anything was sent"); break;
    case evidence::AttemptOutcome::cancelled: parts << tr("cancelled"); break;
    }
    // A status says itself, below.
    if (!attempt.reason.empty() && !attempt.reason.starts_with("status_")) parts << words::attemptReason(attempt.reason);
    if (attempt.status != 0) parts << tr("HTTP %1").arg(attempt.status);
    if (!attempt.leftOut.empty()) parts << tr("sent without %1, because this upstream refuses it with such a schema").arg(quoted(attempt.leftOut));
    if (attempt.firstContentMs) parts << tr("first content after %1").arg(format::milliseconds(*attempt.firstContentMs));
    parts << tr("ended after %1").arg(format::milliseconds(attempt.endedMs));
    if (attempt.inputTokens || attempt.outputTokens) parts << tr("%1 tokens in, %2 out").arg(tokens(attempt.inputTokens), tokens(attempt.outputTokens));
    if (attempt.costUsd) parts << tr("%1 USD (estimate)").arg(words::usd(attempt.costUsd));
    return parts.join(QStringLiteral(" · "));
}

ReceiptLine Receipt::toolCalls() const {
    const std::uint32_t judged = std::min(record.toolsCalled, record.toolsFitSchema + record.toolsUnchecked);
    const std::uint32_t wrong = record.toolsCalled - judged;
    QStringList parts{format::count(record.toolsCalled)};
    if (record.toolsFitSchema > 0) parts << tr("arguments fit the offered schema: %1").arg(format::count(record.toolsFitSchema));
    if (wrong > 0) parts << tr("do not fit: %1").arg(format::count(wrong));
    if (record.toolsUnchecked > 0) parts << tr("could not be checked: %1").arg(format::count(record.toolsUnchecked));
    return {tr("Tool calls"), parts.join(QStringLiteral(" · ")), wrong > 0 ? std::optional(Tone::caution) : std::nullopt};
}

ReceiptPart Receipt::sent() const {
    ReceiptPart part{tr("What was sent where"), {}, record.attempts.empty() ? ReceiptPart::Picture::none : ReceiptPart::Picture::attempts};
    for (std::size_t i = 0; i < record.attempts.size(); ++i)
        part.lines.push_back({tr("Attempt %1").arg(i + 1), attemptText(record.attempts[i]), toneOf(record.attempts[i].outcome)});
    if (record.attempts.empty()) part.lines.push_back({tr("Attempts"), tr("none: nothing was sent upstream"), Tone::idle});
    if (!record.whyNoFallback.empty()) part.lines.push_back({tr("No fallback"), words::whyNoFallback(record.whyNoFallback), Tone::caution});
    part.lines.push_back({tr("The client got"), tr("%1 · HTTP %2").arg(words::outcome(record.outcome)).arg(record.status), words::outcomeTone(record.outcome)});
    if (!record.errorCode.empty()) part.lines.push_back({tr("Error"), quoted(record.errorCode), std::nullopt, true});
    part.lines.push_back({tr("First content"), format::milliseconds(record.firstContentMs)});
    part.lines.push_back({tr("Whole request"), format::milliseconds(record.totalMs)});
    if (record.toolsCalled > 0) part.lines.push_back(toolCalls());
    if (record.simulated) part.lines.push_back({tr("Note"), tr("answered by the simulated adapter"), Tone::info});
    return part;
}

ReceiptPart Receipt::cost() const {
    ReceiptPart part{tr("What it cost"), {}};
    part.lines.push_back({tr("Input tokens"), tokens(record.inputTokens)});
    if (record.cachedTokens) part.lines.push_back({tr("Of them cached"), tokens(record.cachedTokens)});
    part.lines.push_back({tr("Output tokens"), tokens(record.outputTokens)});
    // An answer that was asked for in one piece has its first content with its last.
    const QString speed = record.features.stream ? words::streamSpeed(record.outputTokens, record.firstContentMs, record.totalMs) : QString();
    if (!speed.isEmpty()) part.lines.push_back({tr("Speed"), speed});
    part.lines.push_back({tr("Estimate"), record.costUsd ? tr("%1 USD").arg(QLocale().toString(*record.costUsd, 'f', 6))
                                                         : tr("no price is configured")});
    return part;
}

ReceiptPart Receipt::decidedBy() const {
    ReceiptPart part{tr("Who decided"), {}};
    part.lines.push_back({tr("Decision"), format::text(record.id.text()), std::nullopt, true});
    part.lines.push_back({tr("When"), format::dateTime(record.createdAt) + QStringLiteral(" · ") + format::utc(record.createdAt)});
    part.lines.push_back({tr("Gateway"), record.environment.empty() ? quoted(record.target)
                                                                    : tr("%1 in %2").arg(quoted(record.target), quoted(record.environment))});
    part.lines.push_back({tr("Policy version"), quoted(record.policyVersion)});
    part.lines.push_back({tr("Policy"), quoted(record.policyHash), std::nullopt, true});
    part.lines.push_back({tr("Table"), quoted(record.tableSha256), std::nullopt, true});
    if (!record.mode.empty()) part.lines.push_back({tr("Mode"), words::mode(record.mode)});
    part.lines.push_back({tr("Deciding took"), tr("%1 µs").arg(QLocale().toString(record.decideUs, 'f', 1))});
    if (record.origin != evidence::Origin::traffic) part.lines.push_back({tr("Origin"), quoted(std::string(evidence::toString(record.origin))), Tone::info});
    return part;
}

}  // namespace

std::vector<ReceiptPart> receiptParts(const evidence::DecisionRecord& record, const policy::LoadedWorkspace* workspace) {
    const bool same = workspace != nullptr && workspace->table.table && workspace->table.sha256 == record.tableSha256;
    const Receipt receipt{record, same ? workspace->table.table.get() : nullptr};
    std::vector<ReceiptPart> parts{receipt.cameIn(), receipt.resolved()};
    if (record.group) parts.push_back(groupPart(record, workspace));
    parts.push_back(receipt.tableSaid());
    if (record.pool) parts.push_back(poolPart(record));
    parts.insert(parts.end(), {receipt.sent(), receipt.cost(), receipt.decidedBy()});
    return parts;
}

static QString tableClause(const evidence::DecisionRecord& record) {
    if (record.reason.empty() && record.pool) return Receipt::tr(", chosen by its router (%1)").arg(words::router(record.pool->router));
    if (record.reason.empty()) return Receipt::tr("; the routing table was not used");
    if (record.ruleIndex) return Receipt::tr(" by rule %1").arg(*record.ruleIndex + 1);
    if (record.coverage == "default") return Receipt::tr(" by the family's default");
    if (record.coverage == "gap") return Receipt::tr(" in a declared gap of the table");
    return Receipt::tr("; nothing in the table covers it");
}

QString receiptSentence(const evidence::DecisionRecord& record) {
    const QString model = format::text(record.requestedModel);
    if (record.endpointId.empty())
        return Receipt::tr("%1 was not answered: %2").arg(model, words::outcome(record.outcome)) + groupClause(record);
    const QString went = Receipt::tr("%1 went to %2").arg(model, format::text(record.endpointId));
    // A group need not lead to the table; that it did not is no news then.
    return went + (record.group && record.reason.empty() ? QString() : tableClause(record)) + groupClause(record);
}

QString receiptText(const evidence::DecisionRecord& record, const policy::LoadedWorkspace* workspace) {
    QString out = receiptSentence(record) + QStringLiteral("\n");
    for (const ReceiptPart& part : receiptParts(record, workspace)) {
        out += QStringLiteral("\n") + part.title + QStringLiteral("\n");
        for (const ReceiptLine& line : part.lines)
            out += QStringLiteral("  ") + line.name + QStringLiteral(": ") + line.value + QStringLiteral("\n");
    }
    return out;
}

Tone toneOf(evidence::AttemptOutcome outcome) {
    switch (outcome) {
    case evidence::AttemptOutcome::served: return Tone::clear;
    case evidence::AttemptOutcome::failed: return Tone::danger;
    case evidence::AttemptOutcome::refused: return Tone::caution;
    case evidence::AttemptOutcome::cancelled: return Tone::idle;
    }
    return Tone::idle;
}

}  // namespace signalbox::ui
