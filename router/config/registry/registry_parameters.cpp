// SPDX-License-Identifier: MIT
#include "router/config/registry/read_registry.h"

#include "router/base/json_document.h"
#include "router/base/text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::config {
namespace {

/// As YAML reads a scalar; a number in quotes is one too, since the strategies take no texts in its place.
OrderedJson scalarOf(const std::string& text) {
    const std::string word = asciiLower(trimmed(text));
    if (word == "true" || word == "yes" || word == "on") return true;
    if (word == "false" || word == "no" || word == "off") return false;
    if (const auto number = readNumber(text)) {
        const bool whole = word.find_first_of(".e") == std::string::npos && *number >= -9e15 && *number <= 9e15;
        return whole ? OrderedJson(static_cast<std::int64_t>(*number)) : OrderedJson(*number);
    }
    return std::string(trimmed(text));
}

/// Nothing for what gateway.toml could not write, or must not.
std::optional<OrderedJson> jsonOf(const YamlNode& node, RegistrySection& section, const RegistryPlace& place) {
    if (node.kind == YamlNode::Kind::scalar) {
        const auto text = section.clean(node, place);
        return text ? std::optional(scalarOf(*text)) : std::nullopt;
    }
    if (node.kind == YamlNode::Kind::list &&
        std::any_of(node.items.begin(), node.items.end(), [](const YamlPtr& item) { return item->kind != YamlNode::Kind::scalar || readNumber(item->text); })) {
        section.context().report.add(ImportOutcome::notCarried, "list_form", place, "a list here can hold texts only");
        return std::nullopt;
    }
    OrderedJson out = node.kind == YamlNode::Kind::map ? OrderedJson::object() : OrderedJson::array();
    for (const YamlPtr& item : node.items)
        if (auto text = section.clean(*item, place)) out.push_back(std::move(*text));
    for (const YamlMember& member : node.members)
        if (member.value->kind != YamlNode::Kind::null && !section.context().secrets.inside(member.key))
            if (auto value = jsonOf(*member.value, section, {place.path + "." + section.keyText(member.key), member.at})) out[member.key] = std::move(*value);
    return out;
}

/// `{prompt: "1.2", completion: "4.0"}` is `{input, output}` here.
void renamePrices(OrderedJson& price) {
    if (!price.is_object()) return;
    OrderedJson out = OrderedJson::object();
    for (auto& [key, value] : price.items()) out[key == "prompt" ? "input" : key == "completion" ? "output" : key] = value;
    price = std::move(out);
}

}  // namespace

void readRegistryParameters(RegistrySection& section, RegistryModel& out) {
    const YamlNode* node = section.take("router_params");
    if (node == nullptr) return;
    const RegistryPlace place = section.placeOf("router_params");
    if (node->kind != YamlNode::Kind::map) {
        section.say(ImportOutcome::notCarried, "parameters_form", "router_params", "parameters are a map");
        return;
    }
    OrderedJson json = OrderedJson::object();
    for (const YamlMember& member : node->members) {
        if (member.value->kind == YamlNode::Kind::null) continue;
        const RegistryPlace at{place.path + "." + section.keyText(member.key), member.at};
        if (section.context().secrets.inside(member.key)) continue;
        if (auto value = jsonOf(*member.value, section, at)) {
            if (member.key == "reference_api_price") renamePrices(*value);
            json[member.key] = std::move(*value);
            out.parameterPlaces.emplace(member.key, at);
        }
    }
    if (!json.empty()) out.parametersJson = json.dump();
}

}  // namespace signalbox::config
