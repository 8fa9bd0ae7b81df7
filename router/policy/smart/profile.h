// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace signalbox::policy::smart {

/// What a request cares about most.
enum class Profile : std::uint8_t { quality, balanced, economy, latency };
inline constexpr std::array kProfiles{Profile::quality, Profile::balanced, Profile::economy, Profile::latency};

[[nodiscard]] std::string_view toString(Profile profile);
/// The exact lower-case word of files and headers.
[[nodiscard]] std::optional<Profile> parseProfile(std::string_view word);

/// Shares of the four terms in a score; they total 1, so that a score without affinity stays in 0..1.
struct Weights {
    double quality = 0, cost = 0, latency = 0, reliability = 0;
    bool operator==(const Weights&) const = default;
};

/// One set of weights for each profile; belongs to a policy version.
using WeightTable = std::array<Weights, kProfiles.size()>;
[[nodiscard]] inline const Weights& weightsOf(const WeightTable& table, Profile profile) {
    return table[static_cast<std::size_t>(profile)];
}

inline constexpr std::string_view kBuiltinVersion = "builtin-v1";
/// The table of the smart-routing seed; read-only.
[[nodiscard]] const WeightTable& builtinWeights();

/// Weights of a custom version as written, divided by their sum, so that they are shares whatever their scale (F66).
/// A weight that is absent counts as 0. badInput when one is negative or not finite, or when all are 0.
struct WrittenWeights {
    std::optional<double> quality, cost, latency, reliability;
};
[[nodiscard]] Result<Weights> makeWeights(const WrittenWeights& written);

}  // namespace signalbox::policy::smart
