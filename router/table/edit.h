// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"
#include "router/table/types.h"

#include <string>
#include <string_view>

namespace signalbox::table {

/// Changes to the text of a routing table. Each takes the text as it stands and gives the text as it is to be, in which
/// only the bytes of what was changed differ: order, spacing, unknown members and numbers of everything else stay.
/// New values take the indentation of their neighbours. None of them judges the result: `readTable` does.
///
/// Errors: the text is no JSON object of that shape, the index or key does not exist, or the key exists already.

[[nodiscard]] Result<std::string> addPreset(std::string_view text, std::size_t index, const Preset& preset);
/// Only members whose value differs are touched; unknown members stay.
[[nodiscard]] Result<std::string> changePreset(std::string_view text, std::size_t index, const Preset& preset);
/// A copy behind the original, unknown members included, under another key and no default.
[[nodiscard]] Result<std::string> duplicatePreset(std::string_view text, std::size_t index, std::string_view key);
[[nodiscard]] Result<std::string> removePreset(std::string_view text, std::size_t index);
[[nodiscard]] Result<std::string> movePreset(std::string_view text, std::size_t from, std::size_t to);
/// A new key for a preset, also in every rule and gap that names it.
[[nodiscard]] Result<std::string> renamePreset(std::string_view text, std::string_view from, std::string_view to);

[[nodiscard]] Result<std::string> addRule(std::string_view text, std::size_t index, const RoutingRule& rule);
[[nodiscard]] Result<std::string> changeRule(std::string_view text, std::size_t index, const RoutingRule& rule);
[[nodiscard]] Result<std::string> duplicateRule(std::string_view text, std::size_t index);
[[nodiscard]] Result<std::string> removeRule(std::string_view text, std::size_t index);
/// `to` is the index that the rule has afterwards.
[[nodiscard]] Result<std::string> moveRule(std::string_view text, std::size_t from, std::size_t to);

[[nodiscard]] Result<std::string> addGap(std::string_view text, std::size_t index, const CoverageGap& gap);
[[nodiscard]] Result<std::string> changeGap(std::string_view text, std::size_t index, const CoverageGap& gap);
[[nodiscard]] Result<std::string> duplicateGap(std::string_view text, std::size_t index);
[[nodiscard]] Result<std::string> removeGap(std::string_view text, std::size_t index);
[[nodiscard]] Result<std::string> moveGap(std::string_view text, std::size_t from, std::size_t to);

}  // namespace signalbox::table
