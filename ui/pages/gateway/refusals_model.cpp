// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/refusals_model.h"

#include "ui/bridge/refusal_words.h"
#include "ui/theme/theme.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace signalbox::ui {

RefusalsModel::RefusalsModel(QObject* parent)
    : RowModel(parent), m_columns{{tr("Reason"), CellKind::text, tr("The code in the error body"), 140},
                                  {tr("Client"), CellKind::text, tr("Its principal where its token said it, its address, and what it calls itself"), 150},
                                  {tr("Requests"), CellKind::number, tr("In the last hour; of a gateway of an older version since it started"), 72},
                                  {tr("Newest"), CellKind::number, tr("Local time; UTC on hover"), 76},
                                  {tr("Remedy"), CellKind::text, tr("What the client should send; in full on hover and in the inspector"), 160}} {}

using RefusalKey = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, bool>;

static RefusalKey keyOf(const engine::RefusalCount& r) { return {r.code, r.peer, r.agent, r.principal, r.others}; }

/// Where each stands.
static std::map<RefusalKey, int> places(const std::vector<engine::RefusalCount>& refusals) {
    std::map<RefusalKey, int> out;
    for (const auto& refusal : refusals) out.emplace(keyOf(refusal), static_cast<int>(out.size()));
    return out;
}

static bool areDistinct(const std::vector<engine::RefusalCount>& refusals) { return places(refusals).size() == refusals.size(); }

void RefusalsModel::set(std::vector<engine::RefusalCount> refusals) {
    std::stable_sort(refusals.begin(), refusals.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
    if (refusals == m_refusals) return;
    if (!areDistinct(refusals) || !areDistinct(m_refusals)) {  // an odd gateway tells the same twice
        beginResetModel();
        m_refusals = std::move(refusals);
        return endResetModel();
    }
    removeMissing(refusals);
    appendNew(refusals);
    arrange(std::move(refusals));
}

void RefusalsModel::removeMissing(const std::vector<engine::RefusalCount>& now) {
    const auto kept = places(now);
    for (int row = rows() - 1; row >= 0; --row) {
        if (kept.count(keyOf(*at(row))) > 0) continue;
        beginRemoveRows({}, row, row);
        m_refusals.erase(m_refusals.begin() + row);
        endRemoveRows();
    }
}

void RefusalsModel::appendNew(const std::vector<engine::RefusalCount>& now) {
    const auto before = places(m_refusals);
    std::vector<engine::RefusalCount> added;
    for (const auto& refusal : now)
        if (before.count(keyOf(refusal)) == 0) added.push_back(refusal);
    if (added.empty()) return;
    beginInsertRows({}, rows(), rows() + static_cast<int>(added.size()) - 1);
    m_refusals.insert(m_refusals.end(), added.begin(), added.end());
    endInsertRows();
}

// The same clients and reasons, in their new order.
void RefusalsModel::arrange(std::vector<engine::RefusalCount> now) {
    if (now.empty()) return;
    const auto to = places(now);
    const auto moves = [&] {
        for (int row = 0; row < rows(); ++row)
            if (to.at(keyOf(*at(row))) != row) return true;
        return false;
    }();
    if (moves) {
        Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
        const QModelIndexList from = persistentIndexList();
        QModelIndexList there;
        for (const QModelIndex& one : from) there << index(to.at(keyOf(*at(one.row()))), one.column());
        changePersistentIndexList(from, there);
        m_refusals = std::move(now);
        Q_EMIT layoutChanged({}, VerticalSortHint);
    } else {
        m_refusals = std::move(now);
    }
    Q_EMIT dataChanged(index(0, 0), index(rows() - 1, Fix));
}

const engine::RefusalCount* RefusalsModel::at(int row) const {
    return row >= 0 && row < rows() ? &m_refusals[static_cast<std::size_t>(row)] : nullptr;
}

QString RefusalsModel::text(int row, int column) const {
    const engine::RefusalCount& refusal = m_refusals[static_cast<std::size_t>(row)];
    switch (column) {
    case Reason: return format::text(refusal.code);
    case Client: return words::refusedClient(refusal);
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
