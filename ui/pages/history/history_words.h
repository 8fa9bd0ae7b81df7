// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/charts/time_series.h"
#include "ui/pages/history/history_query.h"

namespace signalbox::ui {

/// A name that a client chose, in one short line: the model asked for may be any text.
[[nodiscard]] QString askedName(const std::string& model);
/// "Preset: g26-default"
[[nodiscard]] QString chipText(const HistoryQuery& query, HistoryQuery::Field field);
/// The filter "none" takes both what the table does not cover and what asked no table.
[[nodiscard]] QString coverageChoice(const std::string& coverage);
/// Past 10,000 only "10,000+" is said: nobody needs more, and counting on is not worth its price.
[[nodiscard]] QString boundedCount(std::uint64_t count);
/// "58,412 requests in the last 7 d, 40,000 of them for the table: 89 % by a rule or default, 1,940 hit a declared gap,
/// first content p95 1.3 s."
[[nodiscard]] QString summarySentence(const evidence::HistorySummary& summary, const QString& when);

/// Why there is nothing to show.
struct HistoryMessage {
    QString title;
    QString explanation;
};
/// `error` is what the question came to.
[[nodiscard]] HistoryMessage unreadable(const evidence::EvidenceStatus& status, const Error& error);
/// `status` is that of the console's own gateway. `elsewhere`: the other pages show another one, so that nothing is started or
/// sent from there that would come here.
[[nodiscard]] HistoryMessage nothingFound(const engine::TargetStatus& status, bool filtered, bool elsewhere = false);

}  // namespace signalbox::ui
