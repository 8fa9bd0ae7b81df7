// SPDX-License-Identifier: MIT
#include "ui/models/live_decisions_model.h"

#include "ui/models/record_words.h"
#include "ui/theme/format.h"

namespace signalbox::ui {

LiveDecisionsModel::LiveDecisionsModel(std::size_t limit, QObject* parent)
    : RowModel(parent), m_limit(limit),
      m_columns{{tr("Time"), CellKind::number, tr("Local time of arrival; UTC on hover"), 76},
                {tr("Model asked for"), CellKind::text, tr("The model field of the request"), 140},
                {tr("Preset"), CellKind::text, tr("The preset that served it"), 150},
                {tr("Coverage"), CellKind::text, tr("Which part of the table decided"), 132},
                {tr("Outcome"), CellKind::text, tr("How the request ended for its client"), 126},
                {tr("First, ms"), CellKind::number, tr("First token: from admission to the first content"), 80},
                {tr("Tokens out"), CellKind::number, tr("Output tokens as the endpoint counted them"), 84},
                {tr("Endpoint"), CellKind::id, tr("Provider and model that answered"), 170}} {}

void LiveDecisionsModel::add(const std::vector<RecordPtr>& records) {
    if (records.empty()) return;
    // Of a batch larger than the limit only its newest part would stay anyway.
    const std::size_t taken = std::min(records.size(), m_limit);
    beginInsertRows({}, 0, static_cast<int>(taken) - 1);
    for (std::size_t i = records.size() - taken; i < records.size(); ++i) m_records.push_front(records[i]);
    endInsertRows();
    if (m_records.size() <= m_limit) return;
    beginRemoveRows({}, static_cast<int>(m_limit), rows() - 1);
    m_records.resize(m_limit);
    endRemoveRows();
}

void LiveDecisionsModel::reset(const std::vector<RecordPtr>& records) {
    beginResetModel();
    m_records.clear();
    endResetModel();
    add(records);
}

LiveDecisionsModel::RecordPtr LiveDecisionsModel::at(int row) const {
    return row >= 0 && row < rows() ? m_records[static_cast<std::size_t>(row)] : nullptr;
}

QString LiveDecisionsModel::text(int row, int column) const {
    const auto& record = *m_records[static_cast<std::size_t>(row)];
    switch (column) {
    case Time: return format::clockTime(record.createdAt);
    case Model: return format::text(record.requestedModel);
    case Preset: return record.presetKey ? format::text(*record.presetKey) : format::none();
    case Coverage: return words::coverage(record);
    case OutcomeColumn:
        return record.outcome == evidence::Outcome::served ? words::outcome(record.outcome)
                                                           : tr("%1 %2").arg(words::outcome(record.outcome)).arg(record.status);
    case FirstToken: return record.firstContentMs ? format::count(static_cast<quint64>(*record.firstContentMs + 0.5)) : format::none();
    case Tokens: return record.outputTokens ? format::count(*record.outputTokens) : format::none();
    case Endpoint: return record.endpointId.empty() ? format::none() : format::text(record.endpointId);
    default: return {};
    }
}

QVariant LiveDecisionsModel::value(int row, int column) const {
    const auto& record = *m_records[static_cast<std::size_t>(row)];
    switch (column) {
    case Time: return static_cast<qlonglong>(record.createdAt.time_since_epoch().count());
    case FirstToken: return record.firstContentMs.value_or(-1);
    case Tokens: return record.outputTokens ? static_cast<qlonglong>(*record.outputTokens) : -1;
    default: return text(row, column);
    }
}

QVariant LiveDecisionsModel::extra(int row, int column, int role) const {
    const auto& record = *m_records[static_cast<std::size_t>(row)];
    if (role == ToneRole && column == Coverage) return static_cast<int>(words::coverageTone(record.coverage));
    if (role == ToneRole && column == OutcomeColumn) return static_cast<int>(words::outcomeTone(record.outcome));
    if (role == SwatchRole && column == Preset && record.presetKey) return format::text(*record.presetKey);
    if (role != Qt::ToolTipRole) return {};
    switch (column) {
    case Time: return format::utc(record.createdAt);
    case Coverage: return words::shortCell(record.features.cell);
    case OutcomeColumn: return record.errorCode.empty() ? words::outcome(record.outcome) : format::text(record.errorCode);
    default: return text(row, column);
    }
}

}  // namespace signalbox::ui
