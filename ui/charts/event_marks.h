// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "ui/theme/theme.h"

#include <QStringList>

#include <functional>
#include <span>
#include <vector>

namespace signalbox::ui {

/// Events too close to each other to be drawn apart.
struct EventMark {
    double x = 0;  ///< of the first
    std::size_t first = 0, count = 0;  ///< in EventMarks::events
    Tone tone = Tone::info;            ///< the most serious one's
};

/// What happened in the time that a chart shows, oldest first: for its marks, its readings and its table.
class EventMarks {
public:
    /// In any order.
    void set(std::vector<evidence::Event> events);
    [[nodiscard]] const std::vector<evidence::Event>& events() const { return m_events; }
    [[nodiscard]] bool isEmpty() const { return m_events.empty(); }

    /// One mark for events whose places are less than `apart` pixels from the one before.
    [[nodiscard]] std::vector<EventMark> marks(const evidence::TimeRange& span, const std::function<double(Timestamp)>& xOf, double apart) const;
    [[nodiscard]] std::span<const evidence::Event> within(const evidence::TimeRange& range) const;

private:
    std::vector<evidence::Event> m_events;
};

/// "14:02 Policy applied: 3f2a…", one line each, at most `most` and then "and 12 more".
[[nodiscard]] QStringList eventLines(std::span<const evidence::Event> events, std::size_t most);
/// For a narrow cell: "Circuit opened: a:m; Circuit closed: a:m; and 4 more"; empty for none.
[[nodiscard]] QString eventCell(std::span<const evidence::Event> events);
/// Every event in full, one line each, for hover over such a cell.
[[nodiscard]] QString eventTip(std::span<const evidence::Event> events);

}  // namespace signalbox::ui
