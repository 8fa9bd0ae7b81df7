// SPDX-License-Identifier: MIT
#include "app/ctl/decision_line.h"
#include "app/ctl/filter_notes.h"
#include "app/ctl/history_source.h"
#include "router/base/text.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace signalbox::ctl {
namespace {

constexpr std::size_t kPageRows = 500;

std::string keyText(const evidence::PageKey& key) { return toIso8601(key.createdAt) + "," + key.id.text(); }

Result<evidence::PageKey> parseKey(const std::string& text) {
    const auto comma = text.find(',');
    const auto at = parseIso8601(text.substr(0, comma));
    const auto id = comma == std::string::npos ? std::nullopt : DecisionId::parse(text.substr(comma + 1));
    if (!at || !id)
        return fail(ErrorKind::badInput, "\"" + text + "\" is not the key of a page", "--after",
                    "Use what the page before printed at its end.");
    return evidence::PageKey{*at, *id};
}

Result<evidence::HistoryFilter> filterOf(const HistoryOptions& options, Timestamp now) {
    evidence::HistoryFilter filter;
    auto range = historyRange(options, now);
    if (!range) return tl::unexpected(range.error());
    filter.range = *range;
    const auto set = [](std::optional<std::string>& field, const std::string& value) {
        if (!value.empty()) field = value;
    };
    set(filter.presetKey, options.preset);
    set(filter.family, options.family);
    set(filter.endpointId, options.endpoint);
    set(filter.coverage, options.gap ? "gap" : options.coverage);
    set(filter.attempted, options.attempted);
    set(filter.team, options.team);
    set(filter.requestedModel, options.model);
    set(filter.group, options.group);
    set(filter.profile, options.profile);
    set(filter.mode, options.mode);
    set(filter.selected, options.selected);
    set(filter.recommended, options.recommended);
    set(filter.decidingTerm, options.decidingTerm);
    if (options.disagreement) filter.disagreement = true;
    if (options.margin) filter.marginSlot = static_cast<std::uint32_t>(evidence::marginSlot(*options.margin));
    if (options.rule) filter.ruleIndex = *options.rule - 1;
    filter.includeSimulations = options.all;
    if (!options.outcome.empty()) {
        filter.outcome = evidence::parseOutcome(options.outcome);
        if (!filter.outcome)
            return fail(ErrorKind::badInput, "\"" + options.outcome + "\" is not an outcome", "--outcome",
                        "Use served, failed, refused or cancelled.");
    }
    return filter;
}

std::string orDash(const std::string& text) { return text.empty() ? "-" : text; }

void printGroup(std::ostream& out, const evidence::RecordedGroup& group, const std::string& mode) {
    char line[160];
    out << "  group        " << group.groupId << ", profile " << orDash(group.profile) << ", " << orDash(mode);
    if (group.activationPercent > 0) out << ", bucket " << group.bucket << " of " << group.activationPercent << " active";
    out << '\n';
    const auto answer = [&](const char* label, const std::string& endpoint, double score) {
        std::snprintf(line, sizeof line, ", score %.4f", score);
        out << "  " << label << orDash(endpoint) << (endpoint.empty() ? "" : line) << '\n';
    };
    answer("selected     ", group.selected, group.selectedScore);
    answer("recommended  ", group.recommended, group.recommendedScore);
    if (!group.decidingTerm.empty()) out << "  decided by   " << group.decidingTerm << '\n';
    if (!group.affinity.empty())
        out << "  session      " << group.affinity << (group.affinityFavourite.empty() ? "" : ", leans to " + group.affinityFavourite) << '\n';
    for (const auto& candidate : group.candidates) {
        std::snprintf(line, sizeof line, "score %.4f: quality %.2f, %.0f ms and %.6f USD expected, reliability %.3f", candidate.score,
                      candidate.quality, candidate.latencyMs, candidate.costUsd, candidate.reliability);
        out << "  candidate    " << candidate.endpointId << ", " << (candidate.cut.empty() ? line : "cut: " + candidate.cut) << '\n';
    }
    if (group.candidatesTotal > group.candidates.size())
        out << "  candidate    and " << group.candidatesTotal - group.candidates.size() << " more that were not recorded\n";
}

/// What one asks of a single decision: what came in, what every rule said, who was tried.
void printDecision(std::ostream& out, const evidence::DecisionRecord& row) {
    printDecisionLine(out, row);
    const auto& f = row.features;
    out << "  model        " << orDash(elided(row.requestedModel, 200)) << ", family " << row.family.value_or("-") << '\n'
        << "  workload     " << toString(f.cell.workload) << " (" << toString(f.workloadFoundBy) << ")\n"
        << "  output       " << toString(f.cell.length) << " (" << toString(f.lengthFoundBy) << ")\n"
        << "  concurrency  " << toString(f.cell.concurrency);
    if (f.inFlight) out << " (" << *f.inFlight << " in flight, this one included)";
    out << '\n' << "  resolved by  " << orDash(row.resolvedBy) << (row.reason.empty() ? "" : ", " + row.reason) << '\n';
    if (row.group) printGroup(out, *row.group, row.mode);
    for (const auto& rule : row.rules)
        out << "  rule " << rule.ruleIndex + 1 << "       to " << rule.presetKey << ": " << rule.verdict << '\n';
    if (row.gapIndex) out << "  gap          " << *row.gapIndex + 1 << " of the table\n";
    for (const auto& attempt : row.attempts) {
        out << "  attempt      " << attempt.endpointId << ", " << toString(attempt.role) << ", " << toString(attempt.outcome);
        if (attempt.status != 0) out << ' ' << attempt.status;
        out << (attempt.reason.empty() ? "" : ", " + attempt.reason);
        char took[48];
        std::snprintf(took, sizeof took, ", %.1f ms", std::max(0.0, attempt.endedMs - attempt.startedMs));
        out << took << '\n';
    }
    if (!row.whyNoFallback.empty()) out << "  no fallback  " << row.whyNoFallback << '\n';
    if (!row.errorCode.empty()) out << "  error        " << row.errorCode << '\n';
    out << "  policy       " << row.policyHash << ", version " << orDash(row.policyVersion) << '\n';
}

int showOne(const DecisionId& id, const HistoryOptions& options, evidence::HistoryReader& reader, Context& context) {
    const auto found = reader.find(id, std::make_shared<std::atomic<bool>>(false));
    if (!found) return report(context, found.error());
    if (!*found)
        return report(context, Error{ErrorKind::notFound, "no decision " + id.text() + " is stored", {},
                                     "A gateway stores it within seconds, and removes it after evidence.retention_days."});
    if (options.json) context.out << evidence::encodeRecord(**found) << '\n';
    else printDecision(context.out, **found);
    return kOk;
}

}  // namespace

int runHistory(const HistoryOptions& options, Context& context) {
    if (options.events) return listEvents(options, context);
    const auto filter = filterOf(options, context.clock.now());
    if (!filter) return reportUsage(context, filter.error().text());
    std::optional<evidence::PageKey> key;
    if (!options.after.empty()) {
        auto parsed = parseKey(options.after);
        if (!parsed) return reportUsage(context, parsed.error().text());
        key = *parsed;
    }
    std::optional<DecisionId> id;
    if (!options.id.empty() && !(id = DecisionId::parse(options.id)))
        return reportUsage(context, "--id: \"" + options.id + "\" is not the id of a decision. Use rtd_… as in the header X-Signalbox-Decision-Id.");
    if (context.errIsTerminal) context.err << "Opening the history…" << std::endl;
    auto reader = openHistoryOf(options, context);
    if (!reader) return report(context, reader.error());
    if (id) return showOne(*id, options, **reader, context);

    const auto cancel = std::make_shared<std::atomic<bool>>(false);
    std::size_t printed = 0;
    bool searching = false;
    while (printed < options.limit) {
        auto page = (*reader)->page(*filter, key, std::min(kPageRows, options.limit - printed), cancel);
        if (!page) return report(context, page.error());
        for (const auto& row : page->rows) {
            if (options.json) context.out << evidence::encodeRecord(row) << '\n';
            else printDecisionLine(context.out, row);
        }
        printed += page->rows.size();
        key = page->next;
        if (!key) break;
        // No index answers such a filter: it is looked for from new to old, which may take its time (F91).
        if (page->searchedTo && context.errIsTerminal)
            context.err << "\rSearched back to " << toIso8601(*page->searchedTo).substr(0, 16) << "Z, Ctrl+C ends it…" << std::flush;
        searching = searching || page->searchedTo;
    }
    if (searching && context.errIsTerminal) context.err << '\n';
    if (printed == 0) {
        context.err << "No decision matches.\n";
        noteFilters(options, context);
    }
    else if (key) context.err << "More: --after " << keyText(*key) << '\n';
    return kOk;
}

}  // namespace signalbox::ctl
