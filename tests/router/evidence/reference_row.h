// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::test {

/// The columns of a decision behind its receipt, written down a second time and slowly, field by field out of the
/// decoded receipt: what the journal's thread makes in one go must say the same.
using ReferenceRow = std::vector<std::optional<std::string>>;
[[nodiscard]] ReferenceRow referenceRow(const evidence::DecisionRecord& decoded);

/// The values of a line of COPY's text format; nullopt is NULL. Reads what PostgreSQL's manual says of it.
[[nodiscard]] ReferenceRow copyFields(std::string_view line);

}  // namespace signalbox::test
