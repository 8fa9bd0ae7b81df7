// SPDX-License-Identifier: MIT
#pragma once

#include "app/shared/demo_week/flows.h"
#include "router/base/clock.h"
#include "router/base/random.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace signalbox::app {

/// What is special about a single request.
enum class DemoEpisode : std::uint8_t {
    none,
    brokenStream,  ///< its answer ends in the middle
    allCooling,    ///< comes while every candidate cools
};

/// What went wrong or changed in the demo's week, laid over its steady flows. Days count to `now`, which is the
/// story's Sunday; clock times are UTC.
class DemoStory {
public:
    explicit DemoStory(Timestamp now);

    struct Failure {
        int status = 500;
        std::string reason;
        double afterMs = 100;
        std::optional<std::chrono::seconds> retryAfter;
    };
    /// Whether an attempt at this endpoint and time fails, and how.
    [[nodiscard]] std::optional<Failure> failure(std::string_view endpointId, Timestamp at, Random& random) const;
    /// Thursday night's nightly extraction, request by request: 214 that find their first choice failing or cooling, three
    /// whose stream then breaks at the overrun lab machine, and eleven within the seconds in which it cools as well.
    static constexpr std::string_view kOutageModel = "auto-extract";
    [[nodiscard]] std::vector<std::pair<Timestamp, DemoEpisode>> outageRequests() const;
    [[nodiscard]] bool isOutage(Timestamp at) const { return m_cloudOutage.holds(at); }
    /// Whether the flow's clients name their session: coding-agents lose the header while their upgrade is out.
    [[nodiscard]] bool namesSession(const DemoFlow& flow, Timestamp at) const;
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
    Timestamp m_streamsBreak;  ///< Thursday 02:30: the lab machine, overrun, breaks three streams
};

}  // namespace signalbox::app
