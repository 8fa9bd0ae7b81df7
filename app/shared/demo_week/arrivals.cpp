// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/arrivals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace signalbox::app {
namespace {

/// Share of the day at which a request comes, in 0..1.
double timeOfDay(const DemoFlow& flow, Random& random) {
    if (flow.roundTheClock && random.unit() < 0.35) return random.unit();
    for (;;) {  // 07:00 to 19:00, two humps with a dip at noon
        const double hour = 7.0 + 12.0 * random.unit();
        const double busy = std::exp(-std::pow((hour - 10.5) / 2.0, 2)) + std::exp(-std::pow((hour - 15.5) / 2.0, 2));
        if (random.unit() < busy) return hour / 24.0;
    }
}

std::size_t pickDay(const std::array<double, 7>& weights, Random& random) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double left = random.unit() * total;
    for (std::size_t day = 0; day < weights.size(); ++day) {
        left -= weights[day];
        if (left < 0) return day;
    }
    return weights.size() - 1;
}

}  // namespace

double spread(double median, double sigma, Random& random) {
    const double u = std::max(random.unit(), 1e-12);
    const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * random.unit());
    return median * std::exp(sigma * normal);
}

std::vector<Arrival> arrivalsOfWeek(const DemoStory& story, Timestamp now, Random& random) {
    const auto monday = Timestamp(std::chrono::floor<std::chrono::days>(now)) - std::chrono::days(6);
    std::vector<Arrival> arrivals;
    for (const DemoFlow& flow : demoFlows()) {
        // The night of the outage is told request by request.
        const bool told = flow.model == DemoStory::kOutageModel;
        std::uint32_t made = 0;
        if (told)
            for (const auto& [at, episode] : story.outageRequests()) arrivals.push_back({at, &flow, episode}), ++made;
        while (made < flow.count) {
            const double daysIn = static_cast<double>(pickDay(flow.days, random)) + timeOfDay(flow, random);
            const Timestamp at = monday + std::chrono::duration_cast<std::chrono::microseconds>(
                                              std::chrono::duration<double>(daysIn * 86'400.0));
            if (at >= now || (told && story.isOutage(at))) continue;  // today is not over yet: draw again
            arrivals.push_back({at, &flow});
            ++made;
        }
    }
    std::stable_sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
    return arrivals;
}

}  // namespace signalbox::app
