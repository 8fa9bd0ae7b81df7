// SPDX-License-Identifier: MIT
#include "router/table/empty_table.h"

#include "router/base/text.h"
#include "router/table/write.h"

#include <nlohmann/json.hpp>

namespace signalbox::table {

std::string emptyTable(Timestamp now) {
    // The prose is what the documented detection does; nothing reads it but people.
    const auto trigger = [](const char* text, int priority) { return OrderedJson{{"trigger", text}, {"priority", priority}}; };
    const OrderedJson classes{{"tool_call", trigger("tools is a non-empty array", 100)},
                              {"structured_json", trigger("response_format.type is json_object or json_schema", 90)},
                              {"summarization", trigger("input_tokens > 2 * max_tokens, no response_format, no tools", 50)},
                              {"code_gen", trigger("caller hint category=code", 40)},
                              {"free_chat", trigger("nothing else matched", 0)}};
    OrderedJson order = OrderedJson::array();
    for (const auto& item : classes.items()) order.push_back(item.key());
    OrderedJson out{{"schema_version", 1}, {"generated_by", "signalbox/" SIGNALBOX_VERSION}, {"vllm_pin", nullptr}};
    out["generated_at"] = toIso8601(now).substr(0, std::string_view("YYYY-MM-DDTHH:MM:SS").size()) + 'Z';
    for (const char* list : {"presets", "routing_rules", "coverage_gaps"}) out[list] = OrderedJson::array();
    out["workload_class_detection"] = {{"evaluation_order", order}, {"classes", classes}};
    out["concurrency_mode_detection"] = {{"single_stream", "requests in flight <= 1"},
                                         {"multi_conc", "requests in flight >= 2"},
                                         {"owner", "the gateway"},
                                         {"fallback", "single_stream"}};
    out["length_detection"] = {{"short_threshold_tokens", 256},
                               {"caller_hint_wins", true},
                               {"buckets", {{"short", "<= 256"}, {"medium", "257..512"}, {"long", "> 512"}}}};
    out["fallback"] = {{"no_rule_matched", "default_for_family, else the model's natural preset"},
                       {"model_family_unknown", "the model's natural preset"},
                       {"classification_failed", "free_chat"},
                       {"default_K", 1}};
    return writeTable(out);
}

}  // namespace signalbox::table
