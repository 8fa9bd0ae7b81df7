// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/coverage.h"
#include "router/table/when.h"
#include "ui/theme/theme.h"

#include <QDate>
#include <QString>

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// How the console speaks of rules, gaps and where cells land.
namespace signalbox::ui::words {

/// "structured answer or tool call, short output, many at once"; says so where a condition permits everything.
[[nodiscard]] QString when(const table::When& when);
/// The cells a gap names, in words; nullopt when its prose names none.
[[nodiscard]] std::optional<QString> gapCells(const table::CoverageGap& gap);

/// The values of an axis: as the table writes them, and in words.
[[nodiscard]] std::vector<std::pair<std::string, QString>> axisChoices(table::Axis axis);

/// "rule, measured"
[[nodiscard]] QString landing(table::Landing landing);
/// One word, where the room is a cell: "measured", "inferred", "default", "gap", "nothing".
[[nodiscard]] QString shortLanding(table::Landing landing, bool singlePresetByDesign);
[[nodiscard]] Tone landingTone(table::Landing landing);

/// "measured", "inferred" or "no evidence tag".
[[nodiscard]] QString evidenceTag(const std::optional<std::string>& tag);
[[nodiscard]] Tone evidenceTone(const std::optional<std::string>& tag);
/// The first ISO date (2026-05-23) in the text of an evidence.
[[nodiscard]] std::optional<QDate> evidenceDate(const std::string& evidence);
/// "23 May 2026"
[[nodiscard]] QString date(const QDate& date);

}  // namespace signalbox::ui::words
