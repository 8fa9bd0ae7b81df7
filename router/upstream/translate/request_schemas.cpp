// SPDX-License-Identifier: MIT
#include "router/upstream/translate/request_schemas.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <vector>

namespace signalbox::upstream::translate {

namespace {

using Members = OrderedJson::object_t;

/// Of JSON Schema, what strict schemas of OpenAI must not hold; other words are either known there or say nothing.
constexpr auto kNotStrict = std::to_array<std::string_view>(
    {"allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties",
     "propertyNames", "prefixItems", "contains", "unevaluatedItems", "unevaluatedProperties", "additionalItems", "default",
     "dependencies", "minProperties", "maxProperties"});
/// Of the whole. The root is on level 0, and each schema within another one level further, whatever leads to it.
constexpr std::size_t kMaxStrictLevels = 10, kMaxStrictProperties = 5'000;
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

/// What is required must be a property, too: closed, the object could never be made.
bool canBeClosed(const OrderedJson& object) {
    const OrderedJson* more = schemaMember(object, kMore);
    if (more == nullptr ? !isOpenByOmission(object) : *more != false) return false;
    std::set<std::string_view> properties, named;
    if (const OrderedJson* given = schemaMember(object, "properties")) {
        if (!given->is_object()) return false;
        for (const auto& [name, value] : given->get_ref<const Members&>()) properties.insert(name);
    }
    if (const OrderedJson* required = schemaMember(object, "required")) {
        if (!required->is_array() || !std::ranges::all_of(*required, &OrderedJson::is_string)) return false;
        for (const OrderedJson& one : *required) named.insert(one.get_ref<const std::string&>());
    }
    return properties == named;
}

bool isObjectSchema(const OrderedJson& schema) {
    return saysType(schemaMember(schema, "type"), "object") || schemaMember(schema, "properties") != nullptr;
}

/// What an open object without properties is at the root: a tool without arguments, or a map as everywhere below.
enum class EmptyRoot : std::uint8_t { noArguments, map };

class StrictRules {
public:
    explicit StrictRules(EmptyRoot root) : m_root(root) {}

    bool hold(const OrderedJson& schema, std::size_t level = 0) {
        if (!schema.is_object() || level > kMaxStrictLevels) return false;
        const OrderedJson* type = schemaMember(schema, "type");
        const bool leadsOn = schemaMember(schema, "anyOf") != nullptr || schemaMember(schema, "$ref") != nullptr;
        if (type == nullptr && !leadsOn) return false;
        if (saysType(type, "array") && schemaMember(schema, "items") == nullptr) return false;
        if (isObjectSchema(schema) && !holdOfObject(schema, leadsOn, level)) return false;
        for (const auto& [word, value] : schema.get_ref<const Members&>()) {
            if (isAmong(kNotStrict, word)) return false;
            if (word == "items" && !hold(value, level + 1)) return false;
            if ((word == "anyOf" || isAmong(kSchemasByName, word)) && !holdOfAll(value, level + 1)) return false;
        }
        return true;
    }

private:
    bool holdOfAll(const OrderedJson& schemas, std::size_t level) {
        if (!schemas.is_array() && !schemas.is_object()) return false;
        return std::all_of(schemas.begin(), schemas.end(), [&](const OrderedJson& one) { return hold(one, level); });
    }

    bool holdOfObject(const OrderedJson& object, bool leadsOn, std::size_t level) {
        const OrderedJson* properties = schemaMember(object, "properties");
        const std::size_t count = properties == nullptr ? 0 : properties->size();
        if (count > m_left) return false;
        m_left -= count;
        if (isOpenByOmission(object)) {
            if (leadsOn) return false;  // closed, it would shut out what the others name
            if (count == 0 && (level > 0 || m_root == EmptyRoot::map)) return false;
        }
        return canBeClosed(object);
    }

    EmptyRoot m_root;
    std::size_t m_left = kMaxStrictProperties;
};

bool canBeStrictWith(const Value& schema, EmptyRoot root) {
    const OrderedJson& json = schema.asObject().json();
    const OrderedJson* type = schemaMember(json, "type");
    return type != nullptr && *type == "object" && schemaMember(json, "anyOf") == nullptr && StrictRules(root).hold(json);
}

/// Where the braces of open objects close, in the bytes of the whole and in their order: what is inside ends before what is around.
/// Goes through what was read and not through `Value`s, each of which has its whole place with it: as long as the sender likes,
/// for as many members as it likes.
class OpenEnds {
public:
    explicit OpenEnds(const Value& whole) : m_nodes(whole.nodes()), m_origin(m_nodes[whole.node()].range.begin) {
        note(whole.json(), whole.node());
    }
    [[nodiscard]] const std::vector<std::size_t>& found() const { return m_found; }

private:
    void note(const OrderedJson& schema, std::size_t node) {
        std::size_t member = node + 1;
        for (const auto& [word, value] : schema.get_ref<const Members&>()) {
            if (word == "items") note(value, member);
            else if (word == "anyOf" || isAmong(kSchemasByName, word)) noteAll(value, member);
            member = m_nodes[member].next;
        }
        if (isObjectSchema(schema) && isOpenByOmission(schema)) m_found.push_back(m_nodes[node].range.end - 1 - m_origin);
    }

    void noteAll(const OrderedJson& schemas, std::size_t node) {
        std::size_t member = node + 1;
        for (const OrderedJson& one : schemas) {
            note(one, member);
            member = m_nodes[member].next;
        }
    }

    const std::vector<detail::JsonNode>& m_nodes;
    std::size_t m_origin;
    std::vector<std::size_t> m_found;
};

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
    const OpenEnds open(schema);
    const std::vector<std::size_t>& ends = open.found();
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

bool canBeStrict(const Value& schema) { return canBeStrictWith(schema, EmptyRoot::map); }

bool canBeStrictParameters(const Value& schema) { return canBeStrictWith(schema, EmptyRoot::noArguments); }

}  // namespace signalbox::upstream::translate
