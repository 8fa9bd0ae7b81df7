// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox::strategy::admission {

/// `greedy` is `fifo` under the name of the router that uses it (choice N2).
enum class Policy : std::uint8_t { allLocal, allApi, concurrency, fifo, greedy, density, knapsack };

[[nodiscard]] std::string_view toString(Policy policy);
/// Finding `unknown_policy` for any other word.
[[nodiscard]] tl::expected<Policy, Finding> parsePolicy(std::string_view word);

/// What one local server can do. Measured, not guessed: the first five have no defaults.
struct Profile {
    double prefillTokensPerS = 0;
    double decodeTokensPerS = 0;
    std::int64_t maxRunningRequests = 0;
    std::int64_t maxReservedTokens = 0;
    /// Seconds of prefill and decode that may lie ahead of the server.
    double maxWorkS = 0;
    double ttftOverheadS = 0;
    /// Seconds of prefill delay for each second of decoding that is still to do.
    double decodeInterference = 0;
    std::optional<double> maxPredictedTpotS;
    /// Requests that waited this long go first.
    std::optional<double> starvationS;
    /// How many requests the knapsack weighs against each other, 1..20.
    std::int64_t knapsackWindow = 16;
    bool operator==(const Profile&) const = default;
};

/// What the server has taken on.
struct Load {
    std::int64_t runningRequests = 0;
    std::int64_t reservedTokens = 0;
    std::int64_t remainingPrefillTokens = 0;
    std::int64_t remainingDecodeTokens = 0;
    bool operator==(const Load&) const = default;
};

struct Request {
    std::string requestId;
    /// Seconds on the caller's clock; the deadline is the absolute one for the first token.
    double arrivalS = 0;
    double deadlineS = 0;
    std::int64_t promptTokens = 0;
    /// What of the prompt is not in the server's prefix cache.
    std::int64_t uncachedPrefillTokens = 0;
    std::int64_t estimatedOutputTokens = 0;
    /// USD that serving it elsewhere would cost: the value of serving it here.
    double estimatedRemoteCost = 0;
    bool operator==(const Request&) const = default;
};

/// Refusals are checked in this order (N8).
enum class Reason : std::uint8_t {
    concurrencyCapacity,
    tokenCapacity,
    workCapacity,
    ttftDeadline,
    tpotCapacity,
    notArrived,
    baselineAllApi,
    baselineAllLocal,
    baselineConcurrency,
    admitted,
};

[[nodiscard]] std::string_view toString(Reason reason);

/// Predictions are absent for requests that have not arrived.
struct Decision {
    /// Position among the requests that were given.
    std::size_t request = 0;
    bool selected = false;
    Reason reason = Reason::notArrived;
    std::optional<double> predictedTtftS;
    std::optional<double> predictedTpotS;
    std::int64_t reservedTokens = 0;
    double workS = 0;
    double value = 0;
    bool operator==(const Decision&) const = default;
};

struct Admission {
    /// Positions, in the order of dispatch.
    std::vector<std::size_t> selected;
    /// True when the knapsack had to look at the queue in several chunks.
    bool searchTruncated = false;
    Load load;
    /// By arrival, then id.
    std::vector<Decision> decisions;
    bool operator==(const Admission&) const = default;
};

}  // namespace signalbox::strategy::admission
