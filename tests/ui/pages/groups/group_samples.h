// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/random.h"
#include "router/config/read.h"
#include "router/evidence/record.h"
#include "router/policy/smart/group.h"
#include "tests/support/fakes.h"

#include <memory>
#include <string>

namespace signalbox::test {

/// Two callable providers and one that lacks its base URL; one group of a slow local and a fast, dear cloud model.
inline const char* kGroupToml = R"(
[providers.lab]
protocol = "simulated"
models = ["small", "large"]

[providers.cloud]
protocol = "simulated"
models = ["flash"]
model_prefixes = ["deep-"]

[providers.cloud.model_pricing."flash"]
input_per_million = 0.28
output_per_million = 0.42
source = "price list"
effective_at = "2026-11-01"

[providers.silent]
models = ["mute"]

[aliases]
fast = "cloud:flash"

[routing]
mode = "shadow"

[routing.groups.auto]
aliases = ["auto"]
default_profile = "quality"

[[routing.groups.auto.candidates]]
provider = "lab"
model = "small"
quality = 0.72
latency_hint_ms = 1200

[[routing.groups.auto.candidates]]
provider = "cloud"
model = "flash"
quality = 0.88
latency_hint_ms = 1800
)";

inline std::shared_ptr<const config::GatewayConfig> groupConfig(const std::string& text = kGroupToml) { return config::readConfig(text).config; }

/// A decision of `auto` in shadow: lab was tried first, cloud was recommended.
inline evidence::DecisionRecord groupDecision(std::uint64_t number) {
    evidence::DecisionRecord record;
    FastRandom random(number);
    record.createdAt = ManualClock().now() + std::chrono::seconds(number);
    record.id = DecisionId::make(record.createdAt, random);
    record.mode = "shadow";
    evidence::RecordedGroup group;
    group.groupId = "auto";
    group.profile = "quality";
    group.selected = "lab:small";
    group.recommended = "cloud:flash";
    group.candidateCount = group.candidatesTotal = 2;
    group.bucket = 40;
    group.weights = {0.60, 0.10, 0.15, 0.15};
    group.inputTokens = 1000;
    group.outputTokens = 500;
    group.candidates = {{.endpointId = "lab:small", .cut = {}, .quality = 0.72, .latencyMs = 3000, .costUsd = 0.003, .reliability = 0.9, .affinity = 0, .score = 0.5},
                        {.endpointId = "cloud:flash", .cut = {}, .quality = 0.88, .latencyMs = 1500, .costUsd = 0.0005, .reliability = 0.9, .affinity = 0, .score = 0.9}};
    record.group = std::move(group);
    return record;
}

}  // namespace signalbox::test
