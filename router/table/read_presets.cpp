// SPDX-License-Identifier: MIT
#include "router/table/parts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace signalbox::table {
namespace {

void requireAtLeastOne(std::optional<std::int64_t> value, const std::string& code, const std::string& pointer,
                       std::string_view key, Remarks& remarks) {
    if (value && *value < 1)
        remarks.error(code, pointer, "\"" + std::string(key) + "\" is " + std::to_string(*value) + ", the least is 1",
                      "Write 1 or more.");
}

void checkRole(const std::optional<std::string>& role, const std::string& pointer, Remarks& remarks) {
    static const std::vector<std::string> kRoles{"default", "structured", "gateway"};
    if (!role || std::find(kRoles.begin(), kRoles.end(), *role) != kRoles.end()) return;
    remarks.warning("unlisted_role", pointer, "the role \"" + *role + "\" is not one that the contract lists",
                    allowedHint(*role, kRoles) + " Null is allowed too. The role has no effect on routing.");
}

std::optional<std::string> readServedName(Fields& fields, const std::string& pointer, Remarks& remarks) {
    if (!fields.has("served_model_name"))
        remarks.warning("served_model_name_missing", pointer, "the preset has no \"served_model_name\"",
                        "It is read as null; add it so that requests can name the preset by what it serves.");
    return fields.textOrNull("served_model_name", false);
}

Preset readPreset(const OrderedJson& value, const std::string& pointer, Remarks& remarks) {
    Fields fields(value, pointer, "the preset", {"preset_missing_field", "preset_field_type"}, remarks);
    Preset preset;
    preset.presetKey = fields.name("preset_key").value_or("");
    preset.model = fields.name("model").value_or("");
    preset.servedModelName = readServedName(fields, pointer, remarks);
    preset.modelFamily = fields.name("model_family").value_or("");
    const auto k = fields.integer("spec_decode_K");
    requireAtLeastOne(k, "spec_decode_k_below_one", fields.pointerTo("spec_decode_K"), "spec_decode_K", remarks);
    preset.specDecodeK = k.value_or(1);
    const auto sequences = fields.integer("max_num_seqs");
    requireAtLeastOne(sequences, "max_num_seqs_below_one", fields.pointerTo("max_num_seqs"), "max_num_seqs", remarks);
    preset.maxNumSeqs = sequences.value_or(1);
    preset.role = fields.textOrNull("role", true);
    checkRole(preset.role, fields.pointerTo("role"), remarks);
    preset.intendedWorkloads = fields.words("intended_workloads").value_or(std::vector<std::string>());
    preset.defaultForFamily = fields.boolean("default_for_family").value_or(false);
    fields.noteUnknown({"preset_key", "model", "served_model_name", "model_family", "spec_decode_K", "max_num_seqs",
                        "role", "intended_workloads", "default_for_family"});
    return preset;
}

std::string presetPointer(std::size_t index) { return "/presets/" + std::to_string(index); }

void refuseRepeatedKeys(const std::vector<Preset>& presets, Remarks& remarks) {
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        if (presets[i].presetKey.empty()) continue;
        const auto [it, added] = first.emplace(presets[i].presetKey, i);
        if (!added)
            remarks.error("duplicate_preset_key", presetPointer(i) + "/preset_key",
                          "the preset key \"" + presets[i].presetKey + "\" is already used by " +
                              presetPointer(it->second),
                          "Give each preset its own key.");
    }
}

void refuseSeveralDefaults(const std::vector<Preset>& presets, Remarks& remarks) {
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        if (!presets[i].defaultForFamily) continue;
        const auto [it, added] = first.emplace(presets[i].modelFamily, i);
        if (!added)
            remarks.error("several_defaults_in_family", presetPointer(i) + "/default_for_family",
                          "the family \"" + presets[i].modelFamily + "\" already has the default \"" +
                              presets[it->second].presetKey + "\" (" + presetPointer(it->second) + ")",
                          "Keep \"default_for_family\": true on one preset of the family.");
    }
}

}  // namespace

std::vector<Preset> readPresets(const OrderedJson& array, Remarks& remarks) {
    std::vector<Preset> presets;
    presets.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
        if (array[i].is_object()) {
            presets.push_back(readPreset(array[i], presetPointer(i), remarks));
            continue;
        }
        presets.emplace_back();
        remarks.error("preset_field_type", presetPointer(i), "a preset must be an object, not " + typeName(array[i]),
                      "Write an object with a \"preset_key\".");
    }
    refuseRepeatedKeys(presets, remarks);
    refuseSeveralDefaults(presets, remarks);
    return presets;
}

}  // namespace signalbox::table
