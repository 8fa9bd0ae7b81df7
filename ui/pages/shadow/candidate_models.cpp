// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/candidate_models.h"

#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QLocale>

namespace signalbox::ui {

QString dollars(std::optional<double> usd) {
    if (!usd) return format::none();
    return QLocale().toString(*usd, 'f', *usd >= 1 ? 2 : *usd >= 0.1 ? 4 : 6);
}

static QVariant optional(std::optional<double> value) { return value ? QVariant(*value) : QVariant(); }
static QVariant number(std::uint64_t value) { return static_cast<qulonglong>(value); }

CandidatesTable::CandidatesTable(std::vector<Column> figures, QObject* parent) : RowModel(parent), m_columns(std::move(figures)) {
    m_columns.insert(m_columns.begin(), {tr("Candidate"), CellKind::id, {}, 190});
}

void CandidatesTable::set(std::vector<CandidateFacts> candidates) {
    beginResetModel();
    m_rows = std::move(candidates);
    endResetModel();
}

QVariant CandidatesTable::value(int row, int column) const {
    return column == kEndpoint ? QVariant(format::text(at(row).endpointId)) : figure(at(row), column);
}

QString CandidatesTable::text(int row, int column) const {
    return column == kEndpoint ? format::text(at(row).endpointId) : figureText(at(row), column);
}

QVariant CandidatesTable::extra(int row, int column, int role) const {
    if (column != kEndpoint) return figureExtra(at(row), column, role);
    return role == SwatchRole || role == Qt::ToolTipRole ? QVariant(format::text(at(row).endpointId)) : QVariant();
}

EstimatesModel::EstimatesModel(QObject* parent)
    : CandidatesTable({{tr("Tried first"), CellKind::number, tr("Compared decisions that tried it first"), 84},
                       {tr("Recommended"), CellKind::number, tr("Compared decisions in which it had the best score"), 104},
                       {tr("USD, estimate"), CellKind::number, tr("Mean of the estimates of one request, from planning sizes and prices"), 106},
                       {tr("USD, calls"), CellKind::number, tr("Mean of its served calls, from the tokens that the upstream counted"), 92},
                       {tr("Time, estimate"), CellKind::number, tr("Mean of the estimates of one request: the hint, blended with what was measured"), 108},
                       {tr("Time, calls"), CellKind::number, tr("Median time of its served calls, from start to end"), 92},
                       {tr("Calls"), CellKind::number, tr("Served calls with a known time, in any mode"), 76}},
                      parent) {}

QVariant EstimatesModel::figure(const CandidateFacts& facts, int column) const {
    switch (column) {
    case TriedFirst: return number(facts.triedFirst);
    case Recommended: return number(facts.recommended);
    case Cost: return optional(facts.costUsd);
    case MeasuredCost: return optional(facts.measuredCostUsd());
    case Latency: return optional(facts.latencyMs);
    case MeasuredLatency: return optional(facts.calls.totalP50Ms);
    case Calls: return number(facts.calls.timedCalls);
    default: return {};
    }
}

QString EstimatesModel::figureText(const CandidateFacts& facts, int column) const {
    switch (column) {
    case TriedFirst: return format::count(facts.triedFirst);
    case Recommended: return format::count(facts.recommended);
    case Cost: return dollars(facts.costUsd);
    case MeasuredCost: return dollars(facts.measuredCostUsd());
    case Latency: return format::milliseconds(facts.latencyMs);
    case MeasuredLatency: return format::milliseconds(facts.calls.totalP50Ms);
    case Calls: return format::count(facts.calls.timedCalls);
    default: return {};
    }
}

QVariant EstimatesModel::figureExtra(const CandidateFacts& facts, int column, int role) const {
    if (role != Qt::ToolTipRole) return {};
    switch (column) {
    case Cost:
    case Latency: return tr("Estimate: mean of %1 decisions").arg(format::count(facts.triedFirst + facts.recommended));
    case MeasuredCost: return tr("Mean of %1 served calls with a known cost").arg(format::count(facts.calls.costCalls));
    case MeasuredLatency:
        return tr("Median of %1 served calls; first content after %2").arg(format::count(facts.calls.timedCalls), format::milliseconds(facts.calls.firstContentP50Ms));
    default: return {};
    }
}

FailuresModel::FailuresModel(QObject* parent)
    : CandidatesTable({{tr("Attempts"), CellKind::number, tr("Real calls in the range, in any mode, retries included"), 88},
                       {tr("Served"), CellKind::number, {}, 84},
                       {tr("Failed"), CellKind::number, tr("With the share of the attempts on hover"), 84},
                       {tr("Of them 429"), CellKind::number, tr("Failed because the provider limited the rate"), 96},
                       {tr("Refused"), CellKind::number, tr("Refused before anything was sent, e.g. by an open circuit"), 84},
                       {tr("Client left"), CellKind::number, {}, 92},
                       {tr("Cut, cooling"), CellKind::number, tr("Decisions in which it was cut because it was cooling down"), 104}},
                      parent) {}

QVariant FailuresModel::figure(const CandidateFacts& facts, int column) const {
    const auto& calls = facts.calls;
    switch (column) {
    case Attempts: return number(calls.attempts);
    case Served: return number(calls.served);
    case Failed: return number(calls.failed);
    case RateLimited: return number(calls.rateLimited);
    case Refused: return number(calls.refused);
    case Cancelled: return number(calls.cancelled);
    case CutForCooling: return number(calls.cutForCooling);
    default: return {};
    }
}

QString FailuresModel::figureText(const CandidateFacts& facts, int column) const { return format::count(figure(facts, column).toULongLong()); }

QVariant FailuresModel::figureExtra(const CandidateFacts& facts, int column, int role) const {
    if (role == ToneRole && column == Failed && facts.calls.failed > 0) return static_cast<int>(Tone::danger);
    if (role == ToneRole && column == CutForCooling && facts.calls.cutForCooling > 0) return static_cast<int>(Tone::caution);
    if (role == Qt::ToolTipRole && column == Failed) return tr("%1 of the attempts failed").arg(format::share(facts.calls.failed, facts.calls.attempts));
    return {};
}

}  // namespace signalbox::ui
