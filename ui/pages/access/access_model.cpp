// SPDX-License-Identifier: MIT
#include "ui/pages/access/access_model.h"

#include <algorithm>

namespace signalbox::ui {

static std::vector<Column> columnsOf(AccessList list) {
    const auto tr = [](const char* text) { return AccessModel::tr(text); };
    switch (list) {
    case AccessList::principals:
        return {{tr("Principal"), CellKind::id, tr("Who sends: a person, a program"), 150},
                {tr("Team"), CellKind::text, {}, 110},
                {tr("Token"), CellKind::text, tr("How the token is given; the token itself stands nowhere"), 240},
                {tr("May use"), CellKind::text, tr("What the lists of groups, models and providers leave"), 110},
                {tr("Pins"), CellKind::text, tr("May choose preset or endpoint by a header"), 52},
                {tr("A minute"), CellKind::number, tr("Requests that are let through each minute"), 84},
                {tr("This month"), CellKind::number, tr("Estimated cost since the first of the month, UTC, against the budget"), 160}};
    case AccessList::providers:
        return {{tr("Provider"), CellKind::id, {}, 110},
                {tr("Protocol"), CellKind::text, {}, 106},
                {tr("Host"), CellKind::id, tr("Of the base URL in force"), 150},
                {tr("Key"), CellKind::text, tr("The variable that holds it; the key itself stands nowhere"), 180},
                {tr("Models"), CellKind::id, {}, 190},
                {tr("Callable"), CellKind::text, tr("Or what is missing for a call"), 110},
                {tr("Can do"), CellKind::text, tr("What its models can do, where nothing else is said of one"), 150}};
    case AccessList::prices:
        return {{tr("Provider"), CellKind::id, {}, 110},
                {tr("Model"), CellKind::id, {}, 190},
                {tr("Input $/M"), CellKind::number, tr("US dollars per million tokens read"), 84},
                {tr("Output $/M"), CellKind::number, tr("US dollars per million tokens written"), 90},
                {tr("Cached $/M"), CellKind::number, tr("US dollars per million tokens read from a cache"), 90},
                {tr("Caching $/M"), CellKind::number, tr("US dollars per million tokens written to a cache"), 94},
                {tr("Age"), CellKind::text, tr("Since effective_at"), 110},
                {tr("Source"), CellKind::text, tr("Who says so"), 120}};
    case AccessList::aliases: break;
    }
    return {{tr("Name"), CellKind::id, tr("What clients send as model"), 200},
            {tr("Kind"), CellKind::text, tr("A static alias always means the same; a smart one chooses"), 90},
            {tr("Leads to"), CellKind::id, {}, 320}};
}

AccessModel::AccessModel(AccessList list, QObject* parent) : RowModel(parent), m_list(list), m_columns(columnsOf(list)) {}

void AccessModel::set(std::vector<AccessRow> rows) {
    const bool same = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                 [](const AccessRow& a, const AccessRow& b) { return a.key == b.key; });
    if (same) {
        m_rows = std::move(rows);
        if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(this->rows() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const AccessKey* AccessModel::keyAt(int row) const { return row >= 0 && row < rows() ? &m_rows[static_cast<std::size_t>(row)].key : nullptr; }

int AccessModel::rowOf(const AccessKey& key) const {
    const auto at = std::find_if(m_rows.begin(), m_rows.end(), [&](const AccessRow& row) { return row.key == key; });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

const AccessCell& AccessModel::cell(int row, int column) const { return m_rows[static_cast<std::size_t>(row)].cells[static_cast<std::size_t>(column)]; }

QVariant AccessModel::value(int row, int column) const {
    const AccessCell& c = cell(row, column);
    return c.sort.isValid() ? c.sort : QVariant(c.text);
}

QVariant AccessModel::extra(int row, int column, int role) const {
    const AccessCell& c = cell(row, column);
    if (role == ToneRole && c.tone) return static_cast<int>(*c.tone);
    if (role == ShareRole && c.share) return *c.share;
    if (role == Qt::ToolTipRole) return c.tip.isEmpty() ? c.text : c.tip;
    return {};
}

}  // namespace signalbox::ui
