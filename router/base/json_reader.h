// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace signalbox::detail {

/// A value's place. Nodes stand in document order: the first child of node i is i + 1, its next sibling is `next`.
struct JsonNode {
    ByteRange range;
    std::size_t next = 0;
};

struct JsonTree {
    OrderedJson root;
    std::vector<JsonNode> nodes;
};

/// Why and where reading stopped. `pointer` names the value that was being read.
struct JsonFault {
    std::string code;
    std::string pointer;
    std::size_t byte = 0;
    std::string message;
    std::string hint;
};

/// Reads one JSON text (RFC 8259) that is already known to be UTF-8, starting at byte `begin`. A value takes about a hundred
/// bytes of memory, however short it is: `maxValues` bounds what a text from outside may take.
[[nodiscard]] tl::expected<JsonTree, JsonFault> readJson(std::string_view text, std::size_t begin, std::size_t maxDepth,
                                                         std::size_t maxValues = std::numeric_limits<std::size_t>::max());

/// `key` as one reference token of a JSON pointer (RFC 6901).
[[nodiscard]] std::string pointerToken(std::string_view key);

}  // namespace signalbox::detail
