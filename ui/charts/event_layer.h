// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/event_marks.h"
#include "ui/charts/time_plot.h"

namespace signalbox::ui {

/// Thin lines with a glyph over a chart where something happened to the gateway. It takes no input; who hovers over the
/// chart asks it what to say. Lies above the plot, so that showing other events never redraws the chart.
class EventLayer : public QWidget {
    Q_OBJECT
public:
    /// Covers `plot`, its parent.
    explicit EventLayer(TimePlot* plot);

    /// False when they are the same as before.
    bool set(std::vector<evidence::Event> events);
    /// Hidden, there is nothing to read either.
    void setShown(bool shown);
    [[nodiscard]] const EventMarks& events() const { return m_events; }
    [[nodiscard]] const std::vector<EventMark>& marks() const { return m_marks; }
    /// The chart has other times or another size now.
    void refresh();

    /// What happened in a bucket of the chart and at the marks that stand over it.
    [[nodiscard]] std::span<const evidence::Event> at(std::size_t index) const;
    /// Bucket of the next mark to the right (`by` > 0) or left of one; nullopt where there is none.
    [[nodiscard]] std::optional<std::size_t> nextMark(std::optional<std::size_t> from, int by) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TimePlot* m_plot;
    EventMarks m_events;
    std::vector<EventMark> m_marks;
    bool m_shown = true;
};

}  // namespace signalbox::ui
