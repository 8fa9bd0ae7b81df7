// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::upstream::translate {

/// One JSON object as an upstream wrote it, read more tolerantly than a body of ours: nullopt only for what is no object
/// and for what is nested deeper than 256 levels or has more than 1,000,000 values. Of members that stand there twice both
/// stay, and the last counts, as elsewhere. Numbers that are no 64-bit integers keep their digits: they stand in the
/// tree as `verbatim`, which `written` puts out again.
[[nodiscard]] std::optional<OrderedJson> readAnswerObject(std::string_view text);
/// Whether the above would read it; without the memory that it takes.
[[nodiscard]] bool isAnswerObject(std::string_view text);

/// Models write emoji as two tokens, so that a surrogate pair may come as half escapes, which no strict reader takes.
/// Within one text a half alone becomes U+FFFD. In a stream, a first half at the end of a string is kept for the second
/// half at the beginning of one in a later event.
class TornPairs {
public:
    [[nodiscard]] std::string mended(std::string text);

private:
    std::string m_half;  ///< `\ud83d` as it was written; empty when nothing is torn
};
/// As above for a whole text.
[[nodiscard]] std::string withoutHalfPairs(std::string text);

/// Null when there is none, or in what is no object.
[[nodiscard]] const OrderedJson* memberIn(const OrderedJson& object, std::string_view key);
/// The member when it is there and has that type, else null.
[[nodiscard]] const OrderedJson* objectIn(const OrderedJson& object, const char* key);
[[nodiscard]] const OrderedJson* arrayIn(const OrderedJson& object, const char* key);
/// Empty when absent or no string; lives as long as the object.
[[nodiscard]] std::string_view textIn(const OrderedJson& object, const char* key);
[[nodiscard]] std::optional<std::uint64_t> countIn(const OrderedJson& object, const char* key);

}  // namespace signalbox::upstream::translate
