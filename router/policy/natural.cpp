// SPDX-License-Identifier: MIT
#include "router/policy/natural.h"

#include "router/policy/targets.h"

namespace signalbox::policy {

namespace {

// The name asked for first, then the other names of what it stands for.
std::vector<std::string> namesOf(const PolicySnapshot& snapshot, std::string_view model) {
    std::vector<std::string> names{std::string(model)};
    for (const std::size_t index : snapshot.index.presetsNamed(model)) {
        const table::Preset& preset = snapshot.table->presets[index];
        names.push_back(preset.model);
        if (preset.servedModelName) names.push_back(*preset.servedModelName);
    }
    return names;
}

std::optional<std::string> configuredPreset(const PolicySnapshot& snapshot, const std::vector<std::string>& names) {
    const auto& configured = snapshot.config->naturalPresets;
    for (const std::string& name : names)
        if (const auto it = configured.find(name); it != configured.end()) return it->second;
    return std::nullopt;
}

std::optional<std::string> onlyPreset(const PolicySnapshot& snapshot, std::string_view model) {
    const auto presets = snapshot.index.presetsNamed(model);
    if (presets.size() != 1) return std::nullopt;
    return snapshot.table->presets[presets.front()].presetKey;
}

// Gaps of the family `all` are left out: what they name as a fallback belongs to no family.
std::optional<std::string> fallbackOfAllGaps(const PolicySnapshot& snapshot, std::string_view model) {
    const auto& family = snapshot.index.familyOf(model).label;
    if (!family) return std::nullopt;
    std::optional<std::string> fallback;
    for (const table::CoverageGap& gap : snapshot.table->gaps) {
        if (gap.modelFamily != *family) continue;
        if (fallback && *fallback != gap.fallbackPreset) return std::nullopt;
        fallback = gap.fallbackPreset;
    }
    if (!fallback || snapshot.index.findPreset(*fallback) == nullptr) return std::nullopt;
    return fallback;
}

std::optional<RouteTarget> listingProvider(const PolicySnapshot& snapshot, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        for (const config::Provider* provider : providersInOrder(*snapshot.config))
            if (provider->lists(name) && provider->isCallable()) return RouteTarget{provider->id, name, std::nullopt};
    return std::nullopt;
}

}  // namespace

Result<NaturalAnswer> naturalAnswer(const PolicySnapshot& snapshot, std::string_view model) {
    const auto through = [&](NaturalBy by, const std::string& presetKey, std::string_view because) -> Result<NaturalAnswer> {
        auto target = targetOfPreset(snapshot, presetKey, because);
        if (!target) return tl::unexpected(std::move(target.error()));
        return NaturalAnswer{by, std::move(*target)};
    };
    const std::vector<std::string> names = namesOf(snapshot, model);
    if (const auto preset = configuredPreset(snapshot, names))
        return through(NaturalBy::configured, *preset, "natural preset by natural_for");
    if (const auto preset = onlyPreset(snapshot, model))
        return through(NaturalBy::onlyPreset, *preset, "the only preset of that name");
    if (const auto preset = fallbackOfAllGaps(snapshot, model))
        return through(NaturalBy::gapFallback, *preset, "fallback of every declared gap of the family");
    if (auto target = listingProvider(snapshot, names)) return NaturalAnswer{NaturalBy::inventory, std::move(*target)};
    return fail(ErrorKind::unavailable,
                "the routing table names no preset for model \"" + std::string(model) +
                    "\", and it has no natural one: none is configured for it, it is not the name of exactly one preset, "
                    "its family's gaps do not agree on a fallback, and no callable provider lists it",
                {}, "Add natural_for = [\"" + std::string(model) + "\"] to the [presets.\"KEY\"] that should serve it");
}

}  // namespace signalbox::policy
