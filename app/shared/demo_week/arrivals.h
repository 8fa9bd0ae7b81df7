// SPDX-License-Identifier: MIT
#pragma once

#include "app/shared/demo_week/flows.h"
#include "app/shared/demo_week/story.h"

#include <vector>

namespace signalbox::app {

/// One request of the week.
struct Arrival {
    Timestamp at;
    const DemoFlow* flow = nullptr;
    DemoEpisode episode = DemoEpisode::none;
};

/// Every request of the week until `now`, from first to last.
[[nodiscard]] std::vector<Arrival> arrivalsOfWeek(const DemoStory& story, Timestamp now, Random& random);

/// Log-normal around a median: the usual shape of latencies and lengths.
[[nodiscard]] double spread(double median, double sigma, Random& random);

}  // namespace signalbox::app
