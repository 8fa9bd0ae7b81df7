// SPDX-License-Identifier: MIT
#include "ui/pages/history/history_words.h"

#include "router/base/text.h"
#include "ui/bridge/status_words.h"
#include "ui/models/group_words.h"
#include "ui/models/record_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

namespace {
struct HistoryWords {
    Q_DECLARE_TR_FUNCTIONS(HistoryWords)
};
}  // namespace

static QString cellsText(const std::vector<std::uint32_t>& cells) {
    if (cells.size() == 1) return words::shortCell(table::Cell::fromIndex(cells.front()));
    return HistoryWords::tr("%1 of the family's %2").arg(cells.size()).arg(table::kCellCount);
}

// Score margins as the shadow page's histogram slices them.
static QString marginText(std::uint32_t slot) {
    const auto number = [](double value) { return QLocale().toString(value, 'f', 2); };
    const double from = slot * evidence::kMarginStep;
    if (slot + 1 >= evidence::kMarginSlots) return HistoryWords::tr("%1 or more").arg(number(from));
    return HistoryWords::tr("%1 to %2").arg(number(from), number(from + evidence::kMarginStep));
}

static QString groupChipText(const HistoryQuery& query, HistoryQuery::Field field) {
    using Field = HistoryQuery::Field;
    const auto named = [](const QString& name, const std::optional<std::string>& value) { return value ? name.arg(format::text(*value)) : QString(); };
    switch (field) {
    case Field::attempted: return named(HistoryWords::tr("Tried: %1"), query.attempted);
    case Field::group: return named(HistoryWords::tr("Group: %1"), query.group);
    case Field::profile: return query.profile ? HistoryWords::tr("Profile: %1").arg(words::profile(*query.profile)) : QString();
    case Field::mode: return query.mode ? HistoryWords::tr("Mode: %1").arg(words::mode(*query.mode)) : QString();
    case Field::selected: return named(HistoryWords::tr("Tried first: %1"), query.selected);
    case Field::recommended: return named(HistoryWords::tr("Recommended: %1"), query.recommended);
    case Field::decidingTerm: return query.decidingTerm ? HistoryWords::tr("Because: %1").arg(words::decidedBy(*query.decidingTerm)) : QString();
    case Field::disagreement: return query.disagreement ? (*query.disagreement ? HistoryWords::tr("Recommendation differs") : HistoryWords::tr("Recommendation agrees")) : QString();
    case Field::marginSlot: return query.marginSlot ? HistoryWords::tr("Score margin: %1").arg(marginText(*query.marginSlot)) : QString();
    default: return {};
    }
}

QString askedName(const std::string& model) {
    constexpr std::size_t kMostBytes = 80;
    return format::text(elided(model, kMostBytes)).simplified();
}

QString chipText(const HistoryQuery& query, HistoryQuery::Field field) {
    using Field = HistoryQuery::Field;
    switch (field) {
    case Field::slice: return query.slice ? HistoryWords::tr("Time: %1").arg(rangeText(*query.slice)) : QString();
    case Field::preset: return query.preset ? HistoryWords::tr("Preset: %1").arg(query.preset->empty() ? HistoryWords::tr("none") : format::text(*query.preset)) : QString();
    case Field::rule: return query.rule ? HistoryWords::tr("Rule: %1").arg(*query.rule + 1) : QString();
    case Field::family: return query.family ? HistoryWords::tr("Family: %1").arg(format::text(*query.family)) : QString();
    case Field::cells: return query.cells.empty() ? QString() : HistoryWords::tr("Cells: %1").arg(cellsText(query.cells));
    case Field::coverage: return query.coverage ? HistoryWords::tr("Coverage: %1").arg(coverageChoice(*query.coverage)) : QString();
    case Field::outcome: return query.outcome ? HistoryWords::tr("Outcome: %1").arg(words::outcome(*query.outcome)) : QString();
    case Field::endpoint: return query.endpoint ? HistoryWords::tr("Endpoint: %1").arg(format::text(*query.endpoint)) : QString();
    case Field::team: return query.team ? HistoryWords::tr("Team: %1").arg(query.team->empty() ? HistoryWords::tr("none") : format::text(*query.team)) : QString();
    case Field::model: return query.model ? HistoryWords::tr("Model asked for: %1").arg(askedName(*query.model)) : QString();
    default: return groupChipText(query, field);
    }
}

QString coverageChoice(const std::string& coverage) {
    return coverage == "none" ? HistoryWords::tr("not covered, or table not used") : words::coverage(coverage);
}

QString boundedCount(std::uint64_t count) {
    constexpr std::uint64_t kMost = 10'000;
    return count > kMost ? HistoryWords::tr("%1+").arg(format::count(kMost)) : format::count(count);
}

QString summarySentence(const evidence::HistorySummary& summary, const QString& when) {
    if (summary.requests == 0) return HistoryWords::tr("No request was recorded in %1.").arg(when);
    const std::uint64_t asked = summary.requests - std::min(summary.outsideTable, summary.requests);
    QString sentence = HistoryWords::tr("%1 requests in %2").arg(format::count(summary.requests), when);
    if (asked == 0) sentence += HistoryWords::tr(", none of them for the table");
    else {
        // Aliases and explicit endpoints ask no table; counting them as not covered would blame it for them.
        const double covered = 100.0 * static_cast<double>(summary.byRule + summary.byDefault) / static_cast<double>(asked);
        sentence += HistoryWords::tr(", %1 of them for the table: %2 % by a rule or default, %3 hit a declared gap")
                        .arg(format::count(asked), QLocale().toString(std::round(covered), 'f', 0), format::count(summary.gapHits));
    }
    if (summary.firstContentP95Ms) sentence += HistoryWords::tr(", first content p95 %1").arg(format::milliseconds(*summary.firstContentP95Ms));
    return sentence + QLatin1Char('.');
}

HistoryMessage unreadable(const evidence::EvidenceStatus& status, const Error& error) {
    const StatusWords words = evidenceWords(status);
    const QString live = HistoryWords::tr("This keeps no request from being served, and the decisions of this session stand in the table below.");
    switch (status.state) {
    case evidence::StoreState::off:
        if (status.lastError.empty()) return {HistoryWords::tr("Evidence is off"), words.explanation + QLatin1Char(' ') + live};
        if (!onlyObserves(status)) return {HistoryWords::tr("History cannot be read right now"), words.explanation};
        break;
    case evidence::StoreState::starting: return {HistoryWords::tr("The evidence database is starting"), words.explanation};
    case evidence::StoreState::unavailable:
    case evidence::StoreState::journalFull:
        return {HistoryWords::tr("History cannot be read right now"), words.explanation + QLatin1Char(' ') + HistoryWords::tr("This keeps no request from being served; reading is tried again every few seconds.")};
    case evidence::StoreState::ready:
    case evidence::StoreState::catchingUp: break;
    }
    QString what = format::text(error.message) + QStringLiteral(". ");
    what[0] = what.at(0).toUpper();
    if (!error.hint.empty()) what += format::text(error.hint) + QLatin1Char(' ');
    // Where another process serves, this one has decided nothing that could stand in the table.
    what += onlyObserves(status) ? words.explanation : live;
    return {HistoryWords::tr("History cannot be read right now"), what + QLatin1Char(' ') + HistoryWords::tr("It is tried again every few seconds.")};
}

HistoryMessage nothingFound(const engine::TargetStatus& status, bool filtered, bool elsewhere) {
    if (filtered) return {HistoryWords::tr("No decision matches"), HistoryWords::tr("Nothing in this range has all of these properties. Remove a filter or widen the range.")};
    if (onlyObserves(status.evidence))
        return {HistoryWords::tr("No decision in this range"), HistoryWords::tr("What another process decides and records for this workspace appears here every few seconds. Widen the range, or wait for the next request.")};
    if (elsewhere)
        return {HistoryWords::tr("No decision in this range"), HistoryWords::tr("Each request that this console's own gateway decides is kept here. Widen the range, or look at that gateway and send one.")};
    if (status.state != engine::GatewayState::running)
        return {HistoryWords::tr("No decision in this range"), HistoryWords::tr("Each request that the gateway decides is kept here. The gateway is not running: start it, or widen the range.")};
    return {HistoryWords::tr("No decision in this range"), HistoryWords::tr("Each request that the gateway decides is kept here and appears within a second. Send one from the gateway page, or widen the range.")};
}

}  // namespace signalbox::ui
