// SPDX-License-Identifier: MIT
#include "router/table/lint.h"

#include "router/base/text.h"

#include <algorithm>

namespace signalbox::table {
namespace {

/// A name by which requests ask for a model, and the presets behind it. The key of a preset comes first, then its
/// model, then what it serves: a name is looked up in the first of the three that knows it (AMBIGUITIES T9).
struct RequestName {
    std::string_view name;
    std::string_view field;
    std::vector<std::size_t> presets;
};

std::vector<RequestName> requestNames(const RoutingTable& table) {
    std::unordered_map<std::string_view, std::size_t> byName;
    std::vector<RequestName> names;
    const auto add = [&](std::string_view name, std::string_view field, std::size_t preset) {
        const auto [it, added] = byName.emplace(name, names.size());
        if (added) names.push_back({name, field, {}});
        RequestName& entry = names[it->second];
        if (entry.field == field) entry.presets.push_back(preset);
    };
    for (std::size_t i = 0; i < table.presets.size(); ++i) add(table.presets[i].presetKey, "preset_key", i);
    for (std::size_t i = 0; i < table.presets.size(); ++i) add(table.presets[i].model, "model", i);
    for (std::size_t i = 0; i < table.presets.size(); ++i)
        if (table.presets[i].servedModelName) add(*table.presets[i].servedModelName, "served_model_name", i);
    return names;
}

/// The first preset of the name whose family differs from the first one's.
std::optional<std::size_t> strayPreset(const RoutingTable& table, const RequestName& name) {
    const std::string& family = table.presets[name.presets.front()].modelFamily;
    const auto it = std::find_if(name.presets.begin(), name.presets.end(),
                                 [&](std::size_t i) { return table.presets[i].modelFamily != family; });
    return it == name.presets.end() ? std::nullopt : std::optional(*it);
}

/// True if all declared gaps of the family name one existing preset as their fallback (contract A).
bool gapsAgreeOnFallback(const RoutingTable& table, const FamilyMembers& family) {
    if (family.gaps.empty()) return false;
    const std::string& fallback = table.gaps[family.gaps.front()].fallbackPreset;
    return table.findPreset(fallback) != nullptr &&
           std::all_of(family.gaps.begin(), family.gaps.end(),
                       [&](std::size_t i) { return table.gaps[i].fallbackPreset == fallback; });
}

/// True if a request for the name can end without a preset, as far as the table alone can tell.
bool lacksNaturalPreset(const RoutingTable& table, const RequestName& name, const FamilyIndex& families,
                        bool ambiguous) {
    if (name.presets.size() == 1) return false;
    const FamilyMembers* family = families.find(table.presets[name.presets.front()].modelFamily);
    if (ambiguous || family == nullptr) return true;
    return !family->defaultPreset && !gapsAgreeOnFallback(table, *family);
}

/// Contract A closes the list of what refuses a table, and its presets can be reached by other names.
void lintLength(const RequestName& name, const std::string& at, Remarks& remarks) {
    if (name.name.size() <= kMaxRequestNameBytes) return;
    remarks.warning("name_too_long", at,
                    "the name \"" + elided(name.name, 80) + "\" has " + std::to_string(name.name.size()) + " bytes, and a request may name " +
                        std::to_string(kMaxRequestNameBytes),
                    "It is not listed and cannot be asked for. Shorten it, or let a name in [aliases] of gateway.toml stand for it.");
}

}  // namespace

void lintNames(const RoutingTable& table, const FamilyIndex& families, Remarks& remarks) {
    for (const RequestName& name : requestNames(table)) {
        const auto at = [&](std::size_t preset) {
            return "/presets/" + std::to_string(preset) + "/" + std::string(name.field);
        };
        lintLength(name, at(name.presets.front()), remarks);
        const auto stray = strayPreset(table, name);
        if (stray)
            remarks.warning("name_in_several_families", at(*stray),
                            "the name \"" + elided(name.name, 80) + "\" stands for presets of several families: \"" +
                                table.presets[name.presets.front()].modelFamily + "\" and \"" +
                                table.presets[*stray].modelFamily + "\"",
                            "Requests for it have no family, so no rule and no default applies. Label the presets alike.");
        if (lacksNaturalPreset(table, name, families, stray.has_value()))
            remarks.note("name_without_natural_preset", at(name.presets.front()),
                         "the name \"" + elided(name.name, 80) + "\" stands for " +
                             std::to_string(name.presets.size()) + " presets and nothing says which one is its own",
                         "In gateway.toml add natural_for = [\"" + elided(name.name, 80) +
                             "\"] to the [presets] entry that should serve it, or let a provider list the name.");
    }
}

}  // namespace signalbox::table
