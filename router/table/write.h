// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/read.h"

namespace signalbox::table {

/// The canonical text: stable key order, two spaces, non-ASCII escaped, final newline.
[[nodiscard]] std::string writeTable(const OrderedJson& document);
/// A copy under our name: `generated_by` and `generated_at` replaced, everything else byte for byte.
[[nodiscard]] Result<std::string> forkTable(const LoadedTable& parent, Timestamp now);
/// As the table stands, with another `vllm_pin`.
[[nodiscard]] Result<std::string> withVllmPin(const LoadedTable& loaded, const std::string& pin);

}  // namespace signalbox::table
