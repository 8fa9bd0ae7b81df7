// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/roles.h"
#include "ui/theme/theme.h"

#include <QAbstractListModel>
#include <QString>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// One thing told in a few lines: a rule, a declared gap. Empty parts take no room.
struct Card {
    QString mark;     ///< small, before the title: the number of a rule
    QString title;    ///< wraps
    QString id;       ///< in the fixed font, elided in the middle; an arrow stands before it
    std::optional<Tone> tone;
    QString status;   ///< beside the tone's glyph
    QString figure;   ///< right-aligned on the status line
    QString detail;   ///< muted, at most two lines
    std::optional<Tone> remarkTone;
    QString remark;   ///< last line, in the remark's tone
    /// All of it as one sentence, for hover and screen readers.
    [[nodiscard]] QString spoken() const;
    bool operator==(const Card&) const = default;
};

class CardModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    /// Keeps the rows (and so selection and scroll place) when only their content differs.
    void set(std::vector<Card> cards);
    [[nodiscard]] const Card* at(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<Card> m_cards;
};

}  // namespace signalbox::ui
