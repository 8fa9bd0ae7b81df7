// SPDX-License-Identifier: MIT
#include "router/table/parts.h"
#include "router/table/when.h"

#include "router/base/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace signalbox::table {
namespace {

const FieldCodes kRuleCodes{"rule_missing_field", "rule_field_type"};

/// Why a rule can never fire is warned about where it stands; that it cannot, once for the rule.
class WhenReader {
public:
    WhenReader(const OrderedJson& object, std::string pointer, Remarks& remarks)
        : m_object(object), m_pointer(std::move(pointer)), m_remarks(remarks) {}

    When read() {
        for (const auto& [key, value] : m_object.items()) {
            if (const auto axis = parseAxis(key)) readAxis(*axis, value);
            else warnUnknownAxis(key);
        }
        updateMasks(m_when);
        if (!m_when.canMatch)
            m_remarks.warning("rule_never_matches", m_pointer, "no request can match this rule",
                              "Correct its conditions or remove the rule.");
        return std::move(m_when);
    }

private:
    void readAxis(Axis axis, const OrderedJson& value);
    void checkWord(Axis axis, const std::string& word, const std::string& pointer);
    void warnUnknownAxis(const std::string& key);

    const OrderedJson& m_object;
    std::string m_pointer;
    Remarks& m_remarks;
    When m_when;
};

void WhenReader::readAxis(Axis axis, const OrderedJson& value) {
    const std::string pointer = m_pointer + "/" + std::string(toString(axis));
    if (!value.is_array())
        return m_remarks.error("when_axis_type", pointer,
                               "\"" + std::string(toString(axis)) + "\" must be a list of texts, not " + typeName(value),
                               "Write a list, such as [\"" + axisWords(axis).front() + "\"].");
    if (value.empty())
        m_remarks.warning("empty_when_axis", pointer, "an empty list permits no value",
                          "List the permitted values, or leave the axis out to permit all.");
    auto& words = wordsOf(m_when, axis).emplace();
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string item = pointer + "/" + std::to_string(i);
        if (value[i].is_string()) {
            words.push_back(value[i].get<std::string>());
            checkWord(axis, words.back(), item);
        } else {
            m_remarks.error("when_axis_type", item, "the list must hold texts, not " + typeName(value[i]),
                            "Write the value in double quotes.");
        }
    }
}

void WhenReader::checkWord(Axis axis, const std::string& word, const std::string& pointer) {
    const auto known = axisWords(axis);
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    const std::string message =
        "\"" + elided(word, 80) + "\" is not a value of \"" + std::string(toString(axis)) + "\"";
    if (axis == Axis::workloadClass)
        m_remarks.warning("unknown_workload_class", pointer, message, allowedHint(word, known));
    else
        m_remarks.error("when_value_not_allowed", pointer, message, allowedHint(word, known));
}

void WhenReader::warnUnknownAxis(const std::string& key) {
    std::vector<std::string> axes;
    for (const Axis axis : kAxes) axes.emplace_back(toString(axis));
    m_when.canMatch = false;
    m_remarks.warning("unknown_when_axis", m_pointer + (OrderedJson::json_pointer() / key).to_string(),
                      "the axis \"" + elided(key, 80) + "\" is not known, so it cannot be shown to hold",
                      allowedHint(key, axes));
}

void checkEvidence(Fields& fields, RoutingRule& rule, Remarks& remarks) {
    const auto evidence = fields.text("evidence");
    rule.evidence = evidence.value_or("");
    if (evidence && evidence->empty())
        remarks.error("empty_evidence", fields.pointerTo("evidence"), "the rule cites no evidence",
                      "Name the measurement or the reasoning that the rule rests on.");
    rule.evidenceTag = fields.textOrNull("evidence_tag", false);
    static const std::vector<std::string> kTags{"measured", "inferred"};
    if (rule.evidenceTag && std::find(kTags.begin(), kTags.end(), *rule.evidenceTag) == kTags.end())
        remarks.warning("unlisted_evidence_tag", fields.pointerTo("evidence_tag"),
                        "the tag \"" + elided(*rule.evidenceTag, 80) + "\" is not one that the contract lists",
                        allowedHint(*rule.evidenceTag, kTags) + " Null is allowed too.");
}

RoutingRule readRule(const OrderedJson& value, const std::string& pointer, Remarks& remarks) {
    Fields fields(value, pointer, "the rule", kRuleCodes, remarks);
    RoutingRule rule;
    rule.modelFamily = fields.name("model_family").value_or("");
    if (const OrderedJson* when = fields.object("when")) rule.when = WhenReader(*when, pointer + "/when", remarks).read();
    rule.presetKey = fields.name("preset_key").value_or("");
    checkEvidence(fields, rule, remarks);
    fields.noteUnknown({"model_family", "when", "preset_key", "evidence", "evidence_tag"});
    return rule;
}

CoverageGap readGap(const OrderedJson& value, const std::string& pointer, Remarks& remarks) {
    Fields fields(value, pointer, "the coverage gap", {"coverage_gap_shape", "coverage_gap_shape"}, remarks);
    CoverageGap gap;
    gap.modelFamily = fields.text("model_family").value_or("");
    gap.missingCell = fields.text("missing_cell").value_or("");
    gap.fallbackPreset = fields.text("fallback_preset").value_or("");
    gap.nextPhase = fields.text("next_phase").value_or("");
    fields.noteUnknown({"model_family", "missing_cell", "fallback_preset", "next_phase"});
    return gap;
}

}  // namespace

std::vector<RoutingRule> readRules(const OrderedJson& array, Remarks& remarks) {
    std::vector<RoutingRule> rules;
    rules.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
        const std::string pointer = "/routing_rules/" + std::to_string(i);
        if (array[i].is_object()) {
            rules.push_back(readRule(array[i], pointer, remarks));
            continue;
        }
        rules.emplace_back();
        remarks.error(kRuleCodes.type, pointer, "a rule must be an object, not " + typeName(array[i]),
                      "Write an object with \"model_family\", \"when\", \"preset_key\" and \"evidence\".");
    }
    return rules;
}

std::vector<CoverageGap> readGaps(const OrderedJson& array, Remarks& remarks) {
    std::vector<CoverageGap> gaps;
    gaps.reserve(array.size());
    for (std::size_t i = 0; i < array.size(); ++i) {
        const std::string pointer = "/coverage_gaps/" + std::to_string(i);
        if (array[i].is_object()) {
            gaps.push_back(readGap(array[i], pointer, remarks));
            continue;
        }
        gaps.emplace_back();
        remarks.error("coverage_gap_shape", pointer, "a coverage gap must be an object, not " + typeName(array[i]),
                      "Write an object with \"model_family\", \"missing_cell\", \"fallback_preset\", \"next_phase\".");
    }
    return gaps;
}

void checkRuleTargets(const std::vector<RoutingRule>& rules, const std::vector<Preset>& presets, Remarks& remarks) {
    std::vector<std::string> keys;
    for (const Preset& preset : presets) keys.push_back(preset.presetKey);
    const std::unordered_set<std::string_view> known(keys.begin(), keys.end());
    for (std::size_t i = 0; i < rules.size(); ++i) {
        // An empty key stands for one that could not be read, which is an error of its own.
        if (rules[i].presetKey.empty() || known.contains(rules[i].presetKey)) continue;
        const auto near = nearestName(rules[i].presetKey, keys);
        remarks.error("rule_targets_unknown_preset", "/routing_rules/" + std::to_string(i) + "/preset_key",
                      "the rule names the preset \"" + elided(rules[i].presetKey, 80) + "\", which the table does not have",
                      near ? "Did you mean \"" + *near + "\"?" : "Add the preset or name one of the table.");
    }
}

}  // namespace signalbox::table
