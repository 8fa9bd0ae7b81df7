// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/pool_candidates_model.h"

#include "ui/models/pool_words.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QLocale>

#include <algorithm>

namespace signalbox::ui {

PoolCandidatesModel::PoolCandidatesModel(QObject* parent)
    : RowModel(parent), m_columns{{tr("Endpoint"), CellKind::id, tr("Members of the pool, in the order of the file"), 108},
                                  {tr("USD"), CellKind::number, tr("Effective cost of the reference request in US dollars, estimate: the price by the token, or what its quota or slot is worth now"), 72},
                                  {tr("ms"), CellKind::number, tr("Mean time to the first token in milliseconds"), 52},
                                  {tr("Share, or why not"), CellKind::text, tr("Its part of the draw, or why it could not take a request now"), 120}} {}

void PoolCandidatesModel::set(const dispatch::PoolView& pool) {
    const bool isSame = std::ranges::equal(pool.members, m_members, {}, &dispatch::PoolMemberView::endpointId, &dispatch::PoolMemberView::endpointId);
    if (!isSame) beginResetModel();
    m_members = pool.members;
    m_localFirst = pool.local.has_value();
    std::vector<double> shares;
    for (const auto& member : m_members) shares.push_back(m_localFirst && member.kind == "local" ? 0 : member.share);
    m_percents = words::percents(shares);
    if (!isSame) endResetModel();
    else if (!m_members.empty()) Q_EMIT dataChanged(index(0, 0), index(rows() - 1, columnCount() - 1));
}

const dispatch::PoolMemberView* PoolCandidatesModel::at(int row) const { return row >= 0 && row < rows() ? &m_members[static_cast<std::size_t>(row)] : nullptr; }

QString PoolCandidatesModel::text(int row, int column) const {
    const auto& member = *at(row);
    switch (column) {
    case Endpoint: return format::text(member.endpointId);
    case Cost: return words::usd(member.costUsd);
    case FirstToken: return member.meanTtftMs ? QLocale().toString(*member.meanTtftMs, 'f', 0) : format::none();
    case Share:
        if (!member.excluded.empty()) return words::excluded(member.excluded);
        if (m_localFirst && member.kind == "local") return tr("first");
        if (m_localFirst && std::ranges::all_of(m_percents, [](int percent) { return percent == 0; })) return tr("then");
        return tr("%1 %").arg(m_percents[static_cast<std::size_t>(row)]);
    default: return {};
    }
}

QVariant PoolCandidatesModel::value(int row, int column) const {
    const auto& member = *at(row);
    if (column == Cost) return member.costUsd ? QVariant(*member.costUsd) : QVariant();
    if (column == FirstToken) return member.meanTtftMs ? QVariant(*member.meanTtftMs) : QVariant();
    return column == Share ? QVariant(member.excluded.empty() ? member.share : -1.0) : QVariant(text(row, column));
}

QVariant PoolCandidatesModel::extra(int row, int column, int role) const {
    const auto& member = *at(row);
    if (role == SwatchRole && column == Endpoint) return format::text(member.endpointId);
    if (role == ToneRole && column == Share) return member.excluded.empty() ? QVariant() : QVariant(static_cast<int>(Tone::caution));
    if (role != Qt::ToolTipRole) return {};
    switch (column) {
    case Endpoint: return tr("%1 · %2, %3").arg(format::text(member.endpointId), words::routeKind(member.kind), words::billing(member.billing));
    case Cost: return tr("Estimate; %1").arg(words::billing(member.billing));
    case FirstToken: return tr("%1, from %2 real calls").arg(words::ttftBasis(member.ttftBasis), format::count(member.ttftSamples));
    default: return member.excluded.empty() ? tr("Weight in the file: %1").arg(QLocale().toString(member.weight)) : words::excluded(member.excluded);
    }
}

}  // namespace signalbox::ui
