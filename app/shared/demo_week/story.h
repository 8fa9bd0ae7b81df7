// SPDX-License-Identifier: MIT
#pragma once

#include "app/shared/demo_week/flows.h"
#include "router/base/clock.h"
#include "router/base/random.h"

#include <optional>
#include <string>

namespace signalbox::app {

/// What went wrong or changed in the demo's week, laid over its steady flows. Days count to `now`, which is the
/// story's Sunday; clock times are UTC.
class DemoStory {
public:
    explicit DemoStory(Timestamp now);

    struct Failure {
        int status = 500;
        std::string reason;
        double afterMs = 100;
    };
    /// Whether an attempt at this endpoint and time fails, and how.
    [[nodiscard]] std::optional<Failure> failure(std::string_view endpointId, Timestamp at, Random& random) const;
    /// Median input of the flow at that time, tokens.
    [[nodiscard]] double inputTokens(const DemoFlow& flow, Timestamp at) const;
    /// Share of the input that the endpoint's prefix cache holds.
    [[nodiscard]] double cachedShare(const DemoFlow& flow, Timestamp at) const;

private:
    struct Window {
        Timestamp from{}, to{};
        [[nodiscard]] bool holds(Timestamp at) const { return at >= from && at < to; }
    };
    /// Wednesday 14:02 to 16:30: a client upgrade of coding-agents lost its session header, so prompts grew from
    /// 6,000 to 31,000 tokens and the prefix cache stopped helping.
    Window m_lostSessions;
    /// Thursday 02:14 to 02:41: the cloud provider answers 429 and 5xx.
    Window m_cloudOutage;
};

}  // namespace signalbox::app
