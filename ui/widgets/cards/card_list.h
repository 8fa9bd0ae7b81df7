// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/cards/card_model.h"

#include <QListView>
#include <QSet>

namespace signalbox::ui {

class CardDelegate;

/// A list of cards. Arrows move, Enter or double click goes deeper, hovering tells which card the pointer is on.
class CardList : public QListView {
    Q_OBJECT
public:
    /// `name` is the accessible name.
    explicit CardList(const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] CardModel* cards() const { return m_model; }
    /// Marks cards that belong to what the pointer or focus is on elsewhere, and brings the first one into view.
    void setLit(const QSet<int>& rows);
    [[nodiscard]] bool isLit(int row) const;
    void selectRow(int row);
    /// Takes the height of its cards, up to `most` pixels, instead of all the room there is.
    void fitContents(int most);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void hovered(int row);  ///< -1 when the pointer leaves
    void selected(int row);
    void opened(int row);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    [[nodiscard]] int contentHeight() const;

    CardModel* m_model;
    CardDelegate* m_delegate;
    int m_most = 0;  ///< 0: not fitted
};

}  // namespace signalbox::ui
