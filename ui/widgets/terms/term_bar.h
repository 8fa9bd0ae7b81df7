// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/terms/term_row.h"

#include <QWidget>

namespace signalbox::ui {

/// One candidate of a decision: its name, what it is in this decision, the five terms of its score as a stacked bar on
/// a scale from 0 to 1.02, and the score; a hatched row with the reason when it was cut. Speaks its numbers to screen
/// readers and shows the raw inputs on hover. Beside each other in a column from `kWide` pixels on, else stacked.
class TermBar : public QWidget {
    Q_OBJECT
public:
    static constexpr int kWide = 460;

    explicit TermBar(QWidget* parent = nullptr);

    void setRow(const TermRow& row, const policy::smart::Weights& weights);
    [[nodiscard]] const TermRow& row() const { return m_row; }
    /// Width of the name's column where there is room for one; bars of a decision share it.
    void setNameWidth(int width);
    [[nodiscard]] int wantedNameWidth() const;
    /// Marks the row that the page shows in full.
    void setCurrent(bool current);
    /// Where the bar of a score of 1.02 would stand, in this widget's coordinates.
    [[nodiscard]] QRectF track() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    /// Click or Enter.
    void chosen();
    /// Up is -1 and down is 1; Home and End ask for the far ends.
    void moveAsked(int by);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] bool isWide() const { return width() >= kWide; }
    [[nodiscard]] QRectF nameBox() const;
    [[nodiscard]] QRectF marksBox() const;
    [[nodiscard]] QRectF scoreBox() const;
    void paintName(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintParts(QPainter& painter) const;
    void paintCut(QPainter& painter) const;

    TermRow m_row;
    int m_nameWidth = 160;
    bool m_current = false;
    bool m_hovered = false;
};

}  // namespace signalbox::ui
