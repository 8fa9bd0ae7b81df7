// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/random.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::strategy {

/// Where the numbers of a pool's draws come from: a sequence of its own when it has a seed, so that a run can be
/// repeated; else the request's thread. Thread safe.
class DrawSource {
public:
    explicit DrawSource(std::optional<std::uint64_t> seed);
    /// In [0, 1).
    [[nodiscard]] double next(Random* ofThread);

private:
    std::mutex m_mutex;
    std::optional<FastRandom> m_own;
};

/// The chance of each weight, summing to 1: proportional, whatever the order; all of them 0 (or none written) means
/// equal shares (F66). Negative weights and NaN count as 0. Empty for no weights.
[[nodiscard]] std::vector<double> sharesOf(std::span<const double> weights);

/// All positions in the order in which they are to be tried: drawn one after the other, each with its share of what is
/// left. `u` of the first draw is given, so that the first choice can be foretold; the others come from `source`.
[[nodiscard]] std::vector<std::size_t> drawOrder(std::span<const double> weights, double u, DrawSource& source,
                                                 Random* ofThread);

/// All positions, the session's favourite first (weighted rendezvous hashing): the same for the same session and
/// endpoints, whatever order they stand in, with each endpoint favoured by its share of the sessions. Where one is
/// missing, only its own sessions move. Endpoints of weight 0 come last.
[[nodiscard]] std::vector<std::size_t> sessionOrder(std::span<const double> weights,
                                                    std::span<const std::string_view> endpointIds, std::string_view session);

}  // namespace signalbox::strategy
