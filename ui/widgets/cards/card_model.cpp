// SPDX-License-Identifier: MIT
#include "ui/widgets/cards/card_model.h"

#include "ui/theme/plain_tip.h"

namespace signalbox::ui {

QString Card::spoken() const {
    QStringList parts;
    const QString arrow = id.isEmpty() ? QString() : QStringLiteral("→ ") + id;
    for (const QString& part : {mark.isEmpty() ? title : mark + QStringLiteral(". ") + title, arrow, status, figure, detail, remark})
        if (!part.isEmpty()) parts << part;
    return parts.join(QStringLiteral("\n"));
}

void CardModel::set(std::vector<Card> cards) {
    if (cards == m_cards) return;
    if (cards.size() == m_cards.size()) {
        m_cards = std::move(cards);
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        Q_EMIT layoutChanged();  // heights may differ
        return;
    }
    beginResetModel();
    m_cards = std::move(cards);
    endResetModel();
}

const Card* CardModel::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_cards[static_cast<std::size_t>(row)] : nullptr;
}

int CardModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_cards.size()); }

QVariant CardModel::data(const QModelIndex& index, int role) const {
    const Card* card = at(index.row());
    if (card == nullptr) return {};
    switch (role) {
    case Qt::DisplayRole: return card->title;
    case Qt::ToolTipRole: return plainTip(card->spoken());
    case Qt::AccessibleTextRole: return card->spoken();
    default: return {};
    }
}

}  // namespace signalbox::ui
