// SPDX-License-Identifier: MIT
#include "ui/charts/event_marks.h"

#include "ui/models/event_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <tuple>

namespace signalbox::ui {
namespace {

constexpr std::size_t kMostInCell = 3, kMostInTip = 20;

struct EventMarksWords {
    Q_DECLARE_TR_FUNCTIONS(EventMarks)
};

/// The higher the more it asks for attention.
int weight(Tone tone) {
    switch (tone) {
    case Tone::danger: return 6;
    case Tone::caution: return 5;
    case Tone::canary: return 4;
    case Tone::gap: return 3;
    case Tone::info: return 2;
    case Tone::clear: return 1;
    case Tone::idle: return 0;
    }
    return 0;
}

void addRest(QStringList& lines, std::size_t all, std::size_t most) {
    if (all > most) lines << EventMarksWords::tr("and %1 more").arg(all - most);
}

}  // namespace

void EventMarks::set(std::vector<evidence::Event> events) {
    m_events = std::move(events);
    std::sort(m_events.begin(), m_events.end(),
              [](const auto& a, const auto& b) { return std::tie(a.createdAt, a.id) < std::tie(b.createdAt, b.id); });
}

std::span<const evidence::Event> EventMarks::within(const evidence::TimeRange& range) const {
    const auto at = [&](Timestamp time) {
        return std::lower_bound(m_events.begin(), m_events.end(), time, [](const auto& event, Timestamp t) { return event.createdAt < t; });
    };
    const auto first = at(range.from), last = at(std::max(range.from, range.to));
    return {m_events.data() + (first - m_events.begin()), static_cast<std::size_t>(last - first)};
}

std::vector<EventMark> EventMarks::marks(const evidence::TimeRange& span, const std::function<double(Timestamp)>& xOf, double apart) const {
    std::vector<EventMark> out;
    const auto shown = within(span);
    const auto offset = static_cast<std::size_t>(shown.data() - m_events.data());
    double before = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double x = xOf(shown[i].createdAt);
        const Tone tone = words::eventTone(shown[i]);
        if (out.empty() || x - before >= apart) out.push_back({x, offset + i, 0, tone});
        if (weight(tone) > weight(out.back().tone)) out.back().tone = tone;
        ++out.back().count;
        before = x;
    }
    return out;
}

QStringList eventLines(std::span<const evidence::Event> events, std::size_t most) {
    QStringList lines;
    for (const auto& event : events.first(std::min(most, events.size())))
        lines << EventMarksWords::tr("%1 %2").arg(format::clockTime(event.createdAt), words::eventTitle(event));
    addRest(lines, events.size(), most);
    return lines;
}

QString eventCell(std::span<const evidence::Event> events) {
    if (events.empty()) return {};
    QStringList titles;
    for (const auto& event : events.first(std::min(kMostInCell, events.size()))) titles << words::eventTitle(event);
    addRest(titles, events.size(), kMostInCell);
    return titles.join(QStringLiteral("; "));
}

QString eventTip(std::span<const evidence::Event> events) {
    QStringList lines;
    for (const auto& event : events.first(std::min(kMostInTip, events.size()))) lines << words::eventLine(event);
    addRest(lines, events.size(), kMostInTip);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace signalbox::ui
