// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"

#include "router/base/text.h"

#include <algorithm>

namespace signalbox::evidence {
namespace {

constexpr std::size_t kMostEventsInPage = 1000;

Conditions conditionsOf(const EventFilter& filter, const std::optional<EventKey>& after) {
    Conditions conditions;
    if (!isUnset(filter.range)) conditions.add(within("created_at", filter.range));
    if (after) conditions.add("(created_at, id) < ($?::timestamptz, $?::uuid)", {toIso8601(after->createdAt), after->id.text().substr(4)});
    if (filter.subject) conditions.add("subject = $?", {*filter.subject});
    if (filter.actor) conditions.add("actor = $?", {*filter.actor});
    std::string kinds;
    for (const EventKind kind : filter.kinds) kinds += (kinds.empty() ? "" : ",") + std::string(toString(kind));
    if (!kinds.empty()) conditions.add("kind = ANY($?::text[])", {"{" + kinds + "}"});
    return conditions;
}

}  // namespace

Result<EventPage> PgHistoryReader::events(const EventFilter& filter, const std::optional<EventKey>& after, std::size_t limit,
                                          const CancelToken& cancel) {
    limit = std::clamp<std::size_t>(limit, 1, kMostEventsInPage);
    const Conditions conditions = conditionsOf(filter, after);
    auto rows = ask("SELECT receipt FROM signalbox.events" + conditions.where() + " ORDER BY created_at DESC, id DESC LIMIT " +
                        std::to_string(limit + 1),
                    conditions.parameters(), cancel);
    if (!rows) return tl::unexpected(rows.error());
    EventPage page;
    if (!*rows) return page;
    const auto count = static_cast<std::size_t>((*rows)->count());
    for (std::size_t i = 0; i < std::min(count, limit); ++i) {
        auto event = decodeEvent((*rows)->text(static_cast<int>(i), 0));
        if (!event) return tl::unexpected(event.error());
        page.rows.push_back(std::move(*event));
    }
    if (count > limit) page.next = EventKey{page.rows.back().createdAt, page.rows.back().id};
    return page;
}

}  // namespace signalbox::evidence
