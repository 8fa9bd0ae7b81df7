// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "ui/theme/theme.h"

#include <QString>

#include <string_view>

/// The words and tones in which the console speaks of a decision record; the same on every page.
namespace signalbox::ui::words {

[[nodiscard]] QString outcome(evidence::Outcome outcome);
[[nodiscard]] Tone outcomeTone(evidence::Outcome outcome);

/// `coverage` is the record's word: rule, default, gap or none.
[[nodiscard]] QString coverage(const std::string& coverage);
/// The same of one decision, which may have asked no table at all (a pin, an explicit endpoint, a refused name) or led
/// to a model that no family of the table has.
[[nodiscard]] QString coverage(const evidence::DecisionRecord& record);
[[nodiscard]] Tone coverageTone(const std::string& coverage);

[[nodiscard]] QString workload(table::WorkloadClass value);
[[nodiscard]] QString length(table::LengthBucket value);
[[nodiscard]] QString concurrency(table::ConcurrencyMode value);
/// "structured answer, short output, many at once"
[[nodiscard]] QString cell(const table::Cell& cell);
/// In brief, where there is little room: "structured", "short", "structured, short, many at once".
[[nodiscard]] QString shortWorkload(table::WorkloadClass value);
[[nodiscard]] QString shortLength(table::LengthBucket value);
[[nodiscard]] QString shortCell(const table::Cell& cell);

// Words of the router as recorded; one of a newer version comes back as it is.
[[nodiscard]] QString resolvedBy(std::string_view word);  ///< policy::ResolvedBy
[[nodiscard]] QString nullCause(std::string_view word);   ///< policy::NullCause
[[nodiscard]] QString naturalBy(std::string_view word);   ///< policy::NaturalBy
[[nodiscard]] QString verdict(std::string_view word);     ///< policy::RuleVerdict
[[nodiscard]] QString foundBy(std::string_view word);     ///< classify::FoundBy

}  // namespace signalbox::ui::words
