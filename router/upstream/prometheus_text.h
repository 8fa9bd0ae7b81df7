// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace signalbox::upstream {

/// One line of a metrics page: a name, its labels and the value that it had when it was written.
struct PrometheusSample {
    std::string name;
    std::vector<std::pair<std::string, std::string>> labels;  ///< in the order of the page, escapes undone
    double value = 0;                                         ///< may be NaN or infinite
    std::optional<std::int64_t> timestampMs;                  ///< since the epoch, where the page says one
    bool operator==(const PrometheusSample&) const = default;

    /// Its value; empty when the sample has no such label, which Prometheus holds to be the same thing.
    [[nodiscard]] std::string_view label(std::string_view labelName) const;
};

inline constexpr std::size_t kMaxPrometheusBytes = std::size_t{4} << 20;
/// A page of the largest engine has some thousands; the limit bounds the memory that a hostile one can take.
inline constexpr std::size_t kMaxPrometheusSamples = 100'000;

/// Reads the Prometheus text format 0.0.4. Comments, HELP and TYPE lines are skipped unread. Strict about everything
/// else, as Prometheus is: one line that is none spoils the page, and so does a last line without its line feed,
/// since a number cut in two would be believed. `where` of an error is `line:column`.
[[nodiscard]] Result<std::vector<PrometheusSample>> readPrometheusText(std::string_view text);

}  // namespace signalbox::upstream
