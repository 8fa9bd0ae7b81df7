// SPDX-License-Identifier: MIT
#include "ui/bridge/event_question.h"

#include <algorithm>
#include <iterator>

namespace signalbox::ui {

using evidence::CancelToken;
using evidence::Event;
using evidence::HistoryReader;

Result<std::vector<Event>> readEvents(HistoryReader& reader, const evidence::TimeRange& range, const CancelToken& cancel) {
    evidence::EventFilter acts{.range = range}, passing{.range = range};
    for (const evidence::EventKind kind : evidence::kEventKinds) (evidence::isPassing(kind) ? passing : acts).kinds.push_back(kind);
    auto events = reader.events(acts, std::nullopt, kMostEvents, cancel);
    if (!events) return tl::unexpected(events.error());
    auto more = reader.events(passing, std::nullopt, kMostEvents, cancel);
    if (!more) return tl::unexpected(more.error());
    std::vector<Event> all;
    std::merge(std::make_move_iterator(events->rows.begin()), std::make_move_iterator(events->rows.end()),
               std::make_move_iterator(more->rows.begin()), std::make_move_iterator(more->rows.end()), std::back_inserter(all),
               [](const Event& a, const Event& b) { return std::tie(a.createdAt, a.id) > std::tie(b.createdAt, b.id); });
    return all;
}

TicketPtr askEvents(Bridge& bridge, const evidence::TimeRange& range, std::function<void(std::vector<Event>)> done) {
    return bridge.ask<std::vector<Event>>(
        [range](HistoryReader& reader, const CancelToken& cancel) { return readEvents(reader, range, cancel); },
        [done = std::move(done)](Result<std::vector<Event>> answer) { done(answer ? std::move(*answer) : std::vector<Event>()); });
}

}  // namespace signalbox::ui
