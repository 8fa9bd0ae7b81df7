// SPDX-License-Identifier: MIT
#include "router/policy/smart/rank.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace signalbox::policy::smart {
namespace {

/// The scores stand together while they are compared.
struct Ranked {
    double score;
    std::uint16_t index;
};
using Ranks = std::vector<Ranked>;

/// From so many on it pays to share them out first.
constexpr std::size_t kFewCandidates = 48;
constexpr std::size_t kBuckets = 256;

bool comesBefore(const Ranked& a, const Ranked& b) { return a.score != b.score ? a.score > b.score : a.index < b.index; }

/// Shares them out into equal ranges of the score, the best first, so that what is left to sort are a few neighbours:
/// less than half the time of sorting all. Where scores crowd, it is sorting them.
Ranks sharedOut(const Ranks& ranks, double best, double perScore) {
    // The bound comes first, so that it also holds for what is no number.
    const auto bucketOf = [&](const Ranked& one) {
        return static_cast<std::size_t>(std::min(static_cast<double>(kBuckets - 1), (best - one.score) * perScore));
    };
    std::array<std::uint16_t, kBuckets + 1> at{};
    for (const Ranked& one : ranks) ++at[bucketOf(one) + 1];
    for (std::size_t i = 0; i < kBuckets; ++i) at[i + 1] = static_cast<std::uint16_t>(at[i + 1] + at[i]);
    Ranks out(ranks.size());
    for (const Ranked& one : ranks) out[at[bucketOf(one)]++] = one;
    // Each bucket's place now is its end.
    auto begin = out.begin();
    for (std::size_t i = 0; i < kBuckets; ++i) {
        const auto end = out.begin() + at[i];
        if (end - begin > 1) std::sort(begin, end, comesBefore);
        begin = end;
    }
    return out;
}

void sort(Ranks& ranks) {
    const auto [worst, best] = std::minmax_element(ranks.begin(), ranks.end(),
                                                   [](const Ranked& a, const Ranked& b) { return a.score < b.score; });
    const double perScore = static_cast<double>(kBuckets - 1) / (best->score - worst->score);
    // All alike, or so near to it that they cannot be told apart.
    if (!std::isfinite(perScore)) std::sort(ranks.begin(), ranks.end(), comesBefore);
    else ranks = sharedOut(ranks, best->score, perScore);
}

}  // namespace

void rankByScore(std::span<const CandidateTerms> terms, std::vector<std::uint16_t>& order) {
    Ranks ranks;
    ranks.reserve(order.size());
    for (const std::uint16_t index : order) ranks.push_back({terms[index].score, index});
    if (ranks.size() < kFewCandidates) std::sort(ranks.begin(), ranks.end(), comesBefore);
    else sort(ranks);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = ranks[i].index;
}

}  // namespace signalbox::policy::smart
