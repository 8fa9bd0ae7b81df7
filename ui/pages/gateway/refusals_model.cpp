// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/refusals_model.h"

#include "ui/theme/theme.h"
#include "ui/theme/format.h"

namespace signalbox::ui {

RefusalsModel::RefusalsModel(QObject* parent)
    : RowModel(parent), m_columns{{tr("Reason"), CellKind::text, tr("The code in the error body"), 150},
                                  {tr("Requests"), CellKind::number, tr("Since the gateway started"), 72},
                                  {tr("Newest"), CellKind::number, tr("Local time; UTC on hover"), 76},
                                  {tr("Remedy"), CellKind::text, tr("What the client should send; in full on hover and in the inspector"), 180}} {}

static bool same(const std::vector<engine::RefusalCount>& a, const std::vector<engine::RefusalCount>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return x.code == y.code && x.message == y.message && x.count == y.count && x.newest == y.newest;
    });
}

void RefusalsModel::set(std::vector<engine::RefusalCount> refusals) {
    std::stable_sort(refusals.begin(), refusals.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    if (same(refusals, m_refusals)) return;
    if (refusals.size() == m_refusals.size()) {  // only counts moved: keep selection and focus
        m_refusals = std::move(refusals);
        Q_EMIT dataChanged(index(0, 0), index(rows() - 1, Fix));
        return;
    }
    beginResetModel();
    m_refusals = std::move(refusals);
    endResetModel();
}

const engine::RefusalCount* RefusalsModel::at(int row) const {
    return row >= 0 && row < rows() ? &m_refusals[static_cast<std::size_t>(row)] : nullptr;
}

QString RefusalsModel::text(int row, int column) const {
    const engine::RefusalCount& refusal = m_refusals[static_cast<std::size_t>(row)];
    switch (column) {
    case Reason: return format::text(refusal.code);
    case Count: return format::count(refusal.count);
    case Newest: return format::clockTime(refusal.newest);
    case Fix: return format::text(refusal.message);
    default: return {};
    }
}

QVariant RefusalsModel::value(int row, int column) const {
    const engine::RefusalCount& refusal = m_refusals[static_cast<std::size_t>(row)];
    if (column == Count) return static_cast<qulonglong>(refusal.count);
    if (column == Newest) return static_cast<qlonglong>(refusal.newest.time_since_epoch().count());
    return text(row, column);
}

QVariant RefusalsModel::extra(int row, int column, int role) const {
    if (role == ToneRole && column == Reason) return static_cast<int>(Tone::caution);
    if (role != Qt::ToolTipRole) return {};
    return column == Newest ? format::utc(m_refusals[static_cast<std::size_t>(row)].newest) : text(row, column);
}

}  // namespace signalbox::ui
