// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"

namespace signalbox::ui {

/// At most so many of what people did, and as many of what endpoints did by themselves: a chart can show no more, and a
/// flapping endpoint must not push the week's applies out.
inline constexpr std::size_t kMostEvents = 500;

/// What happened in a range, newest first, for the marks on its charts. Blocks: on a history worker.
[[nodiscard]] Result<std::vector<evidence::Event>> readEvents(evidence::HistoryReader& reader, const evidence::TimeRange& range,
                                                              const evidence::CancelToken& cancel);

/// The same asked beside a page's other questions; `done` comes on the GUI thread. A history that cannot be read has no
/// events: the chart itself says why.
[[nodiscard]] TicketPtr askEvents(Bridge& bridge, const evidence::TimeRange& range, std::function<void(std::vector<evidence::Event>)> done);

}  // namespace signalbox::ui
