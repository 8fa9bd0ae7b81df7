// SPDX-License-Identifier: MIT
#include "router/policy/natural.h"

#include "router/policy/targets.h"

#include <algorithm>

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

bool isAmong(const std::vector<std::string>* among, const std::string& presetKey) {
    return among == nullptr || std::find(among->begin(), among->end(), presetKey) != among->end();
}

std::optional<std::string> configuredPreset(const PolicySnapshot& snapshot, const std::vector<std::string>& names) {
    const auto& configured = snapshot.config->naturalPresets;
    for (const std::string& name : names)
        if (const auto it = configured.find(name); it != configured.end()) return it->second;
    return std::nullopt;
}

std::optional<std::string> onlyPreset(const PolicySnapshot& snapshot, std::string_view model,
                                      const std::vector<std::string>* among) {
    std::optional<std::string> only;
    for (const std::size_t index : snapshot.index.presetsNamed(model)) {
        const std::string& key = snapshot.table->presets[index].presetKey;
        if (!isAmong(among, key)) continue;
        if (only) return std::nullopt;
        only = key;
    }
    return only;
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

std::string_view becauseOf(NaturalBy by) {
    switch (by) {
        case NaturalBy::configured: return "natural preset by natural_for";
        case NaturalBy::onlyPreset: return "the only preset of that name";
        case NaturalBy::gapFallback: return "fallback of every declared gap of the family";
        case NaturalBy::inventory: break;
    }
    return "natural preset";
}

}  // namespace

std::optional<NaturalPreset> naturalPreset(const PolicySnapshot& snapshot, std::string_view model,
                                           const std::vector<std::string>* among) {
    if (auto preset = configuredPreset(snapshot, namesOf(snapshot, model)); preset && isAmong(among, *preset))
        return NaturalPreset{NaturalBy::configured, std::move(*preset)};
    if (auto preset = onlyPreset(snapshot, model, among)) return NaturalPreset{NaturalBy::onlyPreset, std::move(*preset)};
    if (auto preset = fallbackOfAllGaps(snapshot, model); preset && isAmong(among, *preset))
        return NaturalPreset{NaturalBy::gapFallback, std::move(*preset)};
    return std::nullopt;
}

Result<NaturalAnswer> naturalAnswer(const PolicySnapshot& snapshot, std::string_view model) {
    if (const auto preset = naturalPreset(snapshot, model)) {
        auto target = targetOfPreset(snapshot, preset->presetKey, becauseOf(preset->by));
        if (!target) return tl::unexpected(std::move(target.error()));
        return NaturalAnswer{preset->by, std::move(*target)};
    }
    if (auto target = listingProvider(snapshot, namesOf(snapshot, model)))
        return NaturalAnswer{NaturalBy::inventory, std::move(*target)};
    return fail(ErrorKind::unavailable,
                "the routing table names no preset for model \"" + std::string(model) +
                    "\", and it has no natural one: none is configured for it, it is not the name of exactly one preset, "
                    "its family's gaps do not agree on a fallback, and no callable provider lists it",
                {}, "Add natural_for = [\"" + std::string(model) + "\"] to the [presets.\"KEY\"] that should serve it");
}

}  // namespace signalbox::policy
