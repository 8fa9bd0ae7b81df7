// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_plot.h"

namespace signalbox::ui {

class EventLayer;

/// The layer above a chart that takes mouse and keys, so that hovering never redraws the chart itself.
/// Mouse: move to read, drag to choose a range, click to go to what is behind the point.
/// Keys: left and right move the cursor, with Shift they stretch a range, up and down choose a line, page up and page
/// down go to the event before and after, Enter goes deeper or into the range, Escape lets go, Home and End go to the ends.
class ChartHover : public QWidget {
    Q_OBJECT
public:
    ChartHover(const TimePlot* view, const EventLayer* events, const QString& name, QWidget* parent);

    /// The chart has other data or another size now.
    void refresh();
    /// Draws a frame round what the page shows of this chart.
    void setMarked(const std::optional<evidence::TimeRange>& range);
    [[nodiscard]] std::optional<std::size_t> cursor() const { return m_cursor; }
    [[nodiscard]] std::optional<std::size_t> line() const { return m_line; }
    /// What a screen reader hears about the cursor.
    [[nodiscard]] QString spoken() const { return accessibleDescription(); }

Q_SIGNALS:
    void rangeChosen(const signalbox::evidence::TimeRange& range);
    /// `line` indexes the plot's lines; -1 for none.
    void pointChosen(std::size_t index, int line);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void moveTo(std::optional<std::size_t> index, std::optional<std::size_t> line);
    /// The cursor's reading for screen readers; how to read the chart without one.
    void describe();
    void readAt(const QPointF& position);
    void step(int by, bool stretch);
    void stepLine(int by);
    void stepEvent(int by);
    /// Of one time, events included.
    [[nodiscard]] PlotReading readingAt(std::size_t index) const;
    void enter();
    void paintSpan(QPainter& painter, const evidence::TimeRange& range, bool filled) const;
    [[nodiscard]] std::optional<evidence::TimeRange> brushed() const;

    const TimePlot* m_view;
    const EventLayer* m_events;
    std::optional<evidence::TimeRange> m_marked;
    std::optional<std::size_t> m_cursor, m_line, m_anchor;
    bool m_byMouse = false;
    bool m_pressed = false;
    QPointF m_pressedAt;
};

}  // namespace signalbox::ui
