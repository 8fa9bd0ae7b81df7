// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/mix.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace signalbox::strategy::routewise {
namespace {

constexpr double kTolerance = 1e-9;
/// How much of a second the whole cost span may weigh against latency.
constexpr double kTieBreakS = 1e-6;

struct Point {
    std::size_t candidate = 0;
    double costUsd = 0;
    double goalS = 0;
};

bool usable(const PricedCandidate& one) {
    return std::isfinite(one.costUsd) && std::isfinite(one.meanTtftS) && one.costUsd >= 0 && one.meanTtftS >= 0;
}

std::vector<Point> usablePoints(std::span<const PricedCandidate> candidates) {
    std::vector<Point> out;
    out.reserve(candidates.size());
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (usable(candidates[i])) out.push_back({i, candidates[i].costUsd, candidates[i].meanTtftS});
    return out;
}

bool hasDuplicateIds(std::span<const PricedCandidate> candidates, std::span<const Point> points) {
    std::vector<std::string_view> ids;
    ids.reserve(points.size());
    for (const Point& point : points) ids.push_back(candidates[point.candidate].id);
    std::sort(ids.begin(), ids.end());
    return std::adjacent_find(ids.begin(), ids.end()) != ids.end();
}

/// True if the weight vector of `a` sorts before that of `b`: at the first candidate where they differ, it gives less.
bool weightsSortFirst(const Mix& a, const Mix& b) {
    std::size_t i = 0, j = 0;
    while (i < a.support && j < b.support) {
        const MixShare& left = a.shares[i];
        const MixShare& right = b.shares[j];
        if (left.candidate != right.candidate) return left.candidate > right.candidate;
        if (left.probability != right.probability) return left.probability < right.probability;
        ++i, ++j;
    }
    return i == a.support && j < b.support;
}

/// Keeps the best of the mixtures it is shown.
class Best {
public:
    explicit Best(double budgetUsd) {
        m_mix.status = MixStatus::optimal;
        m_mix.budgetUsd = budgetUsd;
    }

    void single(const Point& point) {
        consider(point.goalS, point.costUsd, {MixShare{point.candidate, 1}, MixShare{}}, 1);
    }

    void pair(const Point& cheap, const Point& dear) {
        const double dearWeight = (m_mix.budgetUsd - cheap.costUsd) / (dear.costUsd - cheap.costUsd);
        const double cheapWeight = 1 - dearWeight;
        if (dearWeight <= kTolerance || cheapWeight <= kTolerance) return;
        std::array<MixShare, 2> shares{MixShare{cheap.candidate, cheapWeight}, MixShare{dear.candidate, dearWeight}};
        if (dear.candidate < cheap.candidate) std::swap(shares[0], shares[1]);
        consider(cheapWeight * cheap.goalS + dearWeight * dear.goalS,
                 cheapWeight * cheap.costUsd + dearWeight * dear.costUsd, shares, 2);
    }

    [[nodiscard]] const Mix& mix() const { return m_mix; }

private:
    void consider(double objective, double cost, const std::array<MixShare, 2>& shares, std::size_t support) {
        Mix found = m_mix;
        found.shares = shares;
        found.support = support;
        found.objectiveS = objective;
        found.expectedCostUsd = cost;
        if (m_mix.support != 0) {
            const auto rank = std::tuple(objective, cost, support);
            const auto best = std::tuple(*m_mix.objectiveS, *m_mix.expectedCostUsd, m_mix.support);
            if (best < rank || (best == rank && !weightsSortFirst(found, m_mix))) return;
        }
        m_mix = found;
    }

    Mix m_mix;
};

Mix everything(std::size_t candidate, MixStatus status, double budgetUsd) {
    Mix out;
    out.status = status;
    out.budgetUsd = budgetUsd;
    out.shares[0] = {candidate, 1};
    out.support = 1;
    return out;
}

bool cheaper(const Point& a, const Point& b) { return a.costUsd < b.costUsd; }

}  // namespace

std::string_view toString(MixStatus status) {
    switch (status) {
        case MixStatus::optimal: return "optimal";
        case MixStatus::singleProvider: return "single_provider";
        case MixStatus::cheapestFallback: return "cheapest_fallback";
        case MixStatus::noFeasibleCandidates: return "no_feasible_candidates";
    }
    return "";
}

Mix solveMix(std::span<const PricedCandidate> candidates, double alpha) {
    std::vector<Point> points = usablePoints(candidates);
    if (points.empty()) return {};
    const auto [cheapest, dearest] = std::minmax_element(points.begin(), points.end(), cheaper);
    const double lowest = cheapest->costUsd;
    const double span = dearest->costUsd - lowest;
    const double budget = lowest + std::clamp(alpha, 0.0, 1.0) * span;
    if (hasDuplicateIds(candidates, points)) return everything(cheapest->candidate, MixStatus::cheapestFallback, budget);
    if (points.size() == 1) {
        Mix out = everything(cheapest->candidate, MixStatus::singleProvider, cheapest->costUsd);
        out.objectiveS = cheapest->goalS;
        out.expectedCostUsd = cheapest->costUsd;
        return out;
    }
    const bool flat = span <= kTolerance;
    if (!flat)
        for (Point& point : points) point.goalS += kTieBreakS * ((point.costUsd - lowest) / span);
    const auto dear = std::partition(points.begin(), points.end(),
                                     [&](const Point& point) { return point.costUsd <= budget + kTolerance; });
    Best best(budget);
    for (auto inside = points.begin(); inside != dear; ++inside) {
        best.single(*inside);
        for (auto outside = dear; !flat && outside != points.end(); ++outside) best.pair(*inside, *outside);
    }
    return best.mix();
}

}  // namespace signalbox::strategy::routewise
