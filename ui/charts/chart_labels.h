// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_plot.h"

namespace signalbox::ui {

/// The names of the lines, each beside the end of its line and joined to it, with its figure. Where the lines end too
/// close to be pointed at the names stand for themselves. A click chooses the line.
class ChartLabels : public QWidget {
    Q_OBJECT
public:
    explicit ChartLabels(const TimePlot* view, QWidget* parent = nullptr);
    void refresh();

    [[nodiscard]] QSize sizeHint() const override { return {196, 100}; }

Q_SIGNALS:
    void chosen(int line);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] int lineAt(const QPointF& position) const;

    const TimePlot* m_view;
    bool m_leaders = true;
    std::vector<EndLabel> m_labels;
    std::vector<double> m_placed;  ///< centre of each label
    int m_hovered = -1;
};

/// Moves label centres (ascending in y) apart to at least `gap`, within `top` and `bottom`, as little as needed.
[[nodiscard]] std::vector<double> spread(std::vector<double> centres, double gap, double top, double bottom);

}  // namespace signalbox::ui
