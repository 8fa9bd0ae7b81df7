// SPDX-License-Identifier: MIT
#include "router/policy/smart/profile.h"

#include <algorithm>
#include <cmath>

namespace signalbox::policy::smart {

std::string_view toString(Profile profile) {
    switch (profile) {
    case Profile::quality: return "quality";
    case Profile::balanced: return "balanced";
    case Profile::economy: return "economy";
    case Profile::latency: return "latency";
    }
    return {};
}

std::optional<Profile> parseProfile(std::string_view word) {
    for (const Profile profile : kProfiles)
        if (toString(profile) == word) return profile;
    return std::nullopt;
}

const WeightTable& builtinWeights() {
    static constexpr WeightTable kTable{{
        {.quality = 0.60, .cost = 0.10, .latency = 0.15, .reliability = 0.15},
        {.quality = 0.35, .cost = 0.30, .latency = 0.20, .reliability = 0.15},
        {.quality = 0.15, .cost = 0.70, .latency = 0.05, .reliability = 0.10},
        {.quality = 0.20, .cost = 0.10, .latency = 0.60, .reliability = 0.10},
    }};
    return kTable;
}

Result<Weights> makeWeights(const WrittenWeights& written) {
    const std::array parts{written.quality.value_or(0), written.cost.value_or(0), written.latency.value_or(0),
                           written.reliability.value_or(0)};
    if (!std::all_of(parts.begin(), parts.end(), [](double part) { return std::isfinite(part) && part >= 0; }))
        return fail(ErrorKind::badInput, "a weight is a number of 0 or more", {}, "Write 0 for a term that shall not count.");
    // Scaled first: the plain sum of very large weights would not be finite.
    const double largest = *std::max_element(parts.begin(), parts.end());
    if (largest <= 0)
        return fail(ErrorKind::badInput, "all four weights are 0, so no candidate would be better than another", {},
                    "Give at least one of quality, cost, latency and reliability a weight above 0.");
    double sum = 0;
    for (const double part : parts) sum += part / largest;
    const auto share = [&](double part) { return part / largest / sum; };
    return Weights{share(parts[0]), share(parts[1]), share(parts[2]), share(parts[3])};
}

}  // namespace signalbox::policy::smart
