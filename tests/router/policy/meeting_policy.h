// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"
#include "tests/router/policy/policies.h"

#include <QString>

namespace signalbox::test {

/// The group "chat" (alias "auto"): a dear cloud model first, then the same local model at two labs. "lab" serves the
/// K=1 default and the K=4 sibling, "annex" only the wide preset. The scores prefer "lab".
inline PolicyBuilder meetingPolicy(config::RoutingMode mode = config::RoutingMode::off, std::uint8_t percent = 0) {
    auto builder = moePolicy();
    builder.provider("cloud", {"big"}).provider("annex", {"moe-26b"});
    builder.bind("moe-default", "lab", "lab-k1").bind("moe-k4", "lab", "lab-k4").bind("moe-wide", "annex", "annex-wide");
    for (config::Provider& provider : builder.config().providers)
        provider.pricing = config::Pricing{.inputPerMillion = 0.1, .outputPerMillion = 0.1};
    builder.config().providers[1].pricing = config::Pricing{.inputPerMillion = 5, .outputPerMillion = 20};
    builder.config().routing.mode = mode;
    builder.config().routing.activationPercent = percent;
    builder.config().routing.groups.push_back(
        {"chat", {"auto"}, {}, {{"cloud", "big", 0.8, 900}, {"lab", "moe-26b", 0.8, 400}, {"annex", "moe-26b", 0.5, 500}}});
    return builder;
}

inline policy::RequestContext contextAt(std::uint8_t bucket) {
    policy::RequestContext context;
    context.assignment.bucket = bucket;
    context.sizes = {1000, 500};
    return context;
}

/// "preset@endpoint" of every target, in order.
inline QString route(const Result<policy::RoutePlan>& plan) {
    if (!plan) return QStringLiteral("error ") + QString::fromStdString(plan.error().text());
    std::string out;
    for (const policy::RouteTarget& target : plan->targets)
        out += (out.empty() ? "" : " ") + target.presetKey.value_or("-") + "@" + target.endpointId();
    return QString::fromStdString(out);
}

inline bool says(const Result<policy::RoutePlan>& plan, std::string_view text) {
    return !plan && plan.error().text().find(text) != std::string::npos;
}

}  // namespace signalbox::test
