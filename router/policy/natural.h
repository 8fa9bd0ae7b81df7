// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"

namespace signalbox::policy {

/// What serves a model when the table names no preset for it (contract A, "the natural preset").
struct NaturalAnswer {
    NaturalBy by = NaturalBy::configured;
    RouteTarget target;
};

/// The first three ways of finding it, which lead to a preset.
struct NaturalPreset {
    NaturalBy by = NaturalBy::configured;
    std::string presetKey;
};
/// With `among`, as if these were the only presets.
[[nodiscard]] std::optional<NaturalPreset> naturalPreset(const PolicySnapshot& snapshot, std::string_view model,
                                                         const std::vector<std::string>* among = nullptr);

/// In this order: the preset configured for the model, the only preset of that name, the preset that all declared
/// gaps of the family name as their fallback, a provider that lists the model.
/// Error: unavailable, saying which of these was tried, or why the preset that was found has no endpoint.
[[nodiscard]] Result<NaturalAnswer> naturalAnswer(const PolicySnapshot& snapshot, std::string_view model);

}  // namespace signalbox::policy
