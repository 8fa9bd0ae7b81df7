// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/policies.h"

namespace signalbox::app {
namespace {

constexpr std::uint8_t kCanaryPercent = 20;

std::shared_ptr<const policy::PolicySnapshot> withMode(const policy::PolicySnapshot& own, config::RoutingMode mode, std::uint8_t percent) {
    auto config = std::make_shared<config::GatewayConfig>(*own.config);
    config->routing.mode = mode;
    config->routing.activationPercent = percent;
    return policy::makeSnapshot(own.table, own.tableSha256, std::move(config));
}

}  // namespace

DemoPolicies::DemoPolicies(const policy::PolicySnapshot& own, Timestamp now)
    : m_own(own), m_off(withMode(own, config::RoutingMode::off, 0)),
      m_canary(withMode(own, config::RoutingMode::active, kCanaryPercent)) {
    const Timestamp sunday(std::chrono::floor<std::chrono::days>(now));
    m_shadowFrom = sunday - std::chrono::days(6) + std::chrono::hours(9) + std::chrono::minutes(10);
    m_canaryFrom = sunday - std::chrono::days(1) + std::chrono::hours(9);
}

const policy::PolicySnapshot& DemoPolicies::at(Timestamp at, const DemoFlow& flow) const {
    if (at < m_shadowFrom) return *m_off;
    if (flow.model == "auto-extract" && at >= m_canaryFrom) return *m_canary;
    return m_own;
}

std::vector<DemoPolicies::Release> DemoPolicies::releases() const {
    return {{m_shadowFrom, m_off.get(), &m_own, "two people as release 14"}, {m_canaryFrom, &m_own, m_canary.get(), "two people as release 15"}};
}

}  // namespace signalbox::app
