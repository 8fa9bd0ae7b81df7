// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/toml_layout.h"

namespace signalbox::config {

/// Assignments that stand together, and the path that they are relative to.
struct TomlScope {
    Path path;
    const std::vector<TomlAssignment>* assignments = nullptr;
    const TomlValue* inlineTable = nullptr;  ///< else they are those of `block`
    const TomlBlock* block = nullptr;
};

struct TomlMember {
    TomlScope scope;
    std::size_t index = 0;  ///< in the scope's assignments

    [[nodiscard]] const TomlAssignment& assignment() const { return (*scope.assignments)[index]; }
};

/// Everything in a text that makes up the value at a path. A table may be made of several: a header, headers of tables
/// in it, dotted keys.
struct TomlPlace {
    std::optional<TomlMember> member;     ///< the assignment whose value it is
    const TomlValue* value = nullptr;     ///< of that assignment, or the element of an inline array
    const TomlValue* inlineArray = nullptr;  ///< that the element stands in
    const TomlBlock* block = nullptr;     ///< its own header, or the block in front of all headers
    std::vector<const TomlBlock*> below;  ///< with headers of it or of what is in it, in the order of the text
    std::vector<TomlMember> dotted;       ///< `path.more = …`
    bool blocked = false;                 ///< the path leads through a value that is no table

    [[nodiscard]] bool exists() const { return value != nullptr || block != nullptr || !below.empty() || !dotted.empty(); }
    [[nodiscard]] bool isTable(std::size_t depth) const;
    /// As `[[…]]`, which stands at `depth` steps.
    [[nodiscard]] bool isHeaderArray(std::size_t depth) const;
    [[nodiscard]] std::size_t headerElements(std::size_t depth) const;
};

[[nodiscard]] TomlPlace find(const TomlLayout& layout, const Path& path);

/// As messages name it: `routing.groups.auto.candidates[1].quality`.
[[nodiscard]] std::string textOf(const Path& path);

}  // namespace signalbox::config
