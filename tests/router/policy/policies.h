// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"
#include "router/policy/snapshot.h"
#include "router/table/when.h"

#include <memory>
#include <string>
#include <utility>

namespace signalbox::test {

/// Builds small policies in code, so that these tests need neither reader.
class PolicyBuilder {
public:
    PolicyBuilder& preset(const std::string& key, const std::string& model, const std::optional<std::string>& served,
                          const std::string& family, bool isDefault = false) {
        table::Preset preset;
        preset.presetKey = key;
        preset.model = model;
        preset.servedModelName = served;
        preset.modelFamily = family;
        preset.defaultForFamily = isDefault;
        m_table.presets.push_back(std::move(preset));
        return *this;
    }
    using Words = std::optional<std::vector<std::string>>;
    PolicyBuilder& rule(const std::string& family, const std::string& preset, Words workloads = {}, Words lengths = {},
                        Words concurrency = {}) {
        table::RoutingRule rule;
        rule.modelFamily = family;
        rule.presetKey = preset;
        rule.evidence = "bench of " + preset;
        rule.evidenceTag = "measured";
        rule.when.workloadClass = std::move(workloads);
        rule.when.expectedOutputLength = std::move(lengths);
        rule.when.concurrencyMode = std::move(concurrency);
        table::updateMasks(rule.when);
        m_table.rules.push_back(std::move(rule));
        return *this;
    }
    PolicyBuilder& gap(const std::string& family, const std::string& cell, const std::string& fallback) {
        m_table.gaps.push_back({family, cell, fallback, "bench it"});
        return *this;
    }
    PolicyBuilder& provider(const std::string& id, std::vector<std::string> models = {}) {
        config::Provider provider;
        provider.id = id;
        provider.baseUrl = "http://127.0.0.1:1/" + id;
        provider.models = std::move(models);
        m_config.providers.push_back(std::move(provider));
        return *this;
    }
    PolicyBuilder& bind(const std::string& preset, const std::string& provider, std::optional<std::string> model = {}) {
        m_config.presetBindings.push_back({preset, provider, std::nullopt, std::move(model)});
        return *this;
    }
    table::RoutingTable& table() { return m_table; }
    config::GatewayConfig& config() { return m_config; }

    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> build() const {
        return policy::makeSnapshot(std::make_shared<table::RoutingTable>(m_table), "digest-of-the-table",
                                    std::make_shared<config::GatewayConfig>(m_config));
    }

private:
    table::RoutingTable m_table;
    config::GatewayConfig m_config;
};

/// The family "moe" with a default, a structured preset for short JSON and tools, and a wide one for many streams.
inline PolicyBuilder moePolicy() {
    PolicyBuilder builder;
    builder.preset("moe-default", "moe-26b-it", "moe-26b", "moe", true)
        .preset("moe-wide", "moe-26b-it", "moe-26b", "moe")
        .preset("moe-k4", "moe-26b-it", "moe-26b", "moe")
        .rule("moe", "moe-wide", {{"structured_json", "tool_call"}}, {{"short"}}, {{"multi_conc"}})
        .rule("moe", "moe-k4", {{"structured_json"}}, {{"short"}})
        .rule("moe", "moe-wide", {{"structured_json"}}, {{"short"}}, {{"single_stream"}})
        .provider("lab", {"moe-26b"});
    return builder;
}

inline classify::RequestFeatures request(std::string model, table::Cell cell = {}) {
    classify::RequestFeatures features;
    features.model = std::move(model);
    features.cell = cell;
    return features;
}

}  // namespace signalbox::test
