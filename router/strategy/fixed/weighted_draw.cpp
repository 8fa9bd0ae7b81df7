// SPDX-License-Identifier: MIT
#include "router/strategy/fixed/weighted_draw.h"

#include "router/base/hashing.h"
#include "router/strategy/routewise/draw.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace signalbox::strategy {
namespace {

/// In (0, 1), from the first 52 bits of a hash.
double unitHash(std::string_view session, std::string_view endpointId) {
    std::string text;
    text.reserve(session.size() + endpointId.size() + 1);
    text.append(session).append(1, '\n').append(endpointId);
    const std::string hex = sha256Hex(text);
    std::uint64_t bits = 0;
    std::from_chars(hex.data(), hex.data() + 13, bits, 16);
    return (static_cast<double>(bits) + 0.5) / static_cast<double>(std::uint64_t{1} << 52);
}

}  // namespace

DrawSource::DrawSource(std::optional<std::uint64_t> seed) {
    if (seed) m_own.emplace(*seed);
}

double DrawSource::next(Random* ofThread) {
    if (!m_own) return ofThread == nullptr ? 0 : ofThread->unit();
    const std::lock_guard lock(m_mutex);
    return m_own->unit();
}

std::vector<double> sharesOf(std::span<const double> weights) {
    std::vector<double> out(weights.begin(), weights.end());
    for (double& weight : out)
        if (!(weight > 0) || !std::isfinite(weight)) weight = 0;
    const double total = std::accumulate(out.begin(), out.end(), 0.0);
    for (double& weight : out) weight = total > 0 ? weight / total : 1.0 / static_cast<double>(out.size());
    return out;
}

std::vector<std::size_t> drawOrder(std::span<const double> weights, double u, DrawSource& source, Random* ofThread) {
    std::vector<std::size_t> left(weights.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    std::vector<std::size_t> order;
    while (!left.empty()) {
        std::vector<double> of;
        for (const std::size_t position : left) of.push_back(weights[position]);
        const std::vector<double> shares = sharesOf(of);
        const std::size_t at = routewise::drawWeighted(shares, order.empty() ? u : source.next(ofThread)).value_or(0);
        order.push_back(left[at]);
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return order;
}

std::vector<std::size_t> sessionOrder(std::span<const double> weights, std::span<const std::string_view> endpointIds,
                                      std::string_view session) {
    const std::vector<double> shares = sharesOf(weights);
    std::vector<double> scores;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double hash = unitHash(session, endpointIds[i]);
        scores.push_back(shares[i] > 0 ? -shares[i] / std::log(hash) : hash - 2);
    }
    std::vector<std::size_t> order(shares.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return scores[a] != scores[b] ? scores[a] > scores[b] : endpointIds[a] < endpointIds[b];
    });
    return order;
}

}  // namespace signalbox::strategy
