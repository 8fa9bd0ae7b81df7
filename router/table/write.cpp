// SPDX-License-Identifier: MIT
#include "router/table/write.h"

#include "router/base/text.h"
#include "router/table/when.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace signalbox::table {
namespace {

using Keys = std::vector<std::string>;

const Keys kTableKeys{"schema_version", "generated_by", "generated_at", "vllm_pin", "presets", "routing_rules",
                      "workload_class_detection", "concurrency_mode_detection", "length_detection", "fallback",
                      "coverage_gaps"};
const Keys kPresetKeys{"preset_key", "model", "served_model_name", "model_family", "spec_decode_K", "max_num_seqs",
                       "role", "intended_workloads", "default_for_family"};
const Keys kRuleKeys{"model_family", "when", "preset_key", "evidence", "evidence_tag"};
const Keys kWhenKeys{"workload_class", "expected_output_length", "concurrency_mode"};
const Keys kGapKeys{"model_family", "missing_cell", "fallback_preset", "next_phase"};

/// The known keys in their own order, then the others as they stand.
OrderedJson ordered(const OrderedJson& object, const Keys& keys) {
    if (!object.is_object()) return object;
    OrderedJson out = OrderedJson::object();
    for (const std::string& key : keys)
        if (const auto it = object.find(key); it != object.end()) out[key] = *it;
    for (const auto& [key, value] : object.items())
        if (!out.contains(key)) out[key] = value;
    return out;
}

void orderEach(OrderedJson& table, const std::string& list, const Keys& keys) {
    const auto it = table.find(list);
    if (it == table.end() || !it->is_array()) return;
    for (OrderedJson& item : *it) item = ordered(item, keys);
}

/// The moment in the form that emitters write, to the second.
std::string emitted(Timestamp now) {
    return toIso8601(now).substr(0, std::string_view("YYYY-MM-DDTHH:MM:SS").size()) + "+00:00";
}

Result<void> checkEditable(const LoadedTable& loaded) {
    if (!loaded.table || !loaded.document)
        return fail(ErrorKind::badInput, "the table has errors, so it cannot be copied or changed", {},
                    "Correct what its findings name and read it again.");
    if (!loaded.table->isApplicable())
        return fail(ErrorKind::badInput,
                    "a table of schema version " + std::to_string(loaded.table->schemaVersion) + " opens read-only", {},
                    "Use a newer Signalbox to change it.");
    return {};
}

/// Replaces a member of the top level, or puts it in front of the others where the table lacks it.
Result<std::string> withMember(const JsonDocument& document, const std::string& key, const OrderedJson& value) {
    if (document.rangeOf("/" + key)) return document.withValue("/" + key, value);
    const std::string& text = document.text();
    const std::size_t brace = document.rangeOf("")->begin + 1;
    const std::size_t first = text.find('"', brace);
    const std::string space = text.substr(brace, first - brace);
    return text.substr(0, first) + OrderedJson(key).dump(-1, ' ', true) + ": " + value.dump(-1, ' ', true) + "," +
           space + text.substr(first);
}

}  // namespace

std::string writeTable(const OrderedJson& document) {
    OrderedJson table = ordered(document, kTableKeys);
    orderEach(table, "presets", kPresetKeys);
    orderEach(table, "routing_rules", kRuleKeys);
    orderEach(table, "coverage_gaps", kGapKeys);
    if (const auto rules = table.find("routing_rules"); rules != table.end() && rules->is_array())
        for (OrderedJson& rule : *rules)
            if (rule.is_object() && rule.contains("when")) rule["when"] = ordered(rule["when"], kWhenKeys);
    return table.dump(2, ' ', true, OrderedJson::error_handler_t::replace) + "\n";
}

Result<std::string> forkTable(const LoadedTable& parent, Timestamp now) {
    if (auto editable = checkEditable(parent); !editable) return tl::unexpected(std::move(editable.error()));
    auto named = withMember(*parent.document, "generated_by", "signalbox/" SIGNALBOX_VERSION);
    if (!named) return named;
    const auto document = JsonDocument::parse(std::move(*named));
    if (!document) return fail(ErrorKind::internal, document.error().message);
    return withMember(*document, "generated_at", emitted(now));
}

Result<std::string> withVllmPin(const LoadedTable& loaded, const std::string& pin) {
    if (auto editable = checkEditable(loaded); !editable) return tl::unexpected(std::move(editable.error()));
    if (!isValidUtf8(pin)) return fail(ErrorKind::badInput, "the pin is not UTF-8", {}, "Write it in plain text.");
    return withMember(*loaded.document, "vllm_pin", pin);
}

}  // namespace signalbox::table
