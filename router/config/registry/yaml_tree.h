// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox::config {

struct YamlNode;
using YamlPtr = std::shared_ptr<const YamlNode>;

struct YamlMember {
    std::string key;
    TextPosition at;  ///< of the key
    YamlPtr value;
};

/// A value of a YAML text with its place. What an alias stands for is shared, not copied.
struct YamlNode {
    enum class Kind : std::uint8_t { null, scalar, list, map } kind = Kind::null;
    TextPosition at;
    std::string text;  ///< of a scalar
    std::vector<YamlPtr> items;
    std::vector<YamlMember> members;  ///< with those of merge keys (`<<`)
    std::size_t size = 1;  ///< values in it, itself included, as if every alias were written out

    [[nodiscard]] const YamlMember* find(std::string_view key) const;
};

/// A key that stands twice in one map; the later value is the one in the tree, as in the readers of that system.
struct YamlDuplicate {
    std::string path;  ///< `models[0].route[1].weight`
    TextPosition at;   ///< of the second
};

struct YamlTree {
    YamlPtr root;  ///< a null node for an empty text
    std::vector<YamlDuplicate> duplicates;
};

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 20;

/// Reads one document. Bounded (see importModels), so that no text can cost more than its size promises. A refusal is
/// located and repeats nothing of the text but the path, which could hold a secret.
[[nodiscard]] tl::expected<YamlTree, Finding> readYaml(std::string_view text);

/// A key as messages may show it: as it is if it looks like a word, else "…", for it may be a value gone astray.
[[nodiscard]] std::string shownKey(std::string_view key);

}  // namespace signalbox::config
