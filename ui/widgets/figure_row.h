// SPDX-License-Identifier: MIT
#pragma once

#include <QList>
#include <QWidget>

class QGridLayout;

namespace signalbox::ui {

/// Figures in equal columns: all beside each other where there is room, else in full rows of half or a third of them.
class FigureRow : public QWidget {
    Q_OBJECT
public:
    /// Takes the figures.
    explicit FigureRow(const QList<QWidget*>& figures, QWidget* parent = nullptr);

    [[nodiscard]] int columns() const { return m_columns; }
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] int leastWidth(int columns) const;
    void arrange();

    QList<QWidget*> m_figures;
    QGridLayout* m_grid;
    int m_columns = 0;
};

}  // namespace signalbox::ui
