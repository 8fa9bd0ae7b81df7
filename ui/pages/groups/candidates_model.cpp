// SPDX-License-Identifier: MIT
#include "ui/pages/groups/candidates_model.h"

#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QLocale>
#include <QMimeData>

namespace signalbox::ui {

static const QString kMimeType = QStringLiteral("application/x-signalbox-candidate");

CandidatesModel::CandidatesModel(QObject* parent)
    : RowModel(parent),
      m_columns{{tr("#"), CellKind::number, tr("Place in the group: the first one that can serve is tried first, unless the scores decide"), 40},
                {tr("Candidate"), CellKind::id, tr("Provider and model, or the pool whose router chooses them"), 220},
                {tr("Quality"), CellKind::number, tr("Prior, 0 to 1: an opinion, not a measurement"), 66},
                {tr("Hint, ms"), CellKind::number, tr("Latency prior: gives way to measured calls with n/(n+10)"), 72},
                {tr("Measured, ms"), CellKind::number, tr("Median of the range, else the running gateway's moving average; marked when it is outside of ±50 % of the prior"), 104},
                {tr("Calls"), CellKind::number, tr("Real calls behind the measured latency"), 58},
                {tr("USD/M in / out"), CellKind::number, tr("Price for a million tokens read and written"), 108},
                {tr("Reliability"), CellKind::number, tr("Calls that were served, of those that were served or failed"), 80},
                {tr("Tools valid"), CellKind::number, tr("Tool calls whose arguments fit the schema that the client offered, of those that could "
                                                           "be checked among the newest requests of the range"), 80},
                {tr("State"), CellKind::text, tr("Circuit of the running gateway"), 124}} {}

void CandidatesModel::set(std::vector<CandidateRow> rows, SourceOf sourceOf, bool canEdit) {
    const bool sameCount = rows.size() == m_rows.size();
    if (!sameCount) beginResetModel();
    m_rows = std::move(rows);
    m_sourceOf = std::move(sourceOf);
    m_canEdit = canEdit;
    if (!sameCount) endResetModel();
    else if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(this->rows() - 1, State));
}

const CandidateRow* CandidatesModel::at(int row) const { return row >= 0 && row < rows() ? &m_rows[static_cast<std::size_t>(row)] : nullptr; }

QString CandidatesModel::text(int row, int column) const {
    const CandidateRow& r = m_rows[static_cast<std::size_t>(row)];
    const auto measured = r.measured();
    switch (column) {
    case Place: return QString::number(row + 1);
    case Endpoint: return format::text(r.endpointId);
    case Quality: return QLocale().toString(r.candidate.quality, 'g', QLocale::FloatingPointShortest);
    case Hint: return format::count(r.candidate.latencyHintMs);
    case Measured: return measured ? format::count(static_cast<quint64>(measured->milliseconds + 0.5)) : format::none();
    case Calls: return measured ? format::count(measured->calls) : format::none();
    case Price: return r.priceOrigin == PriceOrigin::assumed ? tr("%1 assumed").arg(priceText(r)) : priceText(r);
    case Reliability: {
        const auto reliability = r.reliability();
        return reliability ? tr("%1 %").arg(QLocale().toString(100 * reliability->share, 'f', 1)) : format::none();
    }
    case ToolsValid:
        if (r.toolCalls.checked() == 0) return format::none();
        return tr("%1 %").arg(QLocale().toString(100 * r.toolCalls.share(), 'f', 1));
    case State: return stateOf(r).text;
    default: return {};
    }
}

QVariant CandidatesModel::value(int row, int column) const {
    const CandidateRow& r = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Place: return row;
    case Quality: return r.candidate.quality;
    case Hint: return r.candidate.latencyHintMs;
    case Measured: return r.measured() ? QVariant(r.measured()->milliseconds) : QVariant();
    case Calls: return static_cast<qulonglong>(r.measured() ? r.measured()->calls : 0);
    case Price: return r.pricing.inputPerMillion;
    case Reliability: return r.reliability() ? QVariant(r.reliability()->share) : QVariant();
    case ToolsValid: return r.toolCalls.checked() > 0 ? QVariant(r.toolCalls.share()) : QVariant();
    default: return text(row, column);
    }
}

QString CandidatesModel::tip(const CandidateRow& r, int column) const {
    const auto from = [&](const char* key) { return m_sourceOf ? tr("From: %1").arg(m_sourceOf(r.index, key)) : QString(); };
    switch (column) {
    case Endpoint: return format::text(r.endpointId) + QLatin1Char('\n') + from(r.candidate.pool ? "pool" : "model");
    case Quality: return tr("Prior") + QLatin1Char('\n') + from("quality");
    case Hint: return tr("Prior") + QLatin1Char('\n') + from("latency_hint_ms");
    case Measured:
    case Calls: return verdictText(r);
    case Price: return priceSource(r, QDate::currentDate());
    case Reliability: return r.reliability() ? tr("Of %1 calls").arg(format::count(r.reliability()->calls)) : tr("No call was served or failed in the range.");
    case ToolsValid: return toolCallsText(r.toolCalls);
    case State: return stateOf(r).why + QLatin1Char('\n') + from("enabled");
    default: return {};
    }
}

QVariant CandidatesModel::extra(int row, int column, int role) const {
    const CandidateRow& r = m_rows[static_cast<std::size_t>(row)];
    if (role == SwatchRole && column == Endpoint) return format::text(r.endpointId);
    if (role == ShareRole && column == Quality) return r.candidate.quality;
    if (role == ToneRole && column == State) return static_cast<int>(stateOf(r).tone);
    if (role == ToneRole && column == Measured && (r.verdict() == PriorVerdict::slower || r.verdict() == PriorVerdict::faster))
        return static_cast<int>(Tone::caution);
    if (role == ToneRole && column == Price && r.priceOrigin == PriceOrigin::assumed) return static_cast<int>(Tone::idle);
    if (role == Qt::ToolTipRole) return tip(r, column);
    return {};
}

Qt::ItemFlags CandidatesModel::flags(const QModelIndex& index) const {
    if (!m_canEdit) return RowModel::flags(index);
    return index.isValid() ? RowModel::flags(index) | Qt::ItemIsDragEnabled : RowModel::flags(index) | Qt::ItemIsDropEnabled;
}

QStringList CandidatesModel::mimeTypes() const { return {kMimeType}; }

QMimeData* CandidatesModel::mimeData(const QModelIndexList& indexes) const {
    auto* data = new QMimeData;
    // With its name: the rows may be others by the time it is dropped.
    if (const CandidateRow* row = indexes.isEmpty() ? nullptr : at(indexes.first().row()))
        data->setData(kMimeType, QByteArray::number(indexes.first().row()) + ' ' + QByteArray::fromStdString(row->endpointId));
    return data;
}

bool CandidatesModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent) {
    if (action != Qt::MoveAction || !data->hasFormat(kMimeType)) return false;
    const QByteArray dragged = data->data(kMimeType);
    const auto space = dragged.indexOf(' ');
    const int from = dragged.left(space).toInt();
    if (at(from) == nullptr || dragged.mid(space + 1) != QByteArray::fromStdString(at(from)->endpointId)) return false;
    // Between two rows: before `row`. On a row, or below the last one: there.
    int to = row >= 0 ? row : parent.isValid() ? parent.row() : rows();
    if (to > from) --to;
    if (to != from && to >= 0 && to < rows()) Q_EMIT moveAsked(from, to);
    return false;  // the policy moves it, not the view
}

}  // namespace signalbox::ui
