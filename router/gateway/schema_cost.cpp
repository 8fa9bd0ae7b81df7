// SPDX-License-Identifier: MIT
#include "router/gateway/schema_cost.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace signalbox::gateway {

namespace {

using SchemaJson = nlohmann::json;

constexpr int kDeepest = 64;
constexpr std::uint64_t kMostNodes = 20'000;
/// Members whose own members are named by the schema's author and are no keywords.
constexpr std::array<std::string_view, 5> kNameMaps{"properties", "definitions", "$defs", "dependencies", "dependentSchemas"};
/// Members that are values and no schemas.
constexpr std::array<std::string_view, 5> kValues{"enum", "const", "default", "examples", "required"};

template <std::size_t N>
bool isAmong(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

class SchemaScale {
public:
    explicit SchemaScale(SchemaJson& root) : m_root(root) {}

    std::optional<SchemaCost> weigh() {
        if (!clean(m_root, Place::schema, 0))
            return std::nullopt;
        const auto nodes = expanded(m_root, 0);
        if (!nodes || *nodes > kMostNodes)
            return std::nullopt;
        m_cost.nodes = *nodes;
        return m_cost;
    }

private:
    enum class Place { schema, names };

    bool clean(SchemaJson& node, Place place, int depth) {
        if (depth > kDeepest || ++m_seen > kMostNodes)
            return false;
        if (node.is_array())
            return std::all_of(node.begin(), node.end(), [&](SchemaJson& item) { return clean(item, Place::schema, depth + 1); });
        if (!node.is_object())
            return true;
        if (place == Place::schema && !dropUnrun(node))
            return false;
        for (auto& [key, value] : node.items()) {
            if (place == Place::schema && isAmong(kValues, key))
                continue;
            const bool names = place == Place::schema && isAmong(kNameMaps, key);
            if (!clean(value, names ? Place::names : Place::schema, depth + 1))
                return false;
        }
        return true;
    }

    bool dropUnrun(SchemaJson& schema) {
        m_schemas.insert(&schema);
        if (schema.contains("patternProperties"))
            return false;
        // valijson divides by it: 0, or -1 under the smallest number, would end the process.
        if (const auto step = schema.find("multipleOf"); step != schema.end()) {
            const double by = step->is_number() ? step->get<double>() : 0;
            if (!(by > 0 && by < 9e18))
                return false;
        }
        // Behind a reference valijson takes the schema of names for the one that holds it.
        m_cost.leftOutPatterns = schema.erase("pattern") + schema.erase("propertyNames") > 0 || m_cost.leftOutPatterns;
        schema.erase("format");
        schema.erase("id"); // would move the place where references are looked up
        m_cost.comparesItems = m_cost.comparesItems || schema.contains("uniqueItems");
        return true;
    }

    /// nullopt: a bad reference, or one that leads back to where it stands.
    std::optional<std::uint64_t> expanded(const SchemaJson& node, int depth) {
        if (!node.is_structured())
            return 1;
        if (const auto known = m_weights.find(&node); known != m_weights.end())
            return known->second;
        if (depth > kDeepest)
            return std::nullopt;
        m_weights[&node] = std::nullopt; // whoever comes here again meanwhile goes round in a circle
        std::uint64_t total = 1;
        for (const auto& [key, value] : node.items()) {
            const SchemaJson* counted = &value;
            if (node.is_object() && key == "$ref" && value.is_string())
                counted = target(value.get_ref<const std::string&>());
            if (counted == nullptr)
                return std::nullopt;
            const auto weight = expanded(*counted, depth + 1);
            if (!weight)
                return std::nullopt;
            total = std::min(total + *weight, kMostNodes + 1);
        }
        m_weights[&node] = total;
        return total;
    }

    const SchemaJson* target(const std::string& reference) const {
        // Empty tokens are keys to one reader of pointers and nothing to the other.
        if (!reference.starts_with('#') || reference.ends_with('/') || reference.find("//") != std::string::npos ||
            reference.find('%') != std::string::npos)
            return nullptr;
        try {
            const SchemaJson::json_pointer pointer(reference.substr(1));
            const SchemaJson* found = m_root.contains(pointer) ? &std::as_const(m_root).at(pointer) : nullptr;
            return m_schemas.contains(found) ? found : nullptr; // only what was cleaned as a schema
        } catch (const SchemaJson::exception&) {
            return nullptr;
        }
    }

    SchemaJson& m_root;
    SchemaCost m_cost;
    std::uint64_t m_seen = 0;
    std::set<const SchemaJson*> m_schemas;
    std::map<const SchemaJson*, std::optional<std::uint64_t>> m_weights;
};

} // namespace

bool nestsDeeper(std::string_view json, int depth) {
    int now = 0;
    bool inText = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char c = json[at];
        if (inText && c == '\\')
            ++at;
        else if (c == '"')
            inText = !inText;
        else if (!inText && (c == '[' || c == '{') && ++now > depth)
            return true;
        else if (!inText && (c == ']' || c == '}'))
            --now;
    }
    return false;
}

std::optional<SchemaCost> weighSchema(nlohmann::json& schema) {
    return schema.is_object() ? SchemaScale(schema).weigh() : std::nullopt;
}

} // namespace signalbox::gateway
