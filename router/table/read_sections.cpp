// SPDX-License-Identifier: MIT
#include "router/table/parts.h"
#include "router/table/when.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::table {
namespace {

/// The texts that a section may hold; they are prose for people.
void checkProse(Fields& fields, std::initializer_list<std::string> keys) {
    for (const std::string& key : keys) fields.textOrNull(key, false);
}

void checkOrder(const std::vector<std::string>& order, const std::string& pointer, Remarks& remarks) {
    const auto documented = axisWords(Axis::workloadClass);
    if (order == documented) return;
    std::string names;
    for (const std::string& word : documented) names += (names.empty() ? "" : " > ") + word;
    remarks.warning("evaluation_order_differs", pointer, "the evaluation order is not the documented one",
                    "The documented order is used all the same: " + names + ".");
}

void checkClass(const std::string& name, const OrderedJson& value, const std::string& pointer, Remarks& remarks) {
    if (!value.is_object())
        return remarks.error("workload_detection_shape", pointer,
                             "the workload class must be an object, not " + typeName(value),
                             "Write an object with a \"trigger\".");
    Fields fields(value, pointer, "the workload class \"" + name + "\"",
                  {"workload_detection_shape", "workload_detection_shape"}, remarks);
    fields.text("trigger");
    if (fields.has("priority")) fields.integer("priority");
}

}  // namespace

void checkWorkloadDetection(const OrderedJson& object, Remarks& remarks) {
    const std::string pointer = "/workload_class_detection";
    Fields fields(object, pointer, "the section", {"workload_detection_shape", "workload_detection_shape"}, remarks);
    if (const auto order = fields.words("evaluation_order"))
        checkOrder(*order, fields.pointerTo("evaluation_order"), remarks);
    const OrderedJson* classes = fields.object("classes");
    if (classes == nullptr) return;
    for (const auto& [name, value] : classes->items())
        checkClass(name, value, pointer + "/classes" + (OrderedJson::json_pointer() / name).to_string(), remarks);
}

void checkConcurrencyDetection(const OrderedJson& object, Remarks& remarks) {
    Fields fields(object, "/concurrency_mode_detection", "the section",
                  {"concurrency_detection_shape", "concurrency_detection_shape"}, remarks);
    fields.text("single_stream");
    fields.text("multi_conc");
    checkProse(fields, {"owner", "fallback"});
}

void checkLengthDetection(const OrderedJson& object, Remarks& remarks) {
    Fields fields(object, "/length_detection", "the section", {"length_detection_shape", "length_detection_shape"},
                  remarks);
    const auto threshold = fields.integer("short_threshold_tokens");
    if (threshold && *threshold != 256)
        remarks.error("short_threshold_not_256", fields.pointerTo("short_threshold_tokens"),
                      "the threshold is " + std::to_string(*threshold) + ", the contract freezes it at 256",
                      "Write 256; another threshold needs another schema version.");
    const auto hintWins = fields.boolean("caller_hint_wins");
    if (hintWins && !*hintWins)
        remarks.error("caller_hint_wins_not_true", fields.pointerTo("caller_hint_wins"),
                      "the contract freezes \"caller_hint_wins\" at true",
                      "Write true; another precedence needs another schema version.");
    if (fields.has("buckets")) fields.object("buckets");
}

void checkFallback(const OrderedJson& object, Remarks& remarks) {
    Fields fields(object, "/fallback", "the section", {"fallback_shape", "fallback_shape"}, remarks);
    const auto k = fields.integer("default_K");
    if (k && *k != 1)
        remarks.error("default_k_not_one", fields.pointerTo("default_K"),
                      "\"default_K\" is " + std::to_string(*k) + ", the contract freezes it at 1",
                      "Write 1; another K by default needs another schema version.");
    checkProse(fields, {"no_rule_matched", "model_family_unknown", "classification_failed"});
}

}  // namespace signalbox::table
