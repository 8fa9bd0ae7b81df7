// SPDX-License-Identifier: MIT
#include "ui/pages/overview/findings_model.h"

#include "ui/widgets/findings_list.h"
#include "ui/theme/format.h"

namespace signalbox::ui {

FindingsModel::FindingsModel(QObject* parent)
    : RowModel(parent), m_columns{{tr("Kind"), CellKind::text, tr("Findings come from reading, advisories from the linter"), 134},
                                  {tr("What"), CellKind::text, {}, 340},
                                  {tr("Pointer"), CellKind::id, tr("Where in the document"), 150},
                                  {tr("Place"), CellKind::text, tr("Line and column in the file"), 126},
                                  {tr("Code"), CellKind::muted, tr("Stable name of this kind of finding"), 150}} {}

void FindingsModel::set(std::vector<Entry> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
}

const FindingsModel::Entry* FindingsModel::at(int row) const {
    return row >= 0 && row < rows() ? &m_entries[static_cast<std::size_t>(row)] : nullptr;
}

QString FindingsModel::text(int row, int column) const {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    switch (column) {
    case SeverityColumn: return entry.advisory ? tr("advisory") : wordOf(entry.finding.severity);
    case Message: return format::sentence(entry.finding.message);
    case Pointer: return format::text(entry.finding.pointer);
    case Place: return placeOf(entry.finding);
    case Code: return format::text(entry.finding.code);
    default: return {};
    }
}

QVariant FindingsModel::value(int row, int column) const {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    if (column == SeverityColumn) return static_cast<int>(entry.finding.severity) * 2 + (entry.advisory ? 1 : 0);
    if (column == Place) return static_cast<qlonglong>(entry.finding.position.line) * 100'000 + entry.finding.position.column;
    return text(row, column);
}

QVariant FindingsModel::extra(int row, int column, int role) const {
    const Entry& entry = m_entries[static_cast<std::size_t>(row)];
    if (role == ToneRole && column == SeverityColumn) return static_cast<int>(toneOf(entry.finding.severity));
    if (role == Qt::ToolTipRole && column == Message && !entry.finding.hint.empty())
        return QString(text(row, column) + QLatin1Char('\n') + format::text(entry.finding.hint));
    if (role == Qt::ToolTipRole) return column == Place ? entry.file : text(row, column);
    return {};
}

}  // namespace signalbox::ui
