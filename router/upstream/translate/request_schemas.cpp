// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_schemas.h"

#include <algorithm>
#include <array>
#include <set>

namespace signalbox::upstream::translate {

namespace {

using Members = OrderedJson::object_t;

/// Of JSON Schema, what strict schemas of OpenAI must not hold; other words are either known there or say nothing.
constexpr auto kNotStrict = std::to_array<std::string_view>(
    {"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
     "propertyNames", "prefixItems", "contains", "unevaluatedItems", "unevaluatedProperties", "additionalItems", "default"});
constexpr auto kSchemasByName = std::to_array<std::string_view>({"properties", "$defs", "definitions"});

template <std::size_t size>
bool isAmong(const std::array<std::string_view, size>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// A linear search: no member of that name is asked for more than a few times.
const OrderedJson* schemaMember(const OrderedJson& schema, std::string_view key) {
    for (const auto& [name, value] : schema.get_ref<const Members&>())
        if (name == key) return &value;
    return nullptr;
}

/// `type` is null, a word or a list of words.
bool saysType(const OrderedJson* type, std::string_view word) {
    if (type == nullptr) return false;
    const auto isIt = [&](const OrderedJson& one) { return one.is_string() && one.get_ref<const std::string&>() == word; };
    return isIt(*type) || (type->is_array() && std::any_of(type->begin(), type->end(), isIt));
}

bool isClosed(const OrderedJson& object) {
    const OrderedJson* more = schemaMember(object, "additionalProperties");
    if (more == nullptr || *more != false) return false;
    const OrderedJson* properties = schemaMember(object, "properties");
    if (properties == nullptr) return true;
    if (!properties->is_object()) return false;
    std::set<std::string_view> named;
    if (const OrderedJson* required = schemaMember(object, "required"); required != nullptr && required->is_array())
        for (const OrderedJson& one : *required)
            if (one.is_string()) named.insert(one.get_ref<const std::string&>());
    const auto isNamed = [&](const auto& property) { return named.contains(property.first); };
    return std::ranges::all_of(properties->get_ref<const Members&>(), isNamed);
}

// As deep as a body may be nested, which its reader bounds.
bool isStrict(const OrderedJson& schema);

bool areStrict(const OrderedJson& schemas) {
    if (!schemas.is_array() && !schemas.is_object()) return false;
    return std::all_of(schemas.begin(), schemas.end(), isStrict);
}

bool isStrict(const OrderedJson& schema) {
    if (!schema.is_object()) return false;
    const OrderedJson* type = schemaMember(schema, "type");
    const bool saysWhat = type != nullptr || schemaMember(schema, "anyOf") != nullptr || schemaMember(schema, "$ref") != nullptr;
    if (!saysWhat || (saysType(type, "array") && schemaMember(schema, "items") == nullptr)) return false;
    const bool isObject = saysType(type, "object") || schemaMember(schema, "properties") != nullptr;
    if (isObject && !isClosed(schema)) return false;
    for (const auto& [word, value] : schema.get_ref<const Members&>()) {
        if (isAmong(kNotStrict, word)) return false;
        if (word == "items" && !isStrict(value)) return false;
        if ((word == "anyOf" || isAmong(kSchemasByName, word)) && !areStrict(value)) return false;
    }
    return true;
}

}  // namespace

OrderedJson objectSchema(const Value& schema) {
    const std::string_view bytes = schema.asObject().bytes();
    if (schema.has("type")) return verbatim(bytes);
    return verbatim(R"({"type":"object")" + std::string(schema.empty() ? "" : ",") + std::string(bytes.substr(1)));
}

OrderedJson parametersSchema(const Value& schema) {
    std::string bytes = written(objectSchema(schema));
    if (!schema.has("properties")) bytes.replace(bytes.size() - 1, 1, R"(,"properties":{}})");
    return verbatim(bytes);
}

bool canBeStrict(const Value& schema) {
    const OrderedJson* type = schemaMember(schema.asObject().json(), "type");
    return type != nullptr && *type == "object" && isStrict(schema.json());
}

}  // namespace signalbox::upstream::translate
