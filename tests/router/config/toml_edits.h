// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/random.h"
#include "router/config/edit.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <toml++/toml.h>

namespace signalbox::test {

using nlohmann::json;

/// The values of a TOML text, without order and spelling.
inline json valuesOf(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        json out = json::object();
        for (const auto& [key, value] : *table) out[std::string(key.str())] = valuesOf(value);
        return out;
    }
    if (const auto* array = node.as_array()) {
        json out = json::array();
        for (const auto& value : *array) out.push_back(valuesOf(value));
        return out;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return number->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    std::ostringstream out;
    node.visit([&](const auto& value) {
        if constexpr (toml::is_chronological<decltype(value)>) out << "date " << value;
    });
    return out.str();
}

/// Without empty tables and lists: a header table that loses its last entry may be gone itself.
inline json pruned(const json& value) {
    if (!value.is_structured()) return value;
    json out = value.is_object() ? json::object() : json::array();
    for (const auto& [key, item] : value.items()) {
        json kept = pruned(item);
        if (kept.is_structured() && kept.empty() && value.is_object()) continue;
        if (value.is_object()) out[key] = std::move(kept);
        else out.push_back(std::move(kept));
    }
    return out;
}

/// One change of the text beside the same change of its values.
struct TomlStep {
    std::string label;
    Result<std::string> text;
    json tree;
    int lost = 0;    ///< the most lines of the earlier text that may be gone or changed; -1 for any number
    int gained = 0;  ///< the most lines that may be new or changed; -1 for any number
    bool removes = false;
};

/// Draws changes, each possible for the values that it is given.
class TomlEdits {
public:
    explicit TomlEdits(std::uint64_t seed) : m_random(seed) {}

    TomlStep next(const std::string& text, const json& tree) {
        m_tables.clear();
        m_lists.clear();
        m_scalars.clear();
        collect(tree, {});
        switch (draw(10)) {
        case 0: case 1: return m_scalars.empty() ? setNew(text, tree) : setOld(text, tree);
        case 2: return setNew(text, tree);
        case 3: return m_scalars.empty() ? setNew(text, tree) : removeOld(text, tree);
        case 4: return addTable(text, tree);
        case 5: return removableTables().empty() ? addTable(text, tree) : removeTable(text, tree);
        case 6: return removableTables().empty() ? addTable(text, tree) : rename(text, tree);
        case 7: return m_lists.empty() ? newList(text, tree) : insert(text, tree);
        case 8: return m_lists.empty() ? newList(text, tree) : remove(text, tree);
        default: return m_lists.empty() ? newList(text, tree) : move(text, tree);
        }
    }

private:
    using Path = config::Path;

    std::size_t draw(std::size_t below) { return static_cast<std::size_t>(m_random.next() % below); }
    template <class T>
    const T& any(const std::vector<T>& list) { return list[draw(list.size())]; }

    void collect(const json& value, const Path& path) {
        const auto below = [&](auto step) {
            Path out = path;
            out.emplace_back(step);
            return out;
        };
        if (value.is_object()) {
            m_tables.push_back(path);
            for (const auto& [key, item] : value.items()) collect(item, below(key));
        } else if (value.is_array() && !value.empty() && value.front().is_object()) {
            m_lists.push_back(path);
            for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], below(i));
        } else {
            m_scalars.push_back(path);
        }
    }

    [[nodiscard]] std::vector<Path> removableTables() const {
        std::vector<Path> out;
        for (const Path& path : m_tables)
            if (!path.empty() && std::holds_alternative<std::string>(path.back())) out.push_back(path);
        return out;
    }

    static json& at(json& tree, const Path& path) {
        json* out = &tree;
        for (const config::PathStep& step : path) {
            if (const auto* key = std::get_if<std::string>(&step)) out = &(*out)[*key];
            else out = &(*out)[std::get<std::size_t>(step)];
        }
        return *out;
    }
    static Path parent(const Path& path) { return Path(path.begin(), path.end() - 1); }
    static std::string last(const Path& path) { return std::get<std::string>(path.back()); }
    static std::string name(const Path& path) {
        std::string out;
        for (const config::PathStep& step : path)
            out += "/" + (std::holds_alternative<std::string>(step) ? std::get<std::string>(step)
                                                                   : std::to_string(std::get<std::size_t>(step)));
        return out;
    }

    std::string freshKey() {
        static const std::array<std::string, 4> kShapes{"n", "with space ", "dot.", "größe-"};
        return kShapes[draw(kShapes.size())] + std::to_string(++m_keys);
    }

    config::Scalar scalar() {
        static const std::array<std::string, 5> kTexts{"plain", "q\"uote", "# no comment", "ö, [x] {y}", "line\nbreak"};
        switch (draw(5)) {
        case 0: return draw(2) == 0;
        case 1: return static_cast<std::int64_t>(draw(1000));
        case 2: return static_cast<double>(draw(1000)) / 8 + 0.1;
        case 3: return kTexts[draw(kTexts.size())];
        default: break;
        }
        std::vector<std::string> out;
        for (std::size_t i = draw(4); i > 0; --i) out.push_back(kTexts[draw(kTexts.size())]);
        return out;
    }
    static json toJson(const config::Scalar& value) {
        return std::visit([](const auto& v) { return json(v); }, value);
    }
    config::Members members() {
        config::Members out;
        for (std::size_t i = draw(3) + 1; i > 0; --i) out.push_back({freshKey(), scalar()});
        return out;
    }
    static json toJson(const config::Members& members) {
        json out = json::object();
        for (const config::Member& member : members) out[member.key] = toJson(member.value);
        return out;
    }
    static int lines(const config::Members& members) { return static_cast<int>(members.size()) + 2; }

    TomlStep setOld(const std::string& text, json tree) {
        const Path path = any(m_scalars);
        const config::Scalar value = scalar();
        const json& old = at(tree, path);
        const bool severalLines = old.is_array() || (old.is_string() && old.get<std::string>().find('\n') != std::string::npos);
        at(tree, path) = toJson(value);
        const int lines = severalLines ? -1 : 1;
        return {"set " + name(path), config::setValue(text, path, value), tree, lines, lines};
    }

    TomlStep setNew(const std::string& text, json tree) {
        Path path = any(m_tables);
        for (std::size_t i = draw(3) + 1; i > 0; --i) path.emplace_back(freshKey());
        const config::Scalar value = scalar();
        at(tree, path) = toJson(value);
        return {"set new " + name(path), config::setValue(text, path, value), tree, 1, 3};
    }

    TomlStep removeOld(const std::string& text, json tree) {
        const Path path = any(m_scalars);
        at(tree, parent(path)).erase(last(path));
        return {"remove " + name(path), config::removeValue(text, path), tree, -1, 1, true};
    }

    TomlStep addTable(const std::string& text, json tree) {
        Path path = any(m_tables);
        path.emplace_back(freshKey());
        const config::Members added = members();
        at(tree, path) = toJson(added);
        return {"add table " + name(path), config::addTable(text, path, added), tree, 1, lines(added)};
    }

    TomlStep removeTable(const std::string& text, json tree) {
        const Path path = any(removableTables());
        at(tree, parent(path)).erase(last(path));
        return {"remove table " + name(path), config::removeTable(text, path), tree, -1, 1, true};
    }

    TomlStep rename(const std::string& text, json tree) {
        const Path path = any(removableTables());
        const std::string key = freshKey();
        json& table = at(tree, parent(path));
        json moved = table[last(path)];
        table.erase(last(path));
        table[key] = std::move(moved);
        return {"rename " + name(path), config::renameTable(text, path, key), tree, -1, -1};
    }

    TomlStep newList(const std::string& text, json tree) {
        Path path = any(m_tables);
        path.emplace_back(freshKey());
        const config::Members added = members();
        at(tree, path) = json::array({toJson(added)});
        return {"new list " + name(path), config::insertElement(text, path, 0, added), tree, 1, lines(added)};
    }

    TomlStep insert(const std::string& text, json tree) {
        const Path path = any(m_lists);
        json& list = at(tree, path);
        const std::size_t index = draw(list.size() + 1);
        const config::Members added = members();
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(index), toJson(added));
        return {"insert " + name(path), config::insertElement(text, path, index, added), tree, 1, lines(added)};
    }

    TomlStep remove(const std::string& text, json tree) {
        const Path path = any(m_lists);
        json& list = at(tree, path);
        const std::size_t index = draw(list.size());
        list.erase(index);
        return {"remove element " + name(path), config::removeElement(text, path, index), tree, -1, 1, true};
    }

    TomlStep move(const std::string& text, json tree) {
        const Path path = any(m_lists);
        json& list = at(tree, path);
        const std::size_t from = draw(list.size());
        const std::size_t to = draw(list.size());
        const json item = list[from];
        list.erase(from);
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), item);
        return {"move " + name(path), config::moveElement(text, path, from, to), tree, -1, -1};
    }

    FastRandom m_random;
    int m_keys = 0;
    std::vector<Path> m_tables;
    std::vector<Path> m_lists;
    std::vector<Path> m_scalars;
};

/// A file that is written in every way that TOML has. Each comment has a name of its own.
inline const std::string kEveryWay =
    "# c01 about this file\n\n# c02 about default_provider\ndefault_provider = \"lab\" # c03\nx.y.z = 1 # c04\nx.y.w = [ 'a', \"b\" ] # c05\n\n"
    "# c06\n[server]   # c07\nlisten = \"127.0.0.1:0\" # c08\nnames = [\n  \"one\", # c09\n  # c10\n  \"two\",\n] # c11\n# c12\n\n"
    "# c13 --- set off ---\n\n[providers.\"lab.a\"]\nurl = '''\nraw # no comment\n''' # c14\nretry = { max = 3, delay.ms = 10, jitter = { ratio = 0.5 } } # c15\n"
    "  [providers.\"lab.a\".pricing] # c16\n  input = 0.25\n\n[aliases]\n\n[when]\nat = 1979-05-27 07:32:00 # c17\nhex = 0xff\n\n"
    "[[models]] # c18\nid = \"m0\"\n\n[[models.route]]\nkind = \"a\" # c19\n[[models.route]]\nkind = \"b\"\n\n[between]\nx = 1 # c20\n\n"
    "# c21\n[models.extra]\ny = 2\n\n[[models]]\nid = \"m1\"\nroute = [ { kind = \"c\" }, { kind = \"d\", w = { v = 1 } } ] # c22\n\n"
    "[routing.groups.auto]\ncandidates = [\n  { provider = \"a\", model = \"b\" }, # c23\n  # c24\n  { provider = \"c\", model = \"d\" } # c25\n]\n# c26";

}  // namespace signalbox::test
