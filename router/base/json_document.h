// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/base/finding.h"

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox {

using OrderedJson = nlohmann::ordered_json;

/// Half open, in bytes of the document's text.
struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const ByteRange&) const = default;
};

struct JsonLimits {
    std::size_t maxBytes = std::size_t{32} << 20;
    std::size_t maxDepth = 256;
};

/// A JSON text kept together with what it means and where every value stands in it.
///
/// Reading is strict (RFC 8259) and refuses what other readers let pass silently: duplicate keys, NaN and infinity,
/// lone surrogates, bad UTF-8, trailing text, and sizes and depths over the limits. A byte order mark is skipped
/// and noted. Immutable; copies share their content.
class JsonDocument {
public:
    /// The finding names code, pointer as far as known, line, column and what to do.
    [[nodiscard]] static tl::expected<JsonDocument, Finding> parse(std::string text, const JsonLimits& limits = {});

    [[nodiscard]] const OrderedJson& root() const;
    [[nodiscard]] const std::string& text() const;
    [[nodiscard]] bool hadByteOrderMark() const;

    /// Where the value at a JSON pointer stands; nullopt if there is none.
    [[nodiscard]] std::optional<ByteRange> rangeOf(std::string_view pointer) const;
    /// Start of that value, or of the nearest parent that exists.
    [[nodiscard]] TextPosition positionOf(std::string_view pointer) const;
    [[nodiscard]] TextPosition positionAt(std::size_t byte) const;

    /// The text with only the bytes of the value at `pointer` replaced by `value`; every other byte stays.
    [[nodiscard]] Result<std::string> withValue(std::string_view pointer, const OrderedJson& value) const;

private:
    struct Content;
    std::shared_ptr<const Content> m_content;
};

}  // namespace signalbox
