// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "ui/theme/theme.h"

#include <QString>

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

[[nodiscard]] QString shortWorkload(table::WorkloadClass value);
[[nodiscard]] QString shortLength(table::LengthBucket value);
[[nodiscard]] QString shortConcurrency(table::ConcurrencyMode value);
/// "structured, short, many at once"
[[nodiscard]] QString shortCell(const table::Cell& cell);

}  // namespace signalbox::ui::words
