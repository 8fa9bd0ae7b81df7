// SPDX-License-Identifier: MIT
#include "router/config/section.h"

#include "router/base/text.h"
#include "router/config/section_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace signalbox::config {
namespace {

std::string_view typeName(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::none: return "nothing";
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number with a fraction";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date: return "a date";
    case toml::node_type::time: return "a time";
    case toml::node_type::date_time: return "a date and time";
    }
    return "something else";
}

bool isBareKey(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

// Keys under which people write the secret itself.
bool namesSecret(std::string_view key) {
    static constexpr std::array<std::string_view, 16> kNames{
        "api_key",      "api_keys",     "apikey",        "key",           "secret",      "token",
        "tokens",       "password",     "auth_token",    "bearer_token",  "access_token", "access_key",
        "client_secret", "secret_key",  "dsn",           "authorization"};
    const std::string lower = asciiLower(key);
    return std::find(kNames.begin(), kNames.end(), lower) != kNames.end();
}

bool isEnvironmentName(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && name.size() <= 128 && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

/// How to write what `wanted` names, in the words of wrongType's callers.
std::string rightForm(const std::string& path, std::string_view wanted) {
    if (wanted == "a list of tables") return "Write the header [[" + path + "]] above each one.";
    if (wanted == "a table" && path.ends_with(']'))  // an element, such as groups.a.candidates[0]
        return "Write the header [[" + path.substr(0, path.rfind('[')) + "]] above each one.";
    if (wanted == "a table") return "Write the header [" + path + "] and its keys on the lines below it.";
    if (wanted == "a list of texts") return "Write it as [\"one\", \"two\"].";
    if (wanted == "a text in quotes") return "Write it in double quotes.";
    if (wanted == "an integer") return "Write a whole number without quotes.";
    return "Write " + std::string(wanted) + " without quotes.";
}

constexpr std::string_view kEnvironmentHint =
    "Write the name of an environment variable (letters, digits, _) and keep the secret in that variable.";

}  // namespace

TextPosition toPosition(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

std::string joinPath(std::string_view path, std::string_view key) {
    std::string out(path);
    if (!out.empty()) out += '.';
    if (isBareKey(key)) return out.append(key);
    out += '"';
    for (const char c : key) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out += '"';
}

std::string inQuotes(std::string_view value) {
    std::string out = "\"" + elided(value, 60) + "\"";
    std::replace_if(out.begin(), out.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    return out;
}

std::string didYouMean(std::string_view wanted, std::span<const std::string> known, std::size_t most) {
    if (const auto near = nearestName(wanted, known)) return "Did you mean " + inQuotes(*near) + "?";
    if (known.empty()) return {};
    std::string out = "Known here:";
    const std::size_t shown = std::min(known.size(), most);
    for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? " " : ", ") + inQuotes(known[i]);
    if (shown < known.size()) out += " and " + std::to_string(known.size() - shown) + " more";
    return out + ".";
}

Section::Section(ReadContext& context, const toml::table& table, std::string path, std::string schemaPath,
                 TextPosition position)
    : m_context(&context), m_table(&table), m_path(std::move(path)), m_schemaPath(std::move(schemaPath)),
      m_position(position) {}

TextPosition Section::positionOf(std::string_view key) const {
    const toml::node* node = m_table->get(key);
    if (node == nullptr) return m_position;
    const TextPosition position = toPosition(node->source());
    return position.line != 0 ? position : m_position;
}

std::string Section::pathOf(std::string_view key) const { return joinPath(m_path, key); }

const toml::node* Section::find(std::string_view key) {
    m_known.emplace_back(key);
    return m_table->get(key);
}

void Section::report(Severity severity, std::string_view code, std::string_view key, std::string message,
                     std::string hint) {
    m_context->findings.push_back(
        {severity, std::string(code), pathOf(key), positionOf(key), std::move(message), std::move(hint)});
}

void Section::reportAt(Severity severity, std::string_view code, const LocatedText& text, std::string message,
                       std::string hint) {
    m_context->findings.push_back(
        {severity, std::string(code), text.path, text.position, std::move(message), std::move(hint)});
}

void Section::reportHere(Severity severity, std::string_view code, std::string message, std::string hint) {
    m_context->findings.push_back(
        {severity, std::string(code), m_path, m_position, std::move(message), std::move(hint)});
}

void Section::wrongType(const std::string& path, const toml::node& node, std::string_view wanted) {
    m_context->findings.push_back({Severity::error, "wrong_type", path, toPosition(node.source()),
                                   "this is " + std::string(typeName(node)) + ", " + std::string(wanted) +
                                       " is needed",
                                   rightForm(path, wanted)});
}

std::optional<std::string> Section::text(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_string()) return value->get();
    wrongType(pathOf(key), *node, "a text in quotes");
    return std::nullopt;
}

std::optional<std::string> Section::textOrDate(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    std::ostringstream written;
    if (const auto* moment = node->as_date_time())
        written << moment->get();
    else if (const auto* day = node->as_date())
        written << day->get();
    else
        return text(key);
    return std::move(written).str();
}

std::optional<bool> Section::boolean(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_boolean()) return value->get();
    wrongType(pathOf(key), *node, "true or false");
    return std::nullopt;
}

std::optional<std::int64_t> Section::integer(std::string_view key, std::int64_t min, std::int64_t max,
                                             std::string_view code) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto* value = node->as_integer();
    if (value == nullptr) {
        wrongType(pathOf(key), *node, "an integer");
        return std::nullopt;
    }
    if (value->get() >= min && value->get() <= max) return value->get();
    report(Severity::error, code, key, std::to_string(value->get()) + " is out of range",
           "Allowed is " + std::to_string(min) + " to " + std::to_string(max) + ".");
    return std::nullopt;
}

std::optional<double> Section::number(std::string_view key, double min, double max, std::string_view code) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    double value = 0;
    if (const auto* whole = node->as_integer()) {
        value = static_cast<double>(whole->get());
    } else if (const auto* real = node->as_floating_point()) {
        value = real->get();
    } else {
        wrongType(pathOf(key), *node, "a number");
        return std::nullopt;
    }
    if (std::isfinite(value) && value >= min && value <= max) return value;
    report(Severity::error, code, key, std::isfinite(value) ? numberText(value) + " is out of range" : "a finite number is needed",
           "Allowed is " + numberText(min) + " to " + numberText(max) + ".");
    return std::nullopt;
}

void Section::milliseconds(std::string_view key, std::chrono::milliseconds& value, std::int64_t min) {
    static constexpr std::int64_t kDay = 24 * 3'600'000;
    if (const auto read = integer(key, min, kDay)) value = std::chrono::milliseconds(*read);
}

std::vector<LocatedText> Section::locatedTexts(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    const auto* list = node->as_array();
    if (list == nullptr) {
        wrongType(pathOf(key), *node, "a list of texts");
        return {};
    }
    std::vector<LocatedText> out;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& element = (*list)[i];
        const std::string path = pathOf(key) + "[" + std::to_string(i) + "]";
        if (const auto* value = element.as_string())
            out.push_back({value->get(), path, toPosition(element.source())});
        else
            wrongType(path, element, "a text in quotes");
    }
    return out;
}

std::vector<LocatedText> Section::filledTexts(std::string_view key) {
    std::vector<LocatedText> out = locatedTexts(key);
    for (const LocatedText& text : out)
        if (trimmed(text.value).empty())
            reportAt(Severity::error, "blank_value", text, "a blank text has no meaning here",
                     "Remove it from the list.");
    return out;
}

std::vector<std::string> Section::texts(std::string_view key) {
    std::vector<std::string> out;
    for (LocatedText& text : filledTexts(key)) out.push_back(std::move(text.value));
    return out;
}

std::optional<std::string> Section::environmentName(std::string_view key) {
    auto name = text(key);
    if (!name || isEnvironmentName(*name)) return name;
    report(Severity::error, "environment_name_invalid", key, "this is not the name of an environment variable",
           std::string(kEnvironmentHint));
    return std::nullopt;
}

std::vector<std::string> Section::environmentNames(std::string_view key) {
    std::vector<std::string> out;
    for (LocatedText& name : locatedTexts(key)) {
        if (isEnvironmentName(name.value))
            out.push_back(std::move(name.value));
        else
            reportAt(Severity::error, "environment_name_invalid", name,
                     "this is not the name of an environment variable", std::string(kEnvironmentHint));
    }
    return out;
}

std::optional<std::size_t> Section::wordIndex(std::string_view key, const std::vector<std::string>& words) {
    const auto value = text(key);
    if (!value) return std::nullopt;
    const auto at = std::find(words.begin(), words.end(), *value);
    if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
    report(Severity::error, "unknown_enum_value", key, inQuotes(*value) + " is not a known word here",
           didYouMean(*value, words));
    return std::nullopt;
}

std::optional<Section> Section::section(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* table = node->as_table())
        return Section(*m_context, *table, pathOf(key), joinPath(m_schemaPath, key), positionOf(key));
    wrongType(pathOf(key), *node, "a table");
    return std::nullopt;
}

std::optional<std::string> Section::rawTable(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* table = node->as_table()) return jsonOf(*table);
    wrongType(pathOf(key), *node, "a table");
    return std::nullopt;
}

std::vector<Section::Child> Section::children(std::string_view key) {
    const auto parent = section(key);
    if (!parent) return {};
    // The library keeps keys in alphabetical order; operators think in the order of the file.
    std::vector<std::pair<TextPosition, Child>> found;
    for (auto&& [name, node] : *parent->m_table) {
        const std::string path = parent->pathOf(name.str());
        const auto* table = node.as_table();
        if (table == nullptr) {
            wrongType(path, node, "a table");
            continue;
        }
        Section child(*m_context, *table, path, parent->m_schemaPath + ".*", parent->positionOf(name.str()));
        found.emplace_back(child.m_position, Child{std::string(name.str()), child});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
    });
    std::vector<Child> out;
    for (auto& [position, child] : found) out.push_back(std::move(child));
    return out;
}

std::vector<Section> Section::tableArray(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    const auto* list = node->as_array();
    if (list == nullptr) {
        wrongType(pathOf(key), *node, "a list of tables");
        return {};
    }
    std::vector<Section> out;
    for (std::size_t i = 0; i < list->size(); ++i) {
        const toml::node& element = (*list)[i];
        const std::string path = pathOf(key) + "[" + std::to_string(i) + "]";
        if (const auto* table = element.as_table())
            out.emplace_back(*m_context, *table, path, joinPath(m_schemaPath, key) + "[]",
                             toPosition(element.source()));
        else
            wrongType(path, element, "a table");
    }
    return out;
}

std::vector<std::pair<std::string, LocatedText>> Section::allTexts() {
    std::vector<std::pair<std::string, LocatedText>> out;
    for (auto&& [name, node] : *m_table) {
        const std::string key(name.str());
        if (const auto value = text(key)) out.emplace_back(key, LocatedText{*value, pathOf(key), positionOf(key)});
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.position.line, a.second.position.column) <
               std::pair(b.second.position.line, b.second.position.column);
    });
    return out;
}

std::vector<std::string> Section::keys() const {
    std::vector<std::string> out;
    for (auto&& [name, node] : *m_table) out.emplace_back(name.str());
    return out;
}

void Section::checkKind(std::string_view key, Kind kind) {
    switch (kind) {
    case Kind::any: find(key); break;
    case Kind::text: text(key); break;
    case Kind::boolean: boolean(key); break;
    case Kind::integer: integer(key, 0, std::int64_t{1} << 53); break;
    case Kind::number: number(key, 0, 1e12); break;
    case Kind::texts: locatedTexts(key); break;
    case Kind::table: section(key); break;
    }
}

bool Section::firstTime(std::string_view key) { return m_context->noted.insert(joinPath(m_schemaPath, key)).second; }

void Section::keep(std::string_view key, Kind kind) {
    checkKind(key, kind);
    if (has(key) && firstTime(key))
        report(Severity::note, "not_acted_on", key, "this setting is kept but has no effect in this version");
}

void Section::finish() {
    // The keys of a section are nowhere else to be seen, so all of them are listed, each once, in the order they are read.
    std::vector<std::string> known;
    for (const std::string& key : m_known)
        if (std::find(known.begin(), known.end(), key) == known.end()) known.push_back(key);
    for (auto&& [name, node] : *m_table) {
        const std::string key(name.str());
        if (std::find(m_known.begin(), m_known.end(), key) != m_known.end()) continue;
        const TextPosition position = toPosition(name.source());
        if (namesSecret(key)) {
            m_context->findings.push_back(
                {Severity::error, "literal_secret", pathOf(key), position,
                 "a secret must not stand in this file, which is meant to be shared",
                 std::find(m_known.begin(), m_known.end(), "api_key_env") != m_known.end()
                     ? "Put it in an environment variable and write api_key_env = \"NAME\"; change the key if the "
                       "file was already shared."
                     : "Put it in an environment variable and name that here."});
            continue;
        }
        m_context->findings.push_back({Severity::warning, "unknown_key", pathOf(key), position,
                                       inQuotes(key) + " is not a known key here and has no effect",
                                       didYouMean(key, known, known.size())});
    }
}

}  // namespace signalbox::config
