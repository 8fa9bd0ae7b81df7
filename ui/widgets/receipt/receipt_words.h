// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

#include <QString>

/// How the receipt speaks of the contract's words.
namespace signalbox::ui::words {

[[nodiscard]] QString workload(table::WorkloadClass value);
[[nodiscard]] QString length(table::LengthBucket value);
[[nodiscard]] QString concurrency(table::ConcurrencyMode value);
/// "structured answer, short output, many at once"
[[nodiscard]] QString cell(const table::Cell& cell);
/// policy::ResolvedBy as recorded.
[[nodiscard]] QString resolvedBy(const std::string& word);
/// policy::NullCause as recorded.
[[nodiscard]] QString nullCause(const std::string& word);
/// policy::NaturalBy as recorded.
[[nodiscard]] QString naturalBy(const std::string& word);
/// policy::RuleVerdict as recorded.
[[nodiscard]] QString verdict(const std::string& word);
/// classify::FoundBy.
[[nodiscard]] QString foundBy(const std::string& word);

}  // namespace signalbox::ui::words
