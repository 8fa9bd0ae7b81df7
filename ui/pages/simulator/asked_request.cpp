// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/asked_request.h"

#include "router/base/json_document.h"
#include "router/classify/classify.h"

#include <nlohmann/json.hpp>

namespace signalbox::ui {

namespace smart = policy::smart;
using classify::CallerHints;

static OrderedJson bodyOf(const FormFields& fields) {
    OrderedJson content = "…";
    if (fields.vision)
        content = OrderedJson::array({{{"type", "text"}, {"text", "…"}}, {{"type", "image_url"}, {"image_url", {{"url", "data:,"}}}}});
    OrderedJson body{{"model", fields.model}, {"messages", OrderedJson::array({{{"role", "user"}, {"content", std::move(content)}}})}};
    if (fields.outputCap) body["max_completion_tokens"] = *fields.outputCap;
    if (fields.kind == FormFields::Kind::structured) body["response_format"] = {{"type", "json_object"}};
    if (fields.kind == FormFields::Kind::toolCall) {
        body["tools"] = OrderedJson::array();
        for (std::uint32_t i = 0; i < std::max(fields.tools, 1U); ++i)
            body["tools"].push_back({{"type", "function"}, {"function", {{"name", "tool_" + std::to_string(i + 1)}}}});
        if (fields.parallelTools) body["parallel_tool_calls"] = true;
    }
    return body;
}

Result<AskedRequest> fromForm(const FormFields& fields, const CallerHints& principalHints) {
    CallerHints hints;
    if (!fields.lengthHint.empty()) hints.expectedLength = fields.lengthHint;
    if (fields.kind == FormFields::Kind::codeGen) hints.category = "code";
    hints.inputTokens = std::to_string(fields.inputTokens);
    auto read = classify::classify(bodyOf(fields).dump(), hints, principalHints, fields.inFlight);
    if (!read) return tl::unexpected(std::move(read.error()));
    return AskedRequest{std::move(read->features), {fields.inputTokens, fields.outputCap.value_or(smart::kDefaultOutputTokens)}, true};
}

Result<AskedRequest> fromBody(classify::Dialect dialect, std::string_view body, const CallerHints& principalHints, std::optional<std::uint32_t> inFlight) {
    auto read = classify::classifyBody(dialect, body, {}, principalHints, inFlight);
    if (!read) return tl::unexpected(std::move(read.error()));
    return AskedRequest{std::move(read->features), smart::chatSizes(body).sizes};
}

AskedRequest fromRecord(const evidence::DecisionRecord& record) {
    AskedRequest asked{record.features, {}};
    if (asked.features.model.empty()) asked.features.model = record.requestedModel;
    if (record.group) asked.sizes = {record.group->inputTokens, record.group->outputTokens};
    else asked.sizes = {record.features.inputTokens, record.features.outputCap.value_or(smart::kDefaultOutputTokens)};
    return asked;
}

}  // namespace signalbox::ui
