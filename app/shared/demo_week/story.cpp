// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/story.h"

namespace signalbox::app {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

constexpr std::string_view kCloud = "deepseek:";

}  // namespace

DemoStory::DemoStory(Timestamp now) {
    const Timestamp sunday(std::chrono::floor<days>(now));
    m_lostSessions = {sunday - days(4) + hours(14) + minutes(2), sunday - days(4) + hours(16) + minutes(30)};
    m_cloudOutage = {sunday - days(3) + hours(2) + minutes(14), sunday - days(3) + hours(2) + minutes(41)};
}

std::optional<DemoStory::Failure> DemoStory::failure(std::string_view endpointId, Timestamp at, Random& random) const {
    if (endpointId.starts_with(kCloud) && m_cloudOutage.holds(at)) {
        if (random.unit() < 0.6) return Failure{429, "status_429", 90};
        return Failure{503, "status_503", 240};
    }
    if (random.unit() >= demoEndpoint(endpointId).failureShare) return std::nullopt;
    if (random.unit() < 0.3) return Failure{0, "timeout_first_byte", 30'000};
    return Failure{500, "status_500", 180};
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
