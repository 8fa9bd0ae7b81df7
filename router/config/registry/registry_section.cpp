// SPDX-License-Identifier: MIT
#include "router/config/registry/registry_section.h"

#include "router/base/text.h"
#include "router/config/section.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace signalbox::config {
namespace {


bool isVariable(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && name.size() <= 128 && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Digits without the underscores that YAML allows between them.
std::string digitsOf(std::string_view scalar) {
    std::string out(trimmed(scalar));
    std::erase(out, '_');
    if (out.starts_with('+')) out.erase(0, 1);
    return out;
}

std::optional<double> parsed(const std::string& digits) {
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool good = error == std::errc{} && end == digits.data() + digits.size() && std::isfinite(value);
    return good ? std::optional(value) : std::nullopt;
}

std::string registryNumberText(double value) {
    std::string out = std::to_string(value);
    out.erase(out.find_last_not_of('0') + 1);
    if (out.ends_with('.')) out.pop_back();
    return out;
}

}  // namespace

RegistryText readReference(std::string_view scalar) {
    const std::string_view bare = trimmed(scalar);
    RegistryText out;
    if (bare.starts_with("${") && bare.ends_with('}') && bare.find('}') == bare.size() - 1) {
        const std::string_view inside = bare.substr(2, bare.size() - 3);
        const std::size_t colon = inside.find(":-");
        const std::string_view name = inside.substr(0, colon);
        if (isVariable(name)) {
            out.variable = name;
            if (colon != std::string_view::npos && colon + 2 < inside.size()) out.text = inside.substr(colon + 2);
            return out;
        }
    }
    out.mixed = bare.find("${") != std::string_view::npos;
    if (!bare.empty()) out.text = bare;
    return out;
}

std::optional<double> readNumber(std::string_view scalar) { return parsed(digitsOf(scalar)); }

std::optional<double> readShifted(std::string_view scalar, int shift) {
    std::string digits = digitsOf(scalar);
    if (!parsed(digits)) return std::nullopt;
    // Moving the exponent keeps 0.0000028 a million times exactly 2.8.
    constexpr int kFarthest = 1'000'000'000;  // beyond it only 0 is a number that could be read, wherever its point stands
    int exponent = 0;
    if (const std::size_t e = digits.find_first_of("eE"); e != std::string::npos) {
        const char* from = digits.data() + e + 1;
        if (*from == '+') ++from;
        std::from_chars(from, digits.data() + digits.size(), exponent);
        digits.resize(e);
    }
    return parsed(digits + "e" + std::to_string(std::clamp(exponent, -kFarthest, kFarthest) + shift));
}

RegistryPlace RegistrySection::placeOf(std::string_view key) const {
    const YamlMember* member = m_map->find(key);
    return {(m_path.empty() ? "" : m_path + ".") + keyText(key), member == nullptr ? m_map->at : member->at};
}

const YamlNode* RegistrySection::take(std::string_view key) {
    if (std::find(m_known.begin(), m_known.end(), key) == m_known.end()) m_known.emplace_back(key);
    const YamlMember* member = m_map->find(key);
    return member == nullptr || member->value->kind == YamlNode::Kind::null ? nullptr : member->value.get();
}

std::optional<std::string> RegistrySection::clean(const YamlNode& node, const RegistryPlace& place) {
    ImportReport& report = m_context->report;
    if (node.kind != YamlNode::Kind::scalar) {
        report.add(ImportOutcome::notCarried, "not_a_text", place, "a single text belongs here", "Write one value.");
    } else if (m_context->secrets.inside(node.text)) {
        report.add(ImportOutcome::notCarried, "holds_a_key", place, "this text holds a key of the registry, so it is not repeated anywhere",
                   "Write something else there.");
    } else if (const std::string_view bare = trimmed(node.text); !bare.empty()) {
        return std::string(bare);
    }
    return std::nullopt;
}

std::optional<std::string> RegistrySection::text(std::string_view key) {
    const YamlNode* node = take(key);
    return node == nullptr ? std::nullopt : clean(*node, placeOf(key));
}

std::optional<double> RegistrySection::number(std::string_view key, double min, double max) {
    const YamlNode* node = take(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->kind == YamlNode::Kind::scalar ? readNumber(node->text) : std::nullopt;
    if (value && *value >= min && *value <= max) return value;
    say(ImportOutcome::notCarried, "not_a_number", key, "a number from " + registryNumberText(min) + " to " + registryNumberText(max) + " belongs here");
    return std::nullopt;
}

std::optional<std::uint64_t> RegistrySection::whole(std::string_view key, std::uint64_t min, std::uint64_t max) {
    const auto value = number(key, static_cast<double>(min), static_cast<double>(max));
    if (!value) return std::nullopt;
    if (std::floor(*value) == *value) return static_cast<std::uint64_t>(*value);
    say(ImportOutcome::notCarried, "not_a_number", key, "a whole number belongs here");
    return std::nullopt;
}

std::optional<bool> RegistrySection::boolean(std::string_view key) {
    const YamlNode* node = take(key);
    if (node == nullptr) return std::nullopt;
    const std::string word = node->kind == YamlNode::Kind::scalar ? asciiLower(node->text) : std::string();
    // The readers of that system follow YAML 1.1.
    if (word == "true" || word == "yes" || word == "on") return true;
    if (word == "false" || word == "no" || word == "off") return false;
    say(ImportOutcome::notCarried, "not_a_boolean", key, "true or false belongs here");
    return std::nullopt;
}

std::vector<std::pair<std::string, RegistryPlace>> RegistrySection::texts(std::string_view key) {
    std::vector<std::pair<std::string, RegistryPlace>> out;
    const YamlNode* node = take(key);
    if (node == nullptr) return out;
    const RegistryPlace place = placeOf(key);
    if (node->kind != YamlNode::Kind::list) {
        if (auto value = clean(*node, place)) out.emplace_back(std::move(*value), place);
        return out;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const RegistryPlace itemPlace{place.path + "[" + std::to_string(i) + "]", node->items[i]->at};
        if (auto value = clean(*node->items[i], itemPlace)) out.emplace_back(std::move(*value), itemPlace);
    }
    return out;
}

void RegistrySection::say(ImportOutcome outcome, std::string code, std::string_view key, std::string message, std::string hint) const {
    m_context->report.add(outcome, std::move(code), placeOf(key), std::move(message), std::move(hint));
}

void RegistrySection::leave(std::string_view key, std::string_view why, std::string hint) {
    if (take(key) == nullptr) return;
    const std::string said = std::string(key) + ": " + std::string(why);
    m_context->report.addOnce(ImportOutcome::notCarried, "no_counterpart", said, placeOf(key), said, std::move(hint));
}

void RegistrySection::ignore(std::string_view key) { static_cast<void>(take(key)); }

void RegistrySection::finish() {
    for (const YamlMember& member : m_map->members) {
        if (std::find(m_known.begin(), m_known.end(), member.key) != m_known.end()) continue;
        const std::string key = keyText(member.key);
        const auto near = nearestName(key, m_known);
        m_context->report.addOnce(ImportOutcome::notCarried, "unknown_key", key, placeOf(member.key), key + " is no key that is understood here",
                                  near ? "Did you mean " + inQuotes(*near) + "?" : std::string());
    }
}

std::string RegistrySection::keyText(std::string_view key) const { return m_context->secrets.inside(key) ? "…" : shownKey(key); }

std::string RegistrySection::shown(std::string_view value) const { return m_context->secrets.inside(value) ? "(not shown)" : inQuotes(value); }

}  // namespace signalbox::config
