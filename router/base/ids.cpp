// SPDX-License-Identifier: MIT
#include "router/base/ids.h"

#include "router/base/text.h"

#include <algorithm>

namespace signalbox {

DecisionId DecisionId::make(Timestamp at, Random& random) {
    DecisionId id;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
    for (int i = 0; i < 6; ++i) id.m_bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(ms >> (40 - 8 * i));
    random.fill(std::as_writable_bytes(std::span(id.m_bytes).subspan(6)));
    return id;
}

std::optional<DecisionId> DecisionId::parse(std::string_view text) {
    constexpr std::string_view kPrefix = "rtd_";
    if (text.size() != kPrefix.size() + 32 || !text.starts_with(kPrefix)) return std::nullopt;
    const auto bytes = fromHex(text.substr(kPrefix.size()));
    if (!bytes) return std::nullopt;
    DecisionId id;
    std::copy(bytes->begin(), bytes->end(), id.m_bytes.begin());
    return id.text() == text ? std::optional(id) : std::nullopt;
}

std::string DecisionId::text() const {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out(4 + 2 * m_bytes.size(), '_');
    char* at = std::copy_n("rtd_", 4, out.data());
    for (const std::uint8_t byte : m_bytes) {
        *at++ = kDigits[byte >> 4];
        *at++ = kDigits[byte & 15];
    }
    return out;
}

Timestamp DecisionId::time() const {
    std::int64_t ms = 0;
    for (std::size_t i = 0; i < 6; ++i) ms = (ms << 8) | m_bytes[i];
    return Timestamp(std::chrono::milliseconds(ms));
}

}  // namespace signalbox
