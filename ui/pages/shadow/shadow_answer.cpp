// SPDX-License-Identifier: MIT
#include "ui/pages/shadow/shadow_answer.h"

#include "router/policy/smart/what_if.h"
#include "ui/charts/rate_chart.h"
#include "ui/models/group_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace signalbox::ui {

using evidence::ShadowReport;

namespace {

struct ShadowAnswerWords {
    Q_DECLARE_TR_FUNCTIONS(ShadowAnswer)
};

constexpr std::size_t kMostInGrid = 7;

bool mayDisagree(const std::string& mode) { return mode == "shadow" || mode == "canary_control"; }

RateSeries ratesOf(const ShadowReport& report, ShadowAnswer& answer) {
    RateSeries series;
    series.bucket = report.bucket;
    series.starts = report.starts;
    series.unit = ShadowAnswerWords::tr("shadow decisions");
    series.what = ShadowAnswerWords::tr("differ");
    std::set<std::string> groups;
    for (const auto& line : report.lines) groups.insert(line.group);
    answer.groups.assign(groups.begin(), groups.end());
    for (const auto& line : report.lines) {
        const QString group = format::text(line.group), profile = words::profile(line.profile);
        const QString entity = ShadowAnswerWords::tr("%1 · %2").arg(group, profile);
        series.lines.push_back({entity, groups.size() == 1 ? profile : entity, line.disagreements, line.decisions, 0, 0, {}});
        answer.lineKeys.insert(entity, {line.group, line.profile});
    }
    return series;
}

std::vector<std::uint64_t> byTermOf(const ShadowReport& report) {
    std::vector<std::uint64_t> counts(5);
    for (const auto& pair : report.pairs)
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (pair.selected != pair.recommended && policy::smart::toString(static_cast<policy::smart::Term>(i)) == pair.decidingTerm) counts[i] += pair.decisions;
    return counts;
}

std::vector<std::uint64_t> byMarginOf(const ShadowReport& report) {
    std::vector<std::uint64_t> counts(evidence::kMarginSlots);
    for (const auto& margin : report.margins)
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += margin.counts[i];
    return counts;
}

using Facts = std::unordered_map<std::string, CandidateFacts>;

Facts factsOf(const ShadowReport& report) {
    Facts facts;
    for (const auto& candidate : report.candidates) {
        facts[candidate.endpointId].endpointId = candidate.endpointId;
        facts[candidate.endpointId].calls = candidate;
    }
    std::unordered_map<std::string, std::pair<std::uint64_t, evidence::EstimateSums>> sums;
    const auto add = [&sums](const std::string& endpointId, const ShadowReport::Pair& pair, const evidence::EstimateSums& estimates) {
        auto& [decisions, sum] = sums[endpointId];
        decisions += pair.decisions;
        sum.costUsd += estimates.costUsd;
        sum.latencyMs += estimates.latencyMs;
    };
    for (const auto& pair : report.pairs) {
        facts[pair.selected].triedFirst += pair.decisions;
        facts[pair.recommended].recommended += pair.decisions;
        facts[pair.selected].endpointId = pair.selected;
        facts[pair.recommended].endpointId = pair.recommended;
        add(pair.selected, pair, pair.ofSelected);
        if (pair.selected != pair.recommended) add(pair.recommended, pair, pair.ofRecommended);
    }
    for (const auto& [endpointId, entry] : sums) {
        if (entry.first == 0) continue;
        facts[endpointId].costUsd = entry.second.costUsd / static_cast<double>(entry.first);
        facts[endpointId].latencyMs = entry.second.latencyMs / static_cast<double>(entry.first);
    }
    return facts;
}

/// What one side would have cost and taken; `endpointOf` and `estimatesOf` say which side.
template <class EndpointOf, class EstimatesOf>
SideOfComparison sideOf(const ShadowReport& report, const Facts& facts, EndpointOf&& endpointOf, EstimatesOf&& estimatesOf) {
    SideOfComparison side;
    double cost = 0, costWeight = 0, latency = 0, latencyWeight = 0;
    std::set<std::string> endpoints;
    for (const auto& pair : report.pairs) {
        const auto weight = static_cast<double>(pair.decisions);
        side.decisions += pair.decisions;
        side.costUsd += estimatesOf(pair).costUsd;
        side.latencyMs += estimatesOf(pair).latencyMs;
        endpoints.insert(endpointOf(pair));
        const CandidateFacts& candidate = facts.at(endpointOf(pair));
        if (const auto measured = candidate.measuredCostUsd()) {
            cost += weight * *measured;
            costWeight += weight;
        }
        if (candidate.calls.totalP50Ms) {
            latency += weight * *candidate.calls.totalP50Ms;
            latencyWeight += weight;
        }
    }
    if (side.decisions > 0) {
        side.costUsd /= static_cast<double>(side.decisions);
        side.latencyMs /= static_cast<double>(side.decisions);
    }
    if (costWeight > 0) side.measuredCostUsd = cost / costWeight;
    if (latencyWeight > 0) side.measuredLatencyMs = latency / latencyWeight;
    for (const std::string& endpoint : endpoints) {
        side.costCalls += facts.at(endpoint).calls.costCalls;
        side.timedCalls += facts.at(endpoint).calls.timedCalls;
    }
    return side;
}

/// Endpoints by how often they occur; the rest is joined from position `most - 1` on.
class Ranks {
public:
    void add(const std::string& name, std::uint64_t count) { m_counts[name] += count; }
    void close(std::size_t most) {
        std::vector<std::pair<std::uint64_t, std::string>> order;
        for (const auto& [name, count] : m_counts) order.emplace_back(count, name);
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
        m_joined = order.size() > most;
        const std::size_t kept = m_joined ? most - 1 : order.size();
        for (std::size_t i = 0; i < order.size(); ++i) m_positions[order[i].second] = std::min(i, kept);
        for (std::size_t i = 0; i < kept; ++i) m_names << format::text(order[i].second);
        if (m_joined) m_names << ShadowAnswerWords::tr("%1 others").arg(order.size() - kept);
    }
    [[nodiscard]] std::size_t of(const std::string& name) const { return m_positions.at(name); }
    [[nodiscard]] const QStringList& names() const { return m_names; }
    [[nodiscard]] bool isJoined() const { return m_joined; }

private:
    std::map<std::string, std::uint64_t> m_counts;
    std::unordered_map<std::string, std::size_t> m_positions;
    QStringList m_names;
    bool m_joined = false;
};

}  // namespace

std::optional<double> CandidateFacts::measuredCostUsd() const {
    return calls.costCalls == 0 ? std::nullopt : std::optional(calls.costUsd / static_cast<double>(calls.costCalls));
}

std::optional<std::string> ShadowAnswer::onlyMode() const {
    std::optional<std::string> only;
    for (const auto& [mode, count] : byMode) {
        if (!mayDisagree(mode) || count == 0) continue;
        if (only) return std::nullopt;
        only = mode;
    }
    return only;
}

HeatGrid pairGrid(const ShadowReport& report, std::size_t most) {
    Ranks rows, columns;
    for (const auto& pair : report.pairs) {
        rows.add(pair.selected, pair.decisions);
        columns.add(pair.recommended, pair.decisions);
    }
    rows.close(most);
    columns.close(most);
    HeatGrid grid;
    grid.rows = rows.names();
    grid.columns = columns.names();
    grid.restRow = rows.isJoined();
    grid.restColumn = columns.isJoined();
    grid.rowWord = ShadowAnswerWords::tr("tried first");
    grid.columnWord = ShadowAnswerWords::tr("recommended");
    grid.unit = ShadowAnswerWords::tr("decisions");
    grid.counts.resize(static_cast<std::size_t>(grid.rows.size() * grid.columns.size()));
    for (const auto& pair : report.pairs)
        grid.counts[rows.of(pair.selected) * static_cast<std::size_t>(grid.columns.size()) + columns.of(pair.recommended)] += pair.decisions;
    return grid;
}

std::vector<Silence> silentEdges(const ShadowReport& report, const ShadowReport& hour, std::uint64_t hourRequests) {
    struct Seen {
        bool shadowInRange = false;
        std::uint64_t shadowInHour = 0, inHour = 0;
    };
    std::map<std::string, Seen> edges;
    for (const auto& served : report.served) edges[served.edge].shadowInRange |= mayDisagree(served.mode) && served.decisions > 0;
    for (const auto& served : hour.served) {
        edges[served.edge].inHour += served.decisions;
        if (mayDisagree(served.mode)) edges[served.edge].shadowInHour += served.decisions;
    }
    std::vector<Silence> silent;
    for (const auto& [edge, seen] : edges) {
        const bool traffic = seen.inHour > 0 || (seen.shadowInRange && hourRequests > 0);
        if (traffic && seen.shadowInHour == 0) silent.push_back({edge, seen.inHour});
    }
    return silent;
}

ShadowAnswer toShadowAnswer(const ShadowReport& report, const ShadowReport& hour, std::uint64_t hourRequests, std::size_t points) {
    ShadowAnswer answer;
    answer.overall = wilson(report.disagreements, report.decisions);
    for (const auto& served : report.served) {
        answer.groupDecisions += served.decisions;
        answer.byMode[served.mode] += served.decisions;
    }
    answer.rates = readyToDraw(ratesOf(report, answer), points, RateChart::kMostLines, ShadowAnswerWords::tr("%1 others"));
    answer.pairs = pairGrid(report, kMostInGrid);
    answer.byTerm = byTermOf(report);
    answer.byMargin = byMarginOf(report);
    const Facts facts = factsOf(report);
    using Pair = ShadowReport::Pair;
    answer.chosen = sideOf(report, facts, [](const Pair& pair) { return pair.selected; }, [](const Pair& pair) { return pair.ofSelected; });
    answer.recommended = sideOf(report, facts, [](const Pair& pair) { return pair.recommended; }, [](const Pair& pair) { return pair.ofRecommended; });
    for (const auto& [endpointId, candidate] : facts) answer.candidates.push_back(candidate);
    std::sort(answer.candidates.begin(), answer.candidates.end(), [](const auto& a, const auto& b) {
        const auto weight = [](const CandidateFacts& of) { return of.triedFirst + of.recommended; };
        return weight(a) != weight(b) ? weight(a) > weight(b) : a.endpointId < b.endpointId;
    });
    answer.silences = silentEdges(report, hour, hourRequests);
    answer.affinity = report.affinity;
    return answer;
}

}  // namespace signalbox::ui
