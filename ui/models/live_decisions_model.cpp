// SPDX-License-Identifier: MIT
#include "ui/models/live_decisions_model.h"

#include "ui/models/record_words.h"
#include "ui/models/running_words.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace signalbox::ui {

LiveDecisionsModel::LiveDecisionsModel(std::size_t limit, QObject* parent)
    : RowModel(parent), m_limit(limit),
      m_columns{{tr("Time"), CellKind::number, tr("Local time of arrival; UTC on hover"), 76},
                {tr("Model asked for"), CellKind::text, tr("The model field of the request"), 138},
                {tr("Preset"), CellKind::text, tr("The preset that served it"), 124},
                {tr("Coverage"), CellKind::text, tr("Which part of the table decided"), 132},
                {tr("Outcome"), CellKind::text, tr("How the request ended for its client, or how far it has come and for how long"), 192},
                {tr("First, ms"), CellKind::number, tr("First token: from admission to the first content"), 80},
                {tr("Tokens out"), CellKind::number, tr("Output tokens as the endpoint counted them"), 84},
                {tr("Endpoint"), CellKind::id, tr("Provider and model that answered"), 158}} {}

void LiveDecisionsModel::add(const std::vector<RecordPtr>& records) {
    std::vector<RecordPtr> others;
    for (const RecordPtr& record : records) {
        const int row = m_running.empty() ? -1 : runningRowOf(record->id);
        if (row >= 0) finish(row, record);
        else others.push_back(record);
    }
    // Of a batch larger than the limit only its newest part would stay anyway.
    const std::size_t taken = std::min(others.size(), m_limit);
    if (taken > 0) {
        beginInsertRows({}, runningRows(), runningRows() + static_cast<int>(taken) - 1);
        for (std::size_t i = others.size() - taken; i < others.size(); ++i) m_records.push_front(others[i]);
        endInsertRows();
    }
    trim();
}

// To the top of those that ended. A move takes along whatever points to the row.
void LiveDecisionsModel::finish(int runningRow, const RecordPtr& record) {
    const int last = runningRows() - 1;
    const bool moves = runningRow < last && beginMoveRows({}, runningRow, runningRow, {}, last + 1);
    m_running.erase(m_running.begin() + runningRow);
    m_records.push_front(record);
    if (moves) endMoveRows();
    Q_EMIT dataChanged(index(last, 0), index(last, Endpoint));
}

void LiveDecisionsModel::trim() {
    if (m_records.size() <= m_limit) return;
    beginRemoveRows({}, runningRows() + static_cast<int>(m_limit), rows() - 1);
    m_records.resize(m_limit);
    endRemoveRows();
}

void LiveDecisionsModel::setRunning(const std::vector<evidence::RunningRequest>& requests, Steady now) {
    m_now = now;
    dropMissing();
    for (Running& running : m_running) running.isMissing = true;
    std::vector<Running> added;
    for (const auto& request : requests) {
        if (const int row = runningRowOf(request.id); row >= 0) m_running[static_cast<std::size_t>(row)] = {request};
        else if (!isFinished(request.id)) added.push_back({request});  // else it ended while the answer was on its way
    }
    if (!m_running.empty()) Q_EMIT dataChanged(index(0, 0), index(runningRows() - 1, Endpoint));
    if (added.empty()) return;
    beginInsertRows({}, 0, static_cast<int>(added.size()) - 1);
    m_running.insert(m_running.begin(), added.rbegin(), added.rend());
    endInsertRows();
}

// Missed twice: its record was among those that came too fast to show.
void LiveDecisionsModel::dropMissing() {
    for (int row = runningRows() - 1; row >= 0; --row) {
        if (!m_running[static_cast<std::size_t>(row)].isMissing) continue;
        beginRemoveRows({}, row, row);
        m_running.erase(m_running.begin() + row);
        endRemoveRows();
    }
}

void LiveDecisionsModel::reset(const std::vector<RecordPtr>& records) {
    beginResetModel();
    m_running.clear();
    m_records.clear();
    endResetModel();
    add(records);
}

LiveDecisionsModel::RecordPtr LiveDecisionsModel::at(int row) const {
    return row >= runningRows() && row < rows() ? m_records[static_cast<std::size_t>(row - runningRows())] : nullptr;
}

const evidence::RunningRequest* LiveDecisionsModel::runningAt(int row) const {
    return row >= 0 && row < runningRows() ? &m_running[static_cast<std::size_t>(row)].request : nullptr;
}

int LiveDecisionsModel::runningRowOf(const DecisionId& id) const {
    const auto found = std::find_if(m_running.begin(), m_running.end(), [&](const Running& one) { return one.request.id == id; });
    return found == m_running.end() ? -1 : static_cast<int>(found - m_running.begin());
}

bool LiveDecisionsModel::isFinished(const DecisionId& id) const {
    return std::any_of(m_records.begin(), m_records.end(), [&](const RecordPtr& record) { return record->id == id; });
}

int LiveDecisionsModel::rowOf(const DecisionId& id) const {
    if (const int row = runningRowOf(id); row >= 0) return row;
    const auto found = std::find_if(m_records.begin(), m_records.end(), [&](const RecordPtr& record) { return record->id == id; });
    return found == m_records.end() ? -1 : runningRows() + static_cast<int>(found - m_records.begin());
}

QString LiveDecisionsModel::runningText(const evidence::RunningRequest& request, int column) const {
    switch (column) {
    case Time: return format::clockTime(request.createdAt);
    case Model: return format::text(request.requestedModel);
    case Preset: return request.presetKey ? format::text(*request.presetKey) : format::none();
    case OutcomeColumn: return tr("%1 %2", "a request is waiting or streaming, 42 s").arg(words::stage(request.stage), words::age(request, m_now));
    case FirstToken: return request.firstContentMs ? format::count(static_cast<quint64>(*request.firstContentMs + 0.5)) : format::none();
    case Endpoint: return request.endpointId.empty() ? format::none() : format::text(request.endpointId);
    default: return format::none();
    }
}

QVariant LiveDecisionsModel::runningExtra(const evidence::RunningRequest& request, int column, int role) const {
    if (role == ToneRole && column == OutcomeColumn) return static_cast<int>(words::stageTone(request.stage));
    if (role == SwatchRole && column == Preset && request.presetKey) return format::text(*request.presetKey);
    if (role != Qt::ToolTipRole) return {};
    switch (column) {
    case Time: return format::utc(request.createdAt);
    case OutcomeColumn: return words::stageSentence(request);
    default: return runningText(request, column);
    }
}

QString LiveDecisionsModel::text(int row, int column) const {
    if (const auto* running = runningAt(row)) return runningText(*running, column);
    const auto& record = recordAt(row);
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
    if (runningAt(row) != nullptr) return text(row, column);
    const auto& record = recordAt(row);
    switch (column) {
    case Time: return static_cast<qlonglong>(record.createdAt.time_since_epoch().count());
    case FirstToken: return record.firstContentMs.value_or(-1);
    case Tokens: return record.outputTokens ? static_cast<qlonglong>(*record.outputTokens) : -1;
    default: return text(row, column);
    }
}

QVariant LiveDecisionsModel::extra(int row, int column, int role) const {
    if (const auto* running = runningAt(row)) return runningExtra(*running, column, role);
    const auto& record = recordAt(row);
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
