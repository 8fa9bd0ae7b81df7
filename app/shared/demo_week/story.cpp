// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/story.h"

namespace signalbox::app {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::string_view kCloud = "deepseek:";
constexpr std::string_view kOverrun = "lab_a:";
constexpr int kServedByFallback = 214, kBroken = 3, kLastResort = 11;

}  // namespace

DemoStory::DemoStory(Timestamp now) {
    const Timestamp sunday(std::chrono::floor<days>(now));
    m_lostSessions = {sunday - days(4) + hours(14) + minutes(2), sunday - days(4) + hours(16) + minutes(30)};
    m_cloudOutage = {sunday - days(3) + hours(2) + minutes(14), sunday - days(3) + hours(2) + minutes(41)};
    m_streamsBreak = sunday - days(3) + hours(2) + minutes(30);
}

std::vector<std::pair<Timestamp, DemoEpisode>> DemoStory::outageRequests() const {
    using std::chrono::milliseconds;
    std::vector<std::pair<Timestamp, DemoEpisode>> out;
    // Nothing else ends just before the three, nor comes during the cooldown of 30 s and a little more.
    const Window quiet{m_streamsBreak - seconds(12), m_streamsBreak + seconds(45)};
    const auto open = (m_cloudOutage.to - m_cloudOutage.from) - (quiet.to - quiet.from);
    for (int i = 0; i < kServedByFallback; ++i) {
        Timestamp at = m_cloudOutage.from + open * i / kServedByFallback + milliseconds(137 * (i % 7));
        if (at >= quiet.from) at += quiet.to - quiet.from;
        out.emplace_back(at, DemoEpisode::none);
    }
    for (int i = 0; i < kBroken; ++i) out.emplace_back(m_streamsBreak + milliseconds(80 * i), DemoEpisode::brokenStream);
    for (int i = 0; i < kLastResort; ++i) out.emplace_back(m_streamsBreak + milliseconds(3500 + 60 * i), DemoEpisode::allCooling);
    return out;
}

bool DemoStory::namesSession(const DemoFlow& flow, Timestamp at) const {
    return flow.sessions && !(flow.team == "coding-agents" && m_lostSessions.holds(at));
}

std::optional<DemoStory::Failure> DemoStory::failure(std::string_view endpointId, Timestamp at, Random& random) const {
    if (endpointId.starts_with(kCloud) && m_cloudOutage.holds(at)) {
        // Before the streams break it asks for a longer pause, so that it surely cools when the machine does.
        const Window longPause{m_streamsBreak - seconds(95), m_streamsBreak};
        if (longPause.holds(at)) return Failure{429, "status_429", 90, seconds(120)};
        if (random.unit() < 0.6) return Failure{429, "status_429", 90, seconds(20)};
        return Failure{503, "status_503", 240, {}};
    }
    if (endpointId.starts_with(kOverrun) && m_cloudOutage.holds(at)) return std::nullopt;  // what fails there is told
    if (random.unit() >= demoEndpoint(endpointId).failureShare) return std::nullopt;
    if (random.unit() < 0.3) return Failure{0, "timeout_first_byte", 30'000, {}};
    return Failure{500, "status_500", 180, {}};
}

double DemoStory::inputTokens(const DemoFlow& flow, Timestamp at) const {
    const bool grown = flow.team == "coding-agents" && m_lostSessions.holds(at);
    return grown ? 31'000.0 : static_cast<double>(flow.inputTokens);
}

double DemoStory::cachedShare(const DemoFlow& flow, Timestamp at) const {
    if (flow.team != "coding-agents") return 0.35;
    return m_lostSessions.holds(at) ? 0.22 : 0.78;
}

}  // namespace signalbox::app
