// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/fleet.h"

namespace signalbox::app {

DemoFleet::DemoFleet(const policy::PolicySnapshot& snapshot) : m_process(std::make_shared<capacity::ProcessState>(m_clock)) {
    auto runtime = m_process->runtimes.configure(snapshot.smart.settings().policyVersion, snapshot.smart.enabledCandidates());
    m_endpoints = std::make_unique<capacity::EndpointBook>(snapshot.smart.groups(), capacity::endpointsNamedBy(snapshot),
                                                           m_process, std::move(runtime));
}

void DemoFleet::advance(Timestamp to) {
    while (!m_underWay.empty() && m_underWay.begin()->first <= to) {
        auto ended = m_underWay.extract(m_underWay.begin());
        m_clock.moveTo(ended.key());
        ended.mapped().permit.succeeded(ended.mapped().latencyMs);
    }
    m_clock.moveTo(to);
}

capacity::Endpoint DemoFleet::endpointOf(const policy::RoutePlan& plan, std::size_t target) const {
    const policy::RouteTarget& asked = plan.targets[target];
    if (plan.group) return m_endpoints->of(plan.group->group, plan.group->candidateOf[target], asked.endpointId());
    return m_endpoints->of(asked.providerId, asked.endpointId());
}

void DemoFleet::read(std::size_t group, std::span<policy::smart::CandidateSignals> out) const {
    m_endpoints->group(group).read(m_clock.steady(), out);
}

bool DemoFleet::isCooling(const std::string& endpointId) const {
    const std::string_view provider = std::string_view(endpointId).substr(0, endpointId.find(':'));
    return m_endpoints->of(provider, endpointId).circuit()->isCooling(m_clock.steady());
}

void DemoFleet::succeedsAt(Timestamp end, double latencyMs, capacity::AttemptPermit permit) {
    m_underWay.emplace(end, Ending{latencyMs, std::move(permit)});
}

}  // namespace signalbox::app
