// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/types.h"

#include <QStringList>

#include <optional>

/// What a rule or declared gap says of itself, for a visit that is to find it again: an index is another one's after an edit.
namespace signalbox::ui::marks {

/// Family, condition and preset. The condition as the file has it, not in words: those are another's in another language.
[[nodiscard]] QStringList of(const table::RoutingRule& rule);
/// Family, missing cell and fallback preset.
[[nodiscard]] QStringList of(const table::CoverageGap& gap);

/// The one with that mark, or else with its family and condition (missing cell) alone; among several the nearest to `index`. Without
/// a mark the one at `index`. Nullopt: it is gone, or its condition is another one.
[[nodiscard]] std::optional<std::size_t> find(const std::vector<table::RoutingRule>& rules, std::size_t index, const QStringList& mark);
[[nodiscard]] std::optional<std::size_t> find(const std::vector<table::CoverageGap>& gaps, std::size_t index, const QStringList& mark);

/// "Rule free chat → small-default was changed or removed since"; by its number where the link had no mark.
[[nodiscard]] QString noSuchRule(std::size_t index, const QStringList& mark);
[[nodiscard]] QString noSuchGap(std::size_t index, const QStringList& mark);

}  // namespace signalbox::ui::marks
