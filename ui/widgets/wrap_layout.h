// SPDX-License-Identifier: MIT
#pragma once

#include <QLayout>

#include <vector>

namespace signalbox::ui {

/// Widgets beside each other, on further lines where they do not fit: chips, figures. Each keeps its own size, in the middle
/// of its line; one that is wider than the whole gets the whole.
class WrapLayout : public QLayout {
    Q_OBJECT
public:
    explicit WrapLayout(QWidget* parent = nullptr);
    ~WrapLayout() override;

    /// Before the item at `index`.
    void insertWidget(int index, QWidget* widget);
    void addItem(QLayoutItem* item) override;
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override { return place({0, 0, width, 0}, false); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    /// Height that is used in `rect`.
    int place(const QRect& rect, bool move) const;

    std::vector<QLayoutItem*> m_items;
};

}  // namespace signalbox::ui
