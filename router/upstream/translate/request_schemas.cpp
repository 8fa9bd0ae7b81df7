// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_schemas.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

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

constexpr std::string_view kMore = "additionalProperties";

/// Names its properties and says nothing of others: it can be closed without another word. Without properties it is a map, whose
/// names are the model's to choose.
bool isOpenByOmission(const OrderedJson& object) {
    return schemaMember(object, kMore) == nullptr && schemaMember(object, "properties") != nullptr;
}

bool canBeClosed(const OrderedJson& object) {
    const OrderedJson* more = schemaMember(object, kMore);
    if (more == nullptr ? !isOpenByOmission(object) : *more != false) return false;
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

bool isObjectSchema(const OrderedJson& schema) {
    return saysType(schemaMember(schema, "type"), "object") || schemaMember(schema, "properties") != nullptr;
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
    if (isObjectSchema(schema) && !canBeClosed(schema)) return false;
    for (const auto& [word, value] : schema.get_ref<const Members&>()) {
        if (isAmong(kNotStrict, word)) return false;
        if (word == "items" && !isStrict(value)) return false;
        if ((word == "anyOf" || isAmong(kSchemasByName, word)) && !areStrict(value)) return false;
    }
    return true;
}

/// Where the braces of open objects close, in the bytes of the whole and in their order: what is inside ends before what is around.
void noteOpenEnds(const Value& schema, std::string_view whole, std::vector<std::size_t>& ends) {
    for (const Value::Member& member : schema.members()) {
        if (member.key == "items") noteOpenEnds(member.value, whole, ends);
        if (member.key != "anyOf" && !isAmong(kSchemasByName, member.key)) continue;
        if (member.value.isArray())
            for (const Value& one : member.value.items()) noteOpenEnds(one, whole, ends);
        else
            for (const Value::Member& one : member.value.members()) noteOpenEnds(one.value, whole, ends);
    }
    if (!isObjectSchema(schema.json()) || !isOpenByOmission(schema.json())) return;
    const std::string_view bytes = schema.bytes();
    ends.push_back(static_cast<std::size_t>(bytes.data() + bytes.size() - whole.data()) - 1);
}

std::string withProperties(std::string bytes, const Value& schema) {
    if (!schema.has("properties")) bytes.replace(bytes.size() - 1, 1, R"(,"properties":{}})");
    return bytes;
}

}  // namespace

OrderedJson objectSchema(const Value& schema) {
    const std::string_view bytes = schema.asObject().bytes();
    if (schema.has("type")) return verbatim(bytes);
    return verbatim(R"({"type":"object")" + std::string(schema.empty() ? "" : ",") + std::string(bytes.substr(1)));
}

OrderedJson parametersSchema(const Value& schema) {
    return verbatim(withProperties(written(objectSchema(schema)), schema));
}

OrderedJson strictSchema(const Value& schema) {
    constexpr std::string_view kClosing = R"(,"additionalProperties":false)";
    const std::string_view whole = schema.asObject().bytes();
    std::vector<std::size_t> ends;
    noteOpenEnds(schema, whole, ends);
    std::string out;
    out.reserve(whole.size() + ends.size() * kClosing.size());
    std::size_t told = 0;
    for (const std::size_t end : ends) {
        out.append(whole.substr(told, end - told)).append(kClosing);
        told = end;
    }
    return verbatim(out.append(whole.substr(told)));
}

OrderedJson strictParametersSchema(const Value& schema) { return verbatim(withProperties(written(strictSchema(schema)), schema)); }

bool canBeStrict(const Value& schema) {
    const OrderedJson* type = schemaMember(schema.asObject().json(), "type");
    return type != nullptr && *type == "object" && isStrict(schema.json());
}

}  // namespace signalbox::upstream::translate
