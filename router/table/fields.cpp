// SPDX-License-Identifier: MIT
#include "router/table/fields.h"

#include "router/base/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace signalbox::table {
namespace {

bool allTexts(const OrderedJson& array) {
    return std::all_of(array.begin(), array.end(), [](const OrderedJson& item) { return item.is_string(); });
}

}  // namespace

std::optional<std::int64_t> asInteger(const OrderedJson& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    // Beyond 2^53 a double no longer names one integer.
    const double number = value.get<double>();
    if (!(std::abs(number) <= 0x1p53) || std::trunc(number) != number) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

std::string typeName(const OrderedJson& value) {
    if (value.is_null()) return "null";
    if (value.is_boolean()) return "true or false";
    if (value.is_string()) return "a text";
    if (value.is_array()) return "a list";
    if (value.is_object()) return "an object";
    if (asInteger(value)) return "an integer";
    return std::isfinite(value.get<double>()) ? "a number" : "a number too large to use";
}

std::string allowedHint(std::string_view word, std::span<const std::string> allowed) {
    std::string hint;
    if (const auto near = nearestName(word, allowed)) hint = "Did you mean \"" + *near + "\"? ";
    hint += "Allowed are ";
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (i != 0) hint += i + 1 == allowed.size() ? " and " : ", ";
        hint += allowed[i];
    }
    return hint + ".";
}

const OrderedJson* Fields::find(const std::string& key, bool required) {
    const auto it = m_object.find(key);
    if (it != m_object.end()) return &*it;
    if (required && m_gathers) m_missing.push_back(key);
    else if (required) missing({key}, {});
    return nullptr;
}

void Fields::missing(const std::vector<std::string>& keys, const std::string& hint) {
    std::string names;
    for (std::size_t i = 0; i < keys.size(); ++i) names += (i == 0 ? "\"" : i + 1 == keys.size() ? " and no \"" : ", no \"") + keys[i] + '"';
    m_remarks.error(m_codes.missing, m_pointer, m_what + " has no " + names,
                    keys.size() == 1 ? "Add " + names + "; the table's contract requires it." : hint);
}

void Fields::reportMissing(const std::string& hint) {
    if (!m_missing.empty()) missing(m_missing, hint);
    m_missing.clear();
}

void Fields::wrongType(const std::string& key, std::string_view wanted, const OrderedJson& value) {
    m_remarks.error(m_codes.type, pointerTo(key),
                    "\"" + key + "\" must be " + std::string(wanted) + ", not " + typeName(value),
                    "Write " + std::string(wanted) + ".");
}

std::optional<std::string> Fields::text(const std::string& key) {
    const OrderedJson* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    wrongType(key, "a text", *value);
    return std::nullopt;
}

std::optional<std::string> Fields::name(const std::string& key) {
    auto value = text(key);
    if (!value || !value->empty()) return value;
    m_remarks.error(m_codes.type, pointerTo(key), "\"" + key + "\" must not be empty", "Write its name.");
    return std::nullopt;
}

std::optional<std::string> Fields::textOrNull(const std::string& key, bool required) {
    const OrderedJson* value = find(key, required);
    if (value == nullptr || value->is_null()) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    wrongType(key, "a text or null", *value);
    return std::nullopt;
}

std::optional<std::int64_t> Fields::integer(const std::string& key) {
    const OrderedJson* value = find(key);
    if (value == nullptr) return std::nullopt;
    const auto number = asInteger(*value);
    if (!number) wrongType(key, "an integer", *value);
    return number;
}

std::optional<bool> Fields::boolean(const std::string& key) {
    const OrderedJson* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    wrongType(key, "true or false", *value);
    return std::nullopt;
}

std::optional<std::vector<std::string>> Fields::words(const std::string& key) {
    const OrderedJson* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (value->is_array() && allTexts(*value)) return value->get<std::vector<std::string>>();
    wrongType(key, "a list of texts", *value);
    return std::nullopt;
}

const OrderedJson* Fields::object(const std::string& key) {
    const OrderedJson* value = find(key);
    if (value == nullptr || value->is_object()) return value;
    wrongType(key, "an object", *value);
    return nullptr;
}

const OrderedJson* Fields::array(const std::string& key) {
    const OrderedJson* value = find(key);
    if (value == nullptr || value->is_array()) return value;
    wrongType(key, "a list", *value);
    return nullptr;
}

void Fields::noteUnknown(std::initializer_list<std::string> known) {
    for (const auto& [key, value] : m_object.items()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        const auto near = nearestName(key, std::span(known.begin(), known.size()));
        m_remarks.note("unknown_field", m_pointer + (OrderedJson::json_pointer() / key).to_string(),
                       m_what + " has a field \"" + elided(key, 80) + "\" that the contract does not know",
                       near ? "Did you mean \"" + *near + "\"? It is kept and written back."
                            : "It is kept and written back, and has no effect.");
    }
}

}  // namespace signalbox::table
