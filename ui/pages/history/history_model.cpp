// SPDX-License-Identifier: MIT
#include "ui/pages/history/history_model.h"

#include "router/evidence/attempt_words.h"
#include "ui/models/record_words.h"
#include "ui/theme/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace signalbox::ui {

using RecordPtr = HistoryModel::RecordPtr;

HistoryModel::HistoryModel(QObject* parent)
    : RowModel(parent),
      m_columns{{tr("Time"), CellKind::number, tr("Local time of arrival; UTC on hover"), 140},
                {tr("Model asked for"), CellKind::text, tr("The model field of the request"), 122},
                {tr("Preset"), CellKind::text, tr("The preset that served it"), 134},
                {tr("Coverage"), CellKind::text, tr("Which part of the table decided; the cell on hover"), 118},
                {tr("Rule"), CellKind::number, tr("Number of the rule that matched, counted from 1 as in the table"), 46},
                {tr("Outcome"), CellKind::text, tr("How the request ended for its client"), 108},
                {tr("Status"), CellKind::number, tr("HTTP status that the client got"), 56},
                {tr("First, ms"), CellKind::number, tr("From admission to the first content"), 74},
                {tr("Total, ms"), CellKind::number, tr("From admission to the end"), 74},
                {tr("Tokens in / out"), CellKind::number, tr("As the endpoint counted them"), 104},
                {tr("Cost, USD"), CellKind::number, tr("Estimate by the configured prices"), 76},
                {tr("Endpoint"), CellKind::id, tr("Provider and model that answered; where none did, the one that was tried last"), 164},
                {tr("Team"), CellKind::text, tr("Team of the principal"), 100}} {}

// Whether it belongs on a page behind that key.
static bool isOlder(const evidence::DecisionRecord& record, const evidence::PageKey& than) {
    return std::pair(record.createdAt, record.id) < std::pair(than.createdAt, than.id);
}

// Newest first, and among equals by id, as the database sorts.
static bool newer(const RecordPtr& a, const RecordPtr& b) {
    return std::pair(a->createdAt, a->id) > std::pair(b->createdAt, b->id);
}

static std::deque<RecordPtr> shared(evidence::HistoryPage& page) {
    std::deque<RecordPtr> rows;
    for (auto& record : page.rows) rows.push_back(std::make_shared<const evidence::DecisionRecord>(std::move(record)));
    return rows;
}

void HistoryModel::clear() { setFirst({}); }

void HistoryModel::setFirst(evidence::HistoryPage page) {
    beginResetModel();
    m_rows = shared(page);
    m_next = page.next;
    m_asked = m_cutMeanwhile = false;
    endResetModel();
}

void HistoryModel::append(evidence::HistoryPage page) {
    m_asked = false;
    if (std::exchange(m_cutMeanwhile, false)) return;  // asked for again, from where the rows end now
    m_next = page.next;
    auto more = shared(page);
    if (more.empty()) return;
    beginInsertRows({}, rows(), rows() + static_cast<int>(more.size()) - 1);
    m_rows.insert(m_rows.end(), more.begin(), more.end());
    endInsertRows();
}

void HistoryModel::insertRun(std::size_t at, std::vector<RecordPtr>::const_iterator first, std::vector<RecordPtr>::const_iterator last) {
    beginInsertRows({}, static_cast<int>(at), static_cast<int>(at) + static_cast<int>(last - first) - 1);
    m_rows.insert(m_rows.begin() + static_cast<std::ptrdiff_t>(at), first, last);
    endInsertRows();
}

void HistoryModel::addLive(std::vector<RecordPtr> records) {
    std::sort(records.begin(), records.end(), newer);
    const std::size_t before = m_rows.size();
    // A run is what fits between two rows; usually everything is one run at the top.
    for (auto it = records.cbegin(); it != records.cend();) {
        const auto place = std::lower_bound(m_rows.begin(), m_rows.end(), *it, newer);
        // Older than what has been read so far: its page will bring it. That may be far below the last row, or without any row
        // yet: a search has looked at more than it found.
        if (m_next && isOlder(**it, *m_next)) break;
        if (place != m_rows.end() && (*place)->id == (*it)->id) {
            ++it;
            continue;
        }
        auto end = it + 1;
        const auto belongs = [&](const RecordPtr& record) {
            return place == m_rows.end() ? !m_next || !isOlder(*record, *m_next) : newer(record, *place);
        };
        while (end != records.cend() && belongs(*end) && (*end)->id != (*(end - 1))->id) ++end;
        insertRun(static_cast<std::size_t>(place - m_rows.begin()), it, end);
        it = end;
    }
    if (m_rows.size() > before) dropOldest();
}

void HistoryModel::dropOldest() {
    if (m_rows.size() <= kMostRows) return;
    beginRemoveRows({}, static_cast<int>(kMostRows), rows() - 1);
    m_rows.resize(kMostRows);
    endRemoveRows();
    m_next = evidence::PageKey{m_rows.back()->createdAt, m_rows.back()->id};
    m_cutMeanwhile = m_asked;
}

RecordPtr HistoryModel::at(int row) const { return row >= 0 && row < rows() ? m_rows[static_cast<std::size_t>(row)] : nullptr; }

int HistoryModel::rowOf(const DecisionId& id) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&id](const RecordPtr& record) { return record->id == id; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

bool HistoryModel::canFetchMore(const QModelIndex& parent) const { return !parent.isValid() && m_next.has_value() && !m_asked; }

void HistoryModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) return;
    m_asked = true;
    Q_EMIT moreWanted(*m_next);
}

static QString whole(const std::optional<double>& milliseconds) {
    return milliseconds ? format::count(static_cast<quint64>(std::llround(*milliseconds))) : format::none();
}

static QString tokens(const std::optional<std::uint64_t>& count) { return count ? format::count(*count) : format::none(); }

QString HistoryModel::text(int row, int column) const {
    const auto& record = *m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Time: return format::dateTime(record.createdAt);
    case Model: return format::text(record.requestedModel);
    case Preset: return record.presetKey ? format::text(*record.presetKey) : format::none();
    case Coverage: return words::coverage(record);
    case Rule: return record.ruleIndex ? QString::number(*record.ruleIndex + 1) : format::none();
    case OutcomeColumn: return words::outcome(record.outcome);
    case Status: return record.status == 0 ? format::none() : QString::number(record.status);
    case FirstContent: return whole(record.firstContentMs);
    case Total: return whole(record.totalMs);
    case Tokens: return tr("%1 / %2").arg(tokens(record.inputTokens), tokens(record.outputTokens));
    case Cost: return record.costUsd ? QLocale().toString(*record.costUsd, 'f', 6) : format::none();  // digits as in the receipt
    case Endpoint: {
        const std::string& endpoint = evidence::endpointConcerned(record);
        return endpoint.empty() ? format::none() : format::text(endpoint);
    }
    case Team: return record.team.empty() ? format::none() : format::text(record.team);
    default: return {};
    }
}

QVariant HistoryModel::value(int row, int column) const {
    const auto& record = *m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Time: return static_cast<qlonglong>(record.createdAt.time_since_epoch().count());
    case Rule: return record.ruleIndex ? static_cast<int>(*record.ruleIndex) : -1;
    case Status: return record.status;
    case FirstContent: return record.firstContentMs.value_or(-1);
    case Total: return record.totalMs;
    case Tokens: return static_cast<qulonglong>(record.outputTokens.value_or(0));
    case Cost: return record.costUsd.value_or(-1);
    default: return text(row, column);
    }
}

QVariant HistoryModel::extra(int row, int column, int role) const {
    const auto& record = *m_rows[static_cast<std::size_t>(row)];
    if (role == ToneRole && column == Coverage && !record.coverage.empty()) return static_cast<int>(words::coverageTone(record.coverage));
    if (role == ToneRole && column == OutcomeColumn) return static_cast<int>(words::outcomeTone(record.outcome));
    if (role == SwatchRole && column == Preset && record.presetKey) return format::text(*record.presetKey);
    if (role != Qt::ToolTipRole) return {};
    switch (column) {
    case Time: return QString(format::utc(record.createdAt) + QLatin1Char('\n') + format::text(record.id.text()));
    case Coverage: return words::shortCell(record.features.cell);
    case Cost:
        return record.costUsd ? tr("%1 USD, an estimate").arg(text(row, column)) : tr("No price is configured for what answered, or nothing was counted");
    case OutcomeColumn: return record.errorCode.empty() ? words::outcome(record.outcome) : format::text(record.errorCode);
    case Endpoint: {
        const std::string tried = record.endpointId.empty() ? evidence::unansweredBy(record.attempts, true) : evidence::servedAfter(record);
        if (tried.empty()) return text(row, column);
        return record.endpointId.empty() ? tr("Nobody answered: %1").arg(format::text(tried))
                                         : tr("%1, after %2").arg(text(row, column), format::text(tried));
    }
    default: return text(row, column);
    }
}

}  // namespace signalbox::ui
