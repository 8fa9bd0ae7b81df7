// SPDX-License-Identifier: MIT
#include "router/table/edit.h"

#include "router/base/json_edit.h"
#include "router/table/fields.h"
#include "router/table/when.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::table {
namespace {

const std::string kPresets = "/presets";
const std::string kRules = "/routing_rules";
const std::string kGaps = "/coverage_gaps";

/// A member as it is to be. Null and absent are the same thing to the reader, and so are 1 and 1.0.
struct Wanted {
    std::string key;
    OrderedJson value;
};
using WantedMembers = std::vector<Wanted>;

bool saysTheSame(const OrderedJson& present, const OrderedJson& wanted) {
    if (wanted.is_number_integer()) return asInteger(present) == wanted.get<std::int64_t>();
    return present == wanted;
}

OrderedJson orNull(const std::optional<std::string>& text) { return text ? OrderedJson(*text) : OrderedJson(); }

WantedMembers membersOf(const Preset& preset) {
    return {{"preset_key", preset.presetKey},
            {"model", preset.model},
            {"served_model_name", orNull(preset.servedModelName)},
            {"model_family", preset.modelFamily},
            {"spec_decode_K", preset.specDecodeK},
            {"max_num_seqs", preset.maxNumSeqs},
            {"role", orNull(preset.role)},
            {"intended_workloads", preset.intendedWorkloads},
            {"default_for_family", preset.defaultForFamily}};
}

WantedMembers membersOf(const CoverageGap& gap) {
    return {{"model_family", gap.modelFamily},
            {"missing_cell", gap.missingCell},
            {"fallback_preset", gap.fallbackPreset},
            {"next_phase", gap.nextPhase}};
}

OrderedJson jsonOf(const When& when) {
    OrderedJson out = OrderedJson::object();
    for (const Axis axis : kAxes)
        if (const auto& words = wordsOf(when, axis)) out[std::string(toString(axis))] = *words;
    return out;
}

/// All but the condition, which is compared axis by axis.
WantedMembers membersOf(const RoutingRule& rule) {
    return {{"model_family", rule.modelFamily},
            {"preset_key", rule.presetKey},
            {"evidence", rule.evidence},
            {"evidence_tag", orNull(rule.evidenceTag)}};
}

OrderedJson objectOf(const WantedMembers& members) {
    OrderedJson out = OrderedJson::object();
    for (const Wanted& member : members) out[member.key] = member.value;
    return out;
}

OrderedJson jsonOf(const RoutingRule& rule) {
    return {{"model_family", rule.modelFamily},
            {"when", jsonOf(rule.when)},
            {"preset_key", rule.presetKey},
            {"evidence", rule.evidence},
            {"evidence_tag", orNull(rule.evidenceTag)}};
}

/// A text in the course of several changes, of which the first failure stays.
class Edit {
public:
    explicit Edit(std::string_view text) : m_text(std::string(text)) {}

    [[nodiscard]] Result<std::string> result() && { return std::move(m_text); }

    /// Runs `change` on the document as it stands now.
    template <class Change>
    void apply(const Change& change) {
        if (const auto document = parsed()) m_text = change(*document);
    }

    void setMembers(const std::string& object, const WantedMembers& members) {
        for (const Wanted& member : members) setMember(object, member);
    }

    void setMember(const std::string& object, const Wanted& member) {
        const OrderedJson* parent = valueAt(object);
        if (parent == nullptr) return;
        const auto present = parent->is_object() ? parent->find(member.key) : parent->end();
        const bool same = parent->is_object() && (present == parent->end() ? member.value.is_null()
                                                                           : saysTheSame(*present, member.value));
        if (same) return;
        apply([&](const JsonDocument& document) {
            return signalbox::setMember(document, object, member.key, member.value);
        });
    }

    void removeMember(const std::string& object, const std::string& key) {
        const OrderedJson* parent = valueAt(object);
        if (parent == nullptr || !parent->is_object() || !parent->contains(key)) return;
        apply([&](const JsonDocument& document) { return signalbox::removeMember(document, object, key); });
    }

    /// Valid until the next change; null once something failed.
    [[nodiscard]] const OrderedJson* valueAt(const std::string& pointer) {
        const JsonDocument* document = parsed();
        if (document == nullptr) return nullptr;
        if (document->rangeOf(pointer)) return &document->root().at(OrderedJson::json_pointer(pointer));
        m_text = fail(ErrorKind::notFound, "the table has nothing there", pointer, "Look at the table as it is now.");
        return nullptr;
    }

private:
    const JsonDocument* parsed() {
        if (!m_text) return nullptr;
        if (m_document && m_document->text() == *m_text) return &*m_document;
        auto document = JsonDocument::parse(*m_text);
        if (document) return &m_document.emplace(std::move(*document));
        const Finding& finding = document.error();
        m_text = fail(ErrorKind::badInput, finding.message,
                      std::to_string(finding.position.line) + ":" + std::to_string(finding.position.column), finding.hint);
        return nullptr;
    }

    Result<std::string> m_text;
    std::optional<JsonDocument> m_document;
};

std::string at(const std::string& list, std::size_t index) { return list + "/" + std::to_string(index); }

Result<std::string> added(std::string_view text, const std::string& list, std::size_t index, const OrderedJson& value) {
    Edit edit(text);
    edit.apply([&](const JsonDocument& document) { return insertElement(document, list, index, value); });
    return std::move(edit).result();
}

Result<std::string> removed(std::string_view text, const std::string& list, std::size_t index) {
    Edit edit(text);
    edit.apply([&](const JsonDocument& document) { return removeElement(document, list, index); });
    return std::move(edit).result();
}

Result<std::string> moved(std::string_view text, const std::string& list, std::size_t from, std::size_t to) {
    Edit edit(text);
    edit.apply([&](const JsonDocument& document) { return moveElement(document, list, from, to); });
    return std::move(edit).result();
}

/// A copy behind the element, as it stands but for the members in `changed`.
Result<std::string> duplicated(std::string_view text, const std::string& list, std::size_t index, const WantedMembers& changed = {}) {
    Edit edit(text);
    const OrderedJson* original = edit.valueAt(at(list, index));
    if (original == nullptr) return std::move(edit).result();
    OrderedJson copy = *original;
    for (const Wanted& member : changed) copy[member.key] = member.value;
    return added(text, list, index + 1, copy);
}

/// The index of the preset with that key; the number of presets if there is none.
std::size_t presetWithKey(const OrderedJson& presets, std::string_view key) {
    const auto names = [&](const OrderedJson& preset) {
        return preset.is_object() && preset.contains("preset_key") && preset["preset_key"] == key;
    };
    return static_cast<std::size_t>(std::find_if(presets.begin(), presets.end(), names) - presets.begin());
}

/// Every element of `list` whose `member` is the text `from`.
std::vector<std::size_t> naming(Edit& edit, const std::string& list, const std::string& member, std::string_view from) {
    std::vector<std::size_t> out;
    const OrderedJson* elements = edit.valueAt(list);
    for (std::size_t i = 0; elements != nullptr && elements->is_array() && i < elements->size(); ++i)
        if ((*elements)[i].is_object() && (*elements)[i].contains(member) && (*elements)[i][member] == from) out.push_back(i);
    return out;
}

}  // namespace

Result<std::string> addPreset(std::string_view text, std::size_t index, const Preset& preset) {
    Edit edit(text);
    const OrderedJson* presets = edit.valueAt(kPresets);
    if (presets != nullptr && presetWithKey(*presets, preset.presetKey) < presets->size())
        return fail(ErrorKind::conflict, "the table already has a preset \"" + preset.presetKey + "\"", kPresets,
                    "Give each preset its own key.");
    return added(text, kPresets, index, objectOf(membersOf(preset)));
}

Result<std::string> changePreset(std::string_view text, std::size_t index, const Preset& preset) {
    Edit edit(text);
    edit.setMembers(at(kPresets, index), membersOf(preset));
    return std::move(edit).result();
}

Result<std::string> duplicatePreset(std::string_view text, std::size_t index, std::string_view key) {
    Edit edit(text);
    const OrderedJson* presets = edit.valueAt(kPresets);
    if (presets != nullptr && presetWithKey(*presets, key) < presets->size())
        return fail(ErrorKind::conflict, "the table already has a preset \"" + std::string(key) + "\"", kPresets,
                    "Give each preset its own key.");
    return duplicated(text, kPresets, index, {{"preset_key", std::string(key)}, {"default_for_family", false}});
}

Result<std::string> removePreset(std::string_view text, std::size_t index) { return removed(text, kPresets, index); }

Result<std::string> movePreset(std::string_view text, std::size_t from, std::size_t to) {
    return moved(text, kPresets, from, to);
}

Result<std::string> renamePreset(std::string_view text, std::string_view from, std::string_view to) {
    Edit edit(text);
    const OrderedJson* presets = edit.valueAt(kPresets);
    if (presets == nullptr) return std::move(edit).result();
    const std::size_t index = presetWithKey(*presets, from);
    if (index == presets->size())
        return fail(ErrorKind::notFound, "the table has no preset \"" + std::string(from) + "\"", kPresets,
                    "Look at the table as it is now.");
    if (from != to && presetWithKey(*presets, to) < presets->size())
        return fail(ErrorKind::conflict, "the table already has a preset \"" + std::string(to) + "\"", at(kPresets, index),
                    "Give each preset its own key.");
    const OrderedJson key = std::string(to);
    edit.setMember(at(kPresets, index), {"preset_key", key});
    for (const std::size_t i : naming(edit, kRules, "preset_key", from)) edit.setMember(at(kRules, i), {"preset_key", key});
    for (const std::size_t i : naming(edit, kGaps, "fallback_preset", from))
        edit.setMember(at(kGaps, i), {"fallback_preset", key});
    return std::move(edit).result();
}

Result<std::string> addRule(std::string_view text, std::size_t index, const RoutingRule& rule) {
    return added(text, kRules, index, jsonOf(rule));
}

Result<std::string> changeRule(std::string_view text, std::size_t index, const RoutingRule& rule) {
    Edit edit(text);
    const std::string pointer = at(kRules, index);
    edit.setMembers(pointer, membersOf(rule));
    const OrderedJson* object = edit.valueAt(pointer);
    if (object == nullptr) return std::move(edit).result();
    if (!object->contains("when") || !object->at("when").is_object()) {
        edit.setMember(pointer, {"when", jsonOf(rule.when)});
        return std::move(edit).result();
    }
    for (const Axis axis : kAxes) {
        const std::string key(toString(axis));
        if (const auto& words = wordsOf(rule.when, axis)) edit.setMember(pointer + "/when", {key, *words});
        else edit.removeMember(pointer + "/when", key);
    }
    return std::move(edit).result();
}

Result<std::string> duplicateRule(std::string_view text, std::size_t index) { return duplicated(text, kRules, index); }

Result<std::string> removeRule(std::string_view text, std::size_t index) { return removed(text, kRules, index); }

Result<std::string> moveRule(std::string_view text, std::size_t from, std::size_t to) {
    return moved(text, kRules, from, to);
}

Result<std::string> addGap(std::string_view text, std::size_t index, const CoverageGap& gap) {
    return added(text, kGaps, index, objectOf(membersOf(gap)));
}

Result<std::string> changeGap(std::string_view text, std::size_t index, const CoverageGap& gap) {
    Edit edit(text);
    edit.setMembers(at(kGaps, index), membersOf(gap));
    return std::move(edit).result();
}

Result<std::string> duplicateGap(std::string_view text, std::size_t index) { return duplicated(text, kGaps, index); }

Result<std::string> removeGap(std::string_view text, std::size_t index) { return removed(text, kGaps, index); }

Result<std::string> moveGap(std::string_view text, std::size_t from, std::size_t to) { return moved(text, kGaps, from, to); }

}  // namespace signalbox::table
