// SPDX-License-Identifier: MIT
#include "ui/pages/overview/usual.h"

#include "ui/charts/rate_series.h"

#include <algorithm>

namespace signalbox::ui {

namespace {

using evidence::TrafficPart;
using Verdict = UsualJudgement::Verdict;

/// Below this a share or a percentile is chance.
constexpr std::uint64_t kLeastSample = 20;
/// How far outside of the range of four weeks a figure has to lie before it is called unusual.
constexpr double kMargin = 0.1;
/// Shares this close to the usual are as usual, however far that is in parts of it.
constexpr double kLeastShare = 0.005;
constexpr double kHalf = 0.5;

std::optional<UsualReading> share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return std::nullopt;
    return UsualReading{static_cast<double>(part) / static_cast<double>(whole), whole};
}

std::optional<UsualReading> readingOf(UsualTopic topic, const TrafficPart& part, double minutes) {
    switch (topic) {
    case UsualTopic::traffic:
        if (minutes <= 0) return std::nullopt;
        return UsualReading{static_cast<double>(part.requests) / minutes, part.requests};
    case UsualTopic::errors: return share(part.failed, part.requests);
    case UsualTopic::firstToken:
        if (!part.firstContentP95Ms) return std::nullopt;
        return UsualReading{*part.firstContentP95Ms, part.timed};
    case UsualTopic::speed:
        if (!part.tokensPerSecond) return std::nullopt;
        return UsualReading{*part.tokensPerSecond, part.streamed};
    case UsualTopic::disagreement: return share(part.disagreements, part.compared);
    case UsualTopic::gaps: return share(part.gapHits, part.requests);
    }
    return std::nullopt;
}

bool isShare(UsualTopic topic) { return topic == UsualTopic::errors || topic == UsualTopic::disagreement || topic == UsualTopic::gaps; }

double minutesOf(const evidence::TimeRange& range) { return std::chrono::duration<double, std::ratio<60>>(range.to - range.from).count(); }

Verdict verdictOf(UsualTopic topic, const UsualJudgement& judgement) {
    if (!judgement.now || judgement.before.empty()) return Verdict::unknown;
    const double value = judgement.now->value, low = judgement.low(), high = judgement.high();
    if (topic == UsualTopic::traffic) {  // it breathes; only half or twice as much says something
        if (value < kHalf * low) return Verdict::worse;
        return value > high / kHalf ? Verdict::otherwise : Verdict::usual;
    }
    if (judgement.now->sample < kLeastSample) return Verdict::unknown;
    const double slack = isShare(topic) ? kLeastShare : 0;
    const bool above = value > high * (1 + kMargin) + slack, below = value < low * (1 - kMargin) - slack;
    if (!above && !below) return Verdict::usual;
    return above == (topic != UsualTopic::speed) ? Verdict::worse : Verdict::otherwise;
}

/// The larger the worse.
double badness(UsualTopic topic, const UsualReading& reading) {
    switch (topic) {
    case UsualTopic::speed: return -reading.value;
    case UsualTopic::errors:
    case UsualTopic::disagreement:
    case UsualTopic::gaps: return wilson(static_cast<std::uint64_t>(reading.value * static_cast<double>(reading.sample) + kHalf), reading.sample).low;
    case UsualTopic::traffic:
    case UsualTopic::firstToken: break;
    }
    return reading.value;
}

}  // namespace

double UsualJudgement::low() const { return before.empty() ? 0 : *std::min_element(before.begin(), before.end()); }
double UsualJudgement::high() const { return before.empty() ? 0 : *std::max_element(before.begin(), before.end()); }

std::optional<UsualReading> usualReading(UsualTopic topic, const evidence::TrafficWindow& window) {
    return readingOf(topic, window.all, minutesOf(window.range));
}

UsualJudgement judgeUsual(UsualTopic topic, const evidence::UsualReport& report) {
    UsualJudgement judgement;
    judgement.now = usualReading(topic, report.now);
    for (const evidence::TrafficWindow& week : report.before)
        if (const auto reading = usualReading(topic, week); reading && (topic == UsualTopic::traffic || reading->sample >= kLeastSample))
            judgement.before.push_back(reading->value);
    judgement.verdict = verdictOf(topic, judgement);
    return judgement;
}

std::vector<UsualPart> rankUsual(UsualTopic topic, const std::map<std::string, TrafficPart>& parts, const evidence::TimeRange& range) {
    std::vector<UsualPart> ranked;
    for (const auto& [name, part] : parts)
        if (const auto reading = readingOf(topic, part, minutesOf(range)); reading && reading->sample >= kLeastSample) ranked.push_back({name, *reading});
    std::stable_sort(ranked.begin(), ranked.end(), [topic](const UsualPart& a, const UsualPart& b) { return badness(topic, a.reading) > badness(topic, b.reading); });
    return ranked;
}

}  // namespace signalbox::ui
