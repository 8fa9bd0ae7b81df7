// SPDX-License-Identifier: MIT
#include "router/upstream/simulated_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace signalbox::upstream {

namespace {

using ValueJson = nlohmann::ordered_json;

constexpr int kDeepestValue = 24;
constexpr std::size_t kMostValues = 2000;
constexpr std::size_t kMostValueBytes = std::size_t{64} << 10;
/// Of schemas that together say what one value must be.
constexpr std::size_t kMostFacets = 64;
constexpr std::string_view kPlainText = "simulated";

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kFormats{{
    {"date-time", "2026-01-01T00:00:00Z"}, {"date", "2026-01-01"}, {"time", "00:00:00Z"}, {"duration", "PT1S"},
    {"email", "simulated@example.com"}, {"hostname", "example.com"}, {"uri", "https://example.com/"}, {"ipv4", "192.0.2.1"},
    {"ipv6", "2001:db8::1"}, {"uuid", "00000000-0000-4000-8000-000000000000"},
}};

/// The schemas that together say what one value must be: one, what it refers to, all of `allOf`, the first of a choice.
struct Facets {
    std::vector<const ValueJson*> all;

    [[nodiscard]] const ValueJson* find(const char* key) const {
        for (const ValueJson* one : all)
            if (const auto at = one->find(key); at != one->end()) return &*at;
        return nullptr;
    }
    [[nodiscard]] std::optional<double> number(const char* key) const {
        const ValueJson* value = find(key);
        return value != nullptr && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
    }
    [[nodiscard]] std::size_t count(const char* key, std::size_t otherwise) const {
        const ValueJson* value = find(key);
        if (value == nullptr || !value->is_number_integer() || *value < 0) return otherwise;
        return static_cast<std::size_t>(std::min<std::uint64_t>(value->get<std::uint64_t>(), kMostValueBytes));
    }
    /// What the schemas say of the member.
    [[nodiscard]] const ValueJson* property(const std::string& name) const {
        for (const ValueJson* one : all) {
            const auto properties = one->find("properties");
            if (properties == one->end() || !properties->is_object()) continue;
            if (const auto at = properties->find(name); at != properties->end()) return &*at;
        }
        return nullptr;
    }
};

class PlainValue {
public:
    explicit PlainValue(const ValueJson& root) : m_root(root) {}

    [[nodiscard]] ValueJson of(const ValueJson& schema, int depth = 0) {
        if (depth > kDeepestValue || ++m_values > kMostValues) return nullptr;
        Facets facets;
        gather(schema, facets);
        if (const ValueJson* one = facets.find("const")) return copied(*one);
        if (const ValueJson* some = facets.find("enum"); some != nullptr && some->is_array() && !some->empty()) return copied(some->front());
        return ofType(typeOf(facets), facets, depth);
    }

private:
    void gather(const ValueJson& schema, Facets& into) const {
        if (!schema.is_object() || into.all.size() >= kMostFacets) return;
        into.all.push_back(&schema);
        if (const auto at = schema.find("$ref"); at != schema.end() && at->is_string())
            if (const ValueJson* target = referred(at->get_ref<const std::string&>())) gather(*target, into);
        if (const auto at = schema.find("allOf"); at != schema.end() && at->is_array())
            for (const ValueJson& one : *at) gather(one, into);
        for (const char* choice : {"anyOf", "oneOf"})
            if (const auto at = schema.find(choice); at != schema.end() && at->is_array() && !at->empty()) gather(at->front(), into);
    }

    [[nodiscard]] const ValueJson* referred(const std::string& reference) const {
        if (!reference.starts_with('#')) return nullptr;
        try {
            const ValueJson::json_pointer pointer(reference.substr(1));
            return m_root.contains(pointer) ? &m_root.at(pointer) : nullptr;
        } catch (const ValueJson::exception&) {
            return nullptr;  // an anchor, or no pointer at all
        }
    }

    [[nodiscard]] static std::string typeOf(const Facets& facets) {
        if (const ValueJson* type = facets.find("type")) {
            if (type->is_string()) return type->get<std::string>();
            if (type->is_array())
                for (const ValueJson& one : *type)
                    if (one.is_string() && (one != "null" || type->size() == 1)) return one.get<std::string>();
        }
        for (const char* key : {"properties", "required", "additionalProperties"})
            if (facets.find(key) != nullptr) return "object";
        for (const char* key : {"items", "prefixItems", "minItems"})
            if (facets.find(key) != nullptr) return "array";
        for (const char* key : {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
            if (facets.find(key) != nullptr) return "number";
        return "string";
    }

    [[nodiscard]] ValueJson ofType(const std::string& type, const Facets& facets, int depth) {
        if (type == "object") return object(facets, depth);
        if (type == "array") return array(facets, depth);
        if (type == "integer") return number(facets, true);
        if (type == "number") return number(facets, false);
        if (type == "boolean") return true;
        if (type == "null") return nullptr;
        return text(facets);
    }

    [[nodiscard]] ValueJson object(const Facets& facets, int depth) {
        ValueJson out = ValueJson::object();
        for (const ValueJson* one : facets.all) {
            const auto required = one->find("required");
            if (required == one->end() || !required->is_array()) continue;
            for (const ValueJson& name : *required) {
                if (!name.is_string() || m_values > kMostValues) continue;
                const auto& key = name.get_ref<const std::string&>();
                if (out.contains(key) || !afford(key.size())) continue;
                const ValueJson* schema = facets.property(key);
                if (schema == nullptr) schema = facets.find("additionalProperties");
                out[key] = of(schema != nullptr ? *schema : m_anything, depth + 1);
            }
        }
        return out;
    }

    [[nodiscard]] ValueJson array(const Facets& facets, int depth) {
        ValueJson out = ValueJson::array();
        const ValueJson* first = facets.find("prefixItems");
        const ValueJson* items = facets.find("items");
        const bool tuple = items != nullptr && items->is_array();  // as drafts before 2020 wrote it
        if (tuple) first = std::exchange(items, facets.find("additionalItems"));
        const std::size_t least = facets.count("minItems", 0);
        while (out.size() < least && m_values <= kMostValues) {
            const bool placed = first != nullptr && first->is_array() && out.size() < first->size();
            const ValueJson* schema = placed ? &(*first)[out.size()] : items;
            out.push_back(of(schema != nullptr ? *schema : m_anything, depth + 1));
        }
        return out;
    }

    [[nodiscard]] ValueJson text(const Facets& facets) {
        std::string out(kPlainText);
        const ValueJson* format = facets.find("format");
        for (const auto& [name, example] : kFormats)
            if (format != nullptr && *format == std::string(name)) out = example;
        const std::size_t least = facets.count("minLength", 0);
        if (out.size() < least) out.append(least - out.size(), 'x');
        out.resize(std::min(out.size(), facets.count("maxLength", out.size())));
        return afford(out.size()) ? ValueJson(std::move(out)) : ValueJson();
    }

    /// 0, or the number nearest to it that the bounds allow.
    [[nodiscard]] static ValueJson number(const Facets& facets, bool whole) {
        const double step = std::abs(facets.number("multipleOf").value_or(whole ? 1 : 0));
        const double apart = step > 0 ? step : whole ? 1 : 0.5;
        const auto bound = [&](const char* including, const char* beyond, double outward) {
            std::optional<double> limit = facets.number(including);
            const ValueJson* strict = facets.find(beyond);
            if (strict != nullptr && strict->is_boolean() && *strict == true && limit) limit = *limit + outward;  // draft 4
            if (const auto open = facets.number(beyond)) limit = *open + outward;
            return limit;
        };
        double value = 0;
        if (const auto low = bound("minimum", "exclusiveMinimum", apart); low && *low > 0)
            value = step > 0 ? std::ceil(*low / step - 1e-9) * step : *low;
        if (const auto high = bound("maximum", "exclusiveMaximum", -apart); high && *high < 0)
            value = step > 0 ? std::floor(*high / step + 1e-9) * step : *high;
        // The number between two open bounds that are nearer to each other than that.
        const auto low = facets.number("exclusiveMinimum"), high = facets.number("exclusiveMaximum");
        if (!whole && low && high && (value >= *high || value <= *low)) value = (*low + *high) / 2;
        if (!std::isfinite(value)) return 0;  // a step too small to divide by
        return value == std::trunc(value) && std::abs(value) < 9e15 ? ValueJson(static_cast<std::int64_t>(value)) : ValueJson(value);
    }

    [[nodiscard]] ValueJson copied(const ValueJson& value) {
        const std::size_t bytes = value.is_string() ? value.get_ref<const std::string&>().size() : value.is_structured() ? value.dump().size() : 8;
        return afford(bytes) ? value : ValueJson();
    }

    [[nodiscard]] bool afford(std::size_t bytes) {
        if (bytes > kMostValueBytes - m_bytes) return false;
        m_bytes += bytes;
        return true;
    }

    const ValueJson& m_root;
    const ValueJson m_anything = true;
    std::size_t m_values = 0;
    std::size_t m_bytes = 0;
};

}  // namespace

nlohmann::ordered_json plainValue(const nlohmann::ordered_json& schema) { return PlainValue(schema).of(schema); }

}  // namespace signalbox::upstream
