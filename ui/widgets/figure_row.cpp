// SPDX-License-Identifier: MIT
#include "ui/widgets/figure_row.h"

#include "ui/theme/theme.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>

namespace signalbox::ui {

FigureRow::FigureRow(const QList<QWidget*>& figures, QWidget* parent) : QWidget(parent), m_figures(figures), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(Theme::kSection);
    m_grid->setVerticalSpacing(Theme::kMargin);
    m_grid->setSizeConstraint(QLayout::SetNoConstraint);  // ours asks for less than one row of them needs
    arrange();
}

int FigureRow::leastWidth(int columns) const {
    int widest = 0;
    for (const QWidget* figure : m_figures) widest = std::max({widest, figure->minimumSizeHint().width(), figure->minimumWidth()});
    return columns * widest + (columns - 1) * Theme::kSection;
}

QSize FigureRow::minimumSizeHint() const { return {leastWidth(1), m_grid->minimumSize().height()}; }

void FigureRow::arrange() {
    const int count = static_cast<int>(m_figures.size());
    int columns = count;
    // A row that is not full would leave the eye without its columns.
    while (columns > 1 && (count % columns != 0 || leastWidth(columns) > width())) --columns;
    if (columns == m_columns) return;
    for (QWidget* figure : std::as_const(m_figures)) m_grid->removeWidget(figure);
    for (int i = 0; i < count; ++i) {
        m_grid->addWidget(m_figures[i], i / columns, i % columns);
        m_grid->setColumnStretch(i, i < columns ? 1 : 0);
    }
    m_columns = columns;
    updateGeometry();
}

bool FigureRow::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest) arrange();  // what a figure shows became wider or narrower
    return QWidget::event(event);
}

void FigureRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace signalbox::ui
