// SPDX-License-Identifier: MIT
#include "router/config/toml_place.h"

#include "router/config/section.h"

#include <algorithm>

namespace signalbox::config {
namespace {

class Finder {
public:
    Finder(const TomlLayout& layout, const Path& path) : m_layout(layout), m_path(path) {}

    TomlPlace run() {
        for (const TomlBlock& block : m_layout.blocks) {
            const bool root = &block == m_layout.blocks.data();
            if (!root && hasPrefix(block.path, m_path)) m_place.below.push_back(&block);
            if (block.path == m_path) m_place.block = &block;
            else if (hasPrefix(m_path, block.path)) search({block.path, &block.assignments, nullptr, &block});
        }
        return std::move(m_place);
    }

private:
    /// Looks for what is left of the path behind the scope's own.
    void search(const TomlScope& scope) {
        const std::size_t from = scope.path.size();
        for (std::size_t i = 0; i < scope.assignments->size(); ++i) {
            const TomlAssignment& assignment = (*scope.assignments)[i];
            const std::size_t common = std::min(assignment.keys.size(), m_path.size() - from);
            std::size_t same = 0;
            while (same < common && m_path[from + same] == PathStep(assignment.keys[same].name)) ++same;
            if (same < common) continue;
            if (from + assignment.keys.size() > m_path.size()) m_place.dotted.push_back({scope, i});
            else take(TomlMember{scope, i}, assignment.value, from + assignment.keys.size());
        }
    }

    void take(const std::optional<TomlMember>& member, const TomlValue& value, std::size_t depth) {
        if (depth == m_path.size()) {
            m_place.member = member;
            m_place.value = &value;
            return;
        }
        if (value.kind == TomlValue::Kind::table) {
            search({Path(m_path.begin(), m_path.begin() + static_cast<std::ptrdiff_t>(depth)), &value.members, &value, nullptr});
            return;
        }
        const auto* index = std::get_if<std::size_t>(&m_path[depth]);
        if (value.kind == TomlValue::Kind::array && index != nullptr) {
            if (*index >= value.elements.size()) return;
            if (depth + 1 == m_path.size()) m_place.inlineArray = &value;
            take(std::nullopt, value.elements[*index], depth + 1);
            return;
        }
        m_place.blocked = true;
    }

    const TomlLayout& m_layout;
    const Path& m_path;
    TomlPlace m_place;
};

}  // namespace

bool TomlPlace::isHeaderArray(std::size_t depth) const {
    return !below.empty() && below.front()->path.size() > depth &&
           std::holds_alternative<std::size_t>(below.front()->path[depth]);
}

std::size_t TomlPlace::headerElements(std::size_t depth) const {
    return isHeaderArray(depth) ? std::get<std::size_t>(below.back()->path[depth]) + 1 : 0;
}

bool TomlPlace::isTable(std::size_t depth) const {
    if (value != nullptr) return value->kind == TomlValue::Kind::table;
    return block != nullptr || !dotted.empty() || (!below.empty() && !isHeaderArray(depth));
}

TomlPlace find(const TomlLayout& layout, const Path& path) { return Finder(layout, path).run(); }

std::string textOf(const Path& path) {
    std::string out;
    for (const PathStep& step : path) {
        if (const auto* key = std::get_if<std::string>(&step)) out = joinPath(out, *key);
        else out += "[" + std::to_string(std::get<std::size_t>(step)) + "]";
    }
    return out;
}

}  // namespace signalbox::config
