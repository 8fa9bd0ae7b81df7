// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/registry_section.h"
#include "router/config/registry/registry_types.h"

#include <optional>
#include <vector>

namespace signalbox::config {

/// Reads every model that can be understood; the rest is in the report. `tree` outlives nothing.
[[nodiscard]] std::vector<RegistryModel> readRegistry(const YamlTree& tree, RegistryContext& context);

/// One entry of a model's `route`. `model` holds what routes inherit; its keys are asked for without being finished.
/// Nothing when the route cannot be carried, which is then in the report.
[[nodiscard]] std::optional<RegistryRoute> readRegistryRoute(RegistrySection& route, RegistrySection& model, const std::string& modelId);

/// `pricing`, in whichever unit; nothing when it is absent or cannot be used.
[[nodiscard]] std::optional<RegistryPricing> readRegistryPricing(RegistrySection& section);
/// `quota`, with `quota_pool` and `quota_source`. Absent and unusable give nothing.
[[nodiscard]] std::optional<RegistryLimit> readRegistryQuota(RegistrySection& route);
/// `concurrency`, with `concurrency_pool`.
[[nodiscard]] std::optional<RegistryLimit> readRegistrySlots(RegistrySection& route);
/// Sets what the section says; what it does not say stays.
void readRegistryCapabilities(RegistrySection& section, Capabilities& out);
/// `router_params` as JSON, into the model.
void readRegistryParameters(RegistrySection& section, RegistryModel& out);

}  // namespace signalbox::config
