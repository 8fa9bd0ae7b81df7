// SPDX-License-Identifier: MIT
#include "router/config/read_parts.h"

#include <algorithm>

namespace signalbox::config {
namespace {

constexpr std::string_view kBuiltin = "builtin-v1";
constexpr double kMaxPolicyWeight = 1e9;

WrittenWeights readWeights(Section& section) {
    WrittenWeights out;
    const auto weight = [&](std::string_view key) { return section.number(key, 0, kMaxPolicyWeight, "weight_range"); };
    out.quality = weight("quality");
    out.cost = weight("cost");
    out.latency = weight("latency");
    out.reliability = weight("reliability");
    section.finish();
    return out;
}

bool writesAny(const Section& section) {
    for (const char* key : {"quality", "cost", "latency", "reliability"})
        if (section.has(key)) return true;
    return false;
}

/// A weight that was refused has its own finding; only what was understood is judged here.
void checkShares(Section& section, const WrittenWeights& weights) {
    double largest = 0;
    bool refused = false;
    const auto look = [&](const char* key, const std::optional<double>& weight) {
        refused = refused || (section.has(key) && !weight);
        largest = std::max(largest, weight.value_or(0));
    };
    look("quality", weights.quality);
    look("cost", weights.cost);
    look("latency", weights.latency);
    look("reliability", weights.reliability);
    if (largest > 0 || refused) return;
    section.reportHere(Severity::error, "weights_all_zero",
                       writesAny(section) ? "all four weights are 0, so no candidate would be better than another"
                                          : "a profile without weights could not order candidates",
                       "Give at least one of quality, cost, latency and reliability a weight above 0.");
}

void readPolicy(const std::string& name, Section& section, GatewayConfig& config) {
    if (name == kBuiltin)
        section.reportHere(Severity::error, "policy_version_read_only", "the weights of builtin-v1 cannot be changed",
                           "Give the policy a name of its own, and write that name as policy_version.");
    else if (isBlank(name) || name.size() > kMaxVersionBytes || hasControl(name))
        section.reportHere(Severity::error, "policy_version_invalid", "a policy version has 1 to 64 bytes on one line");
    NamedPolicy out;
    out.name = name;
    for (const std::string& word : profileWords()) {
        auto profile = section.section(word);
        if (!profile) continue;
        const WrittenWeights weights = readWeights(*profile);
        checkShares(*profile, weights);
        out.profiles.emplace(word, weights);
    }
    section.finish();
    config.routing.policies.push_back(std::move(out));
}

void checkVersion(Section& routing, const GatewayConfig& config) {
    const std::string& version = config.routing.policyVersion;
    std::vector<std::string> names{std::string(kBuiltin)};
    for (const NamedPolicy& policy : config.routing.policies) names.push_back(policy.name);
    if (std::find(names.begin(), names.end(), version) != names.end()) return;
    routing.report(Severity::note, "policy_version_undefined", "policy_version",
                   "no [routing.policies] entry is named " + inQuotes(version) + ", so it has the built-in weights",
                   didYouMean(version, names));
}

}  // namespace

const std::vector<std::string>& profileWords() {
    static const std::vector<std::string> kProfiles{"quality", "balanced", "economy", "latency"};
    return kProfiles;
}

void readPolicies(Section& routing, GatewayConfig& config) {
    for (auto& [name, section] : routing.children("policies")) readPolicy(name, section, config);
    checkVersion(routing, config);
}

}  // namespace signalbox::config
