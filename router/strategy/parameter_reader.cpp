// SPDX-License-Identifier: MIT
#include "router/strategy/parameter_reader.h"

#include "router/base/text.h"

#include <algorithm>
#include <limits>

namespace signalbox::strategy {

ParameterReader::ParameterReader(const OrderedJson& json, std::string path, std::string strategy)
    : m_json(json), m_path(std::move(path)), m_strategy(std::move(strategy)) {
    if (!json.is_object() && !json.is_null()) report("bad_value", "", "router_params must be a table of parameters");
}

void ParameterReader::number(const char* name, double& out, double least, double most, const char* rule) {
    const OrderedJson* value = take(name);
    if (value == nullptr) return;
    const double read = value->is_number() ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!std::isfinite(read) || read < least || read > most) return report("bad_value", name, rule);
    out = read;
}

std::optional<std::uint64_t> ParameterReader::whole(const char* name, std::uint64_t least, std::uint64_t most) {
    const OrderedJson* value = take(name);
    if (value == nullptr) return std::nullopt;
    const bool isWhole = value->is_number_unsigned() || (value->is_number_integer() && value->get<std::int64_t>() >= 0);
    if (isWhole && value->get<std::uint64_t>() >= least && value->get<std::uint64_t>() <= most) return value->get<std::uint64_t>();
    report("bad_value", name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return std::nullopt;
}

void ParameterReader::flag(const char* name, bool& out) {
    const OrderedJson* value = take(name);
    if (value == nullptr) return;
    if (!value->is_boolean()) return report("bad_value", name, "must be true or false");
    out = value->get<bool>();
}

const OrderedJson* ParameterReader::take(const char* name) {
    m_known.emplace_back(name);
    return has(name) ? &*m_json.find(name) : nullptr;
}

bool ParameterReader::has(const char* name) const {
    if (!m_json.is_object()) return false;
    const auto it = m_json.find(name);
    return it != m_json.end() && !it->is_null();
}

void ParameterReader::report(const char* code, const std::string& name, const std::string& rule, std::string hint) {
    Finding finding;
    finding.code = code;
    finding.pointer = name.empty() ? m_path : m_path + "." + name;
    finding.message = name.empty() ? rule : name + " " + rule;
    finding.hint = std::move(hint);
    m_findings.push_back(std::move(finding));
}

void ParameterReader::reportUnknown() {
    if (!m_json.is_object()) return;
    for (const auto& [name, value] : m_json.items()) {
        if (std::find(m_known.begin(), m_known.end(), name) != m_known.end()) continue;
        const auto near = nearestName(name, m_known);
        report("unknown_parameter", elided(name, 64), "is not a parameter of " + m_strategy,
               near ? "Did you mean \"" + *near + "\"?" : "Remove it");
    }
}

OrderedJson parametersOf(const std::string& json) {
    return json.empty() ? OrderedJson::object() : OrderedJson::parse(json);
}

}  // namespace signalbox::strategy
