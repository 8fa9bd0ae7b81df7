// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/coverage_model.h"

#include "ui/models/record_words.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace signalbox::ui {

void CoverageModel::setCoverage(table::FamilyCoverage coverage) {
    beginResetModel();
    m_coverage = std::move(coverage);
    m_hits.reset();
    endResetModel();
}

void CoverageModel::setHits(std::optional<evidence::CellHits> hits) {
    m_hits = std::move(hits);
    m_most = m_hits ? *std::max_element(m_hits->hits.begin(), m_hits->hits.end()) : 0;
    if (m_coverage) Q_EMIT dataChanged(index(0, 0), index(kRows - 1, kColumns - 1));
}

table::Cell CoverageModel::cellAt(int row, int column) {
    return {table::kWorkloadClasses[static_cast<std::size_t>(row)],
            table::kLengthBuckets[static_cast<std::size_t>(column % kLengths)],
            table::kConcurrencyModes[static_cast<std::size_t>(column / kLengths)]};
}

QModelIndex CoverageModel::indexOf(const table::Cell& cell) const {
    return index(static_cast<int>(cell.workload), static_cast<int>(cell.concurrency) * kLengths + static_cast<int>(cell.length));
}

const table::CellCoverage* CoverageModel::coverageAt(const QModelIndex& index) const {
    if (!m_coverage || !index.isValid()) return nullptr;
    return &m_coverage->cells[cellAt(index.row(), index.column()).index()];
}

QString CoverageModel::sentence(const QModelIndex& index) const {
    const table::CellCoverage* covered = coverageAt(index);
    if (covered == nullptr) return {};
    const bool byDesign = m_coverage->singlePresetByDesign && covered->landing == table::Landing::nothing;
    QString text = tr("%1: %2").arg(words::cell(covered->cell), byDesign ? tr("single preset by design") : words::landing(covered->landing));
    if (covered->presetKey) text += tr(", preset %1").arg(format::text(*covered->presetKey));
    if (!covered->gapIndexes.empty() && covered->landing != table::Landing::declaredGap)
        text += tr(", also named by a declared gap");
    if (m_hits) text += tr("; %n request(s)", nullptr, static_cast<int>(m_hits->hits[covered->cell.index()]));
    return text;
}

QString CoverageModel::toText() const {
    QStringList lines;
    for (int row = 0; m_coverage && row < kRows; ++row)
        for (int column = 0; column < kColumns; ++column) lines << sentence(index(row, column));
    return lines.join(QLatin1Char('\n'));
}

int CoverageModel::rowCount(const QModelIndex& parent) const { return parent.isValid() || !m_coverage ? 0 : kRows; }
int CoverageModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QVariant CoverageModel::data(const QModelIndex& index, int role) const {
    const table::CellCoverage* covered = coverageAt(index);
    if (covered == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole: return words::shortLanding(covered->landing, m_coverage->singlePresetByDesign);
    case Qt::ToolTipRole: return plainTip(sentence(index));
    case Qt::AccessibleTextRole: return sentence(index);
    case ToneRole: return static_cast<int>(words::landingTone(covered->landing));
    case PresetRole: return covered->presetKey ? format::text(*covered->presetKey) : QString();
    case HatchedRole: return !covered->gapIndexes.empty();
    case HitsRole: return m_hits ? QVariant::fromValue(static_cast<quint64>(m_hits->hits[covered->cell.index()])) : QVariant();
    case ShareRole:
        return m_hits && m_most > 0 ? QVariant(static_cast<double>(m_hits->hits[covered->cell.index()]) / static_cast<double>(m_most)) : QVariant();
    default: return {};
    }
}

QVariant CoverageModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (section < 0 || section >= (orientation == Qt::Horizontal ? kColumns : kRows)) return {};
    const table::Cell cell = orientation == Qt::Horizontal ? cellAt(0, section) : cellAt(section, 0);
    if (orientation == Qt::Vertical) return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? QVariant(words::workload(cell.workload)) : QVariant();
    if (role == Qt::DisplayRole) return words::shortLength(cell.length);
    const QString whole = words::length(cell.length) + QStringLiteral(", ") + words::concurrency(cell.concurrency);
    if (role == Qt::AccessibleTextRole) return whole;
    if (role == Qt::ToolTipRole) return plainTip(whole);
    return {};
}

}  // namespace signalbox::ui
