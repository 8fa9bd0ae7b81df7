// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_tools.h"

#include "router/upstream/translate/request_schemas.h"

namespace signalbox::upstream::translate {

using classify::Peculiarity;

namespace {

OrderedJson toolName(const Value& name) {
    if (name.text().empty()) name.refuse("is empty", "Give the tool a name.");
    return verbatim(name);
}

/// Both protocols know "auto" and "none"; what one calls "required" the other calls "any".
OrderedJson anthropicChoice(const Value& choice) {
    if (choice.isText()) {
        const std::string& word = choice.text();
        if (word == "auto" || word == "none") return {{"type", word}};
        if (word == "required") return {{"type", "any"}};
        choice.refuse("is no choice of tools", "Use \"auto\", \"none\", \"required\" or the name of a function.");
    }
    const std::string& kind = choice.required("type").text();
    if (kind == "function") return {{"type", "tool"}, {"name", sameText(choice.required("function").required("name"))}};
    if (kind == "custom") choice.peculiar(Peculiarity::customTools);
    choice.hasNoWords("tool_choice of this type");
}

OrderedJson anthropicTool(const Value& tool) {
    if (tool.required("type").text() != "function") tool.peculiar(Peculiarity::customTools);
    const Value function = tool.required("function");
    OrderedJson out{{"name", toolName(function.required("name"))}};
    if (const auto description = function.member("description"); description && !description->text().empty())
        out["description"] = verbatim(*description);
    const auto parameters = function.member("parameters");
    out["input_schema"] = parameters ? objectSchema(*parameters) : OrderedJson{{"type", "object"}};
    if (const auto strict = function.member("strict"); strict && strict->flag()) out["strict"] = true;
    return out;
}

/// Whether `tools` is there and holds nothing: what else speaks of tools goes with it, unread (F26).
bool offersEmptyList(const std::optional<Value>& offered) { return offered && offered->items().empty(); }

void offerCalledTools(const std::vector<std::string>& names, OrderedJson& out) {
    if (names.empty()) return;
    OrderedJson tools = OrderedJson::array();
    for (const std::string& name : names) tools.push_back({{"name", name}, {"input_schema", {{"type", "object"}}}});
    out["tools"] = std::move(tools);
    out["tool_choice"] = {{"type", "none"}};
}

OrderedJson openAiChoice(const Value& choice) {
    const Value kind = choice.required("type");
    const std::string& word = kind.text();
    if (word == "auto" || word == "none") return word;
    if (word == "any") return "required";
    if (word == "tool") return {{"type", "function"}, {"function", {{"name", sameText(choice.required("name"))}}}};
    kind.refuse("is no choice of tools", "Use \"auto\", \"none\", \"any\" or \"tool\".");
}

/// Examples of input have no place of their own there, so that they join the words that the model reads anyway; null: none.
OrderedJson openAiDescription(const Value& tool) {
    const auto description = tool.member("description");
    const bool isSaid = description && !description->text().empty();
    std::string examples;
    if (const auto given = tool.member("input_examples"))
        for (const Value& one : given->items()) examples.append("\n").append(one.asObject().bytes());
    if (examples.empty()) return isSaid ? verbatim(*description) : OrderedJson();
    return (isSaid ? description->text() + "\n\n" : std::string()) + "Examples of its input:" + examples;
}

OrderedJson openAiTool(const Value& tool, LeftOut& leftOut) {
    // The tools that a client runs have no type, or the type "custom".
    if (const auto type = tool.member("type"); type && type->text() != "custom") tool.peculiar(Peculiarity::serverTools);
    OrderedJson function{{"name", toolName(tool.required("name"))}};
    if (OrderedJson description = openAiDescription(tool); !description.is_null()) function["description"] = std::move(description);
    const Value schema = tool.required("input_schema");
    const auto strict = tool.member("strict");
    const bool isAsked = strict && strict->flag();
    const bool isStrict = isAsked && canBeStrictParameters(schema);
    leftOut.strict = leftOut.strict || (isAsked && !isStrict);
    function["parameters"] = isStrict ? strictParametersSchema(schema) : parametersSchema(schema);
    if (isStrict) function["strict"] = true;
    return {{"type", "function"}, {"function", std::move(function)}};
}

}  // namespace

void anthropicTools(const Value& openAiBody, const std::vector<std::string>& calledNames, OrderedJson& out) {
    const auto offered = openAiBody.member("tools");
    OrderedJson tools = OrderedJson::array();
    if (offered)
        for (const Value& tool : offered->items()) tools.push_back(anthropicTool(tool));
    if (offersEmptyList(offered)) return offerCalledTools(calledNames, out);
    const auto choice = openAiBody.member("tool_choice");
    OrderedJson chosen = choice ? anthropicChoice(*choice) : OrderedJson{{"type", "auto"}};
    const auto parallel = openAiBody.member("parallel_tool_calls");
    const bool oneAtATime = parallel && !parallel->flag();
    if (tools.empty()) return offerCalledTools(calledNames, out);
    out["tools"] = std::move(tools);
    if (oneAtATime && chosen["type"] != "none") chosen["disable_parallel_tool_use"] = true;
    if (choice || oneAtATime) out["tool_choice"] = std::move(chosen);
}

void openAiTools(const Value& anthropicBody, OrderedJson& out, LeftOut& leftOut) {
    const auto offered = anthropicBody.member("tools");
    OrderedJson tools = OrderedJson::array();
    if (offered)
        for (const Value& tool : offered->items()) tools.push_back(openAiTool(tool, leftOut));
    if (offersEmptyList(offered)) return;
    const auto choice = anthropicBody.member("tool_choice");
    OrderedJson chosen = choice ? openAiChoice(*choice) : OrderedJson();
    const auto single = choice ? choice->member("disable_parallel_tool_use") : std::nullopt;
    const bool oneAtATime = single && single->flag();
    if (tools.empty()) return;
    out["tools"] = std::move(tools);
    if (choice) out["tool_choice"] = std::move(chosen);
    if (oneAtATime) out["parallel_tool_calls"] = false;
}

}  // namespace signalbox::upstream::translate
