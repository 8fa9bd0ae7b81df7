// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/random.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox {

/// `rtd_` + 32 hex digits: 48 bits of milliseconds since 1970, then 80 random bits.
/// Ids therefore sort by time and name the day partition that holds their row.
class DecisionId {
public:
    DecisionId() = default;
    [[nodiscard]] static DecisionId make(Timestamp at, Random& random);
    /// Accepts exactly the text form, lower case.
    [[nodiscard]] static std::optional<DecisionId> parse(std::string_view text);

    [[nodiscard]] std::string text() const;
    /// The moment it was made, to the millisecond.
    [[nodiscard]] Timestamp time() const;
    [[nodiscard]] bool isNull() const { return m_bytes == std::array<std::uint8_t, 16>{}; }
    auto operator<=>(const DecisionId&) const = default;

private:
    std::array<std::uint8_t, 16> m_bytes{};
};

}  // namespace signalbox
