// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/file.h"
#include "router/base/json_document.h"
#include "router/policy/smart/plan.h"
#include "tests/support/vectors.h"

#include <nlohmann/json.hpp>

namespace signalbox::test {

/// A file of the smart vectors; null when it cannot be read.
inline OrderedJson smartVectors(const char* file) {
    const auto text = readFile(vectorsFolder() / file, std::size_t{256} << 20);
    return text ? OrderedJson::parse(*text) : OrderedJson();
}

inline config::Pricing pricingFrom(const OrderedJson& json) {
    return {.inputPerMillion = json.at("input_per_million"), .outputPerMillion = json.at("output_per_million")};
}

/// One case of smart-cases.json, set up as the gateway would.
struct SmartWorld {
    policy::smart::Settings settings;
    policy::smart::Group group;
    std::vector<policy::smart::CandidateSignals> known;
    policy::smart::Assignment assignment;
    std::optional<policy::smart::Profile> profile;
    policy::smart::Sizes sizes;

    explicit SmartWorld(const OrderedJson& one) {
        readRouting(one.at("routing"));
        const OrderedJson& world = one.at("world");
        if (const OrderedJson& own = one.at("group").at("default_profile"); !own.is_null())
            group.defaultProfile = policy::smart::parseProfile(own.get<std::string>());
        for (const OrderedJson& candidate : one.at("group").at("candidates")) addCandidate(candidate, world);
        sizes = {world.at("input_tokens"), world.at("output_tokens")};
        const OrderedJson& request = one.at("request");
        std::optional<std::string> session;
        if (!request.at("session_id").is_null()) session = request.at("session_id").get<std::string>();
        assignment = policy::smart::assign(request.at("principal").get<std::string>(), session,
                                           request.at("request_id").get<std::string>());
        if (!request.at("profile").is_null())
            profile = policy::smart::parseProfile(request.at("profile").get<std::string>());
    }

    [[nodiscard]] policy::smart::PlanInput input() const {
        return {settings, group, known, assignment, profile, sizes};
    }

private:
    void readRouting(const OrderedJson& routing) {
        const std::string mode = routing.at("mode");
        settings.mode = mode == "off"      ? config::RoutingMode::off
                        : mode == "shadow" ? config::RoutingMode::shadow
                                           : config::RoutingMode::active;
        settings.defaultProfile = *policy::smart::parseProfile(routing.at("default_profile").get<std::string>());
        settings.policyVersion = routing.at("policy_version");
        settings.activationPercent = routing.at("activation_percent");
    }

    void addCandidate(const OrderedJson& json, const OrderedJson& world) {
        policy::smart::GroupCandidate candidate = policy::smart::makeCandidate(json.at("provider"), json.at("model"));
        candidate.quality = json.at("quality");
        candidate.latencyHintMs = json.at("latency_hint_ms");
        candidate.enabled = json.at("enabled");
        candidate.pricing = pricingFrom(world.at("default_pricing"));
        policy::smart::CandidateSignals now;
        now.capable = json.at("capable");
        now.policyAllows = json.at("policy_allows");
        const auto provider = world.at("providers").find(candidate.provider);
        candidate.providerKnown = provider != world.at("providers").end();
        if (candidate.providerKnown) {
            now.credentialReady = provider->at("credential_ready");
            now.cooling = provider->at("cooling");
            now.providerAttempts = provider->at("requests_total");
            now.providerSuccesses = provider->at("successes_total");
            if (!provider->at("pricing").is_null()) candidate.pricing = pricingFrom(provider->at("pricing"));
        }
        if (const auto outcome = world.at("outcomes").find(candidate.endpointId); outcome != world.at("outcomes").end()) {
            now.attempts = outcome->at("attempts");
            now.latencyEwmaMs = outcome->at("latency_ewma_ms");
        }
        group.candidates.push_back(std::move(candidate));
        known.push_back(now);
    }
};

}  // namespace signalbox::test
