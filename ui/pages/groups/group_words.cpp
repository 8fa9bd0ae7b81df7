// SPDX-License-Identifier: MIT
#include "ui/pages/groups/group_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace signalbox::ui {

namespace {

struct GroupWords {
    Q_DECLARE_TR_FUNCTIONS(GroupWords)
};

QString modeWord(const config::Routing& routing) {
    switch (routing.mode) {
    case config::RoutingMode::off: return GroupWords::tr("off");
    case config::RoutingMode::shadow: return GroupWords::tr("shadow");
    case config::RoutingMode::active: return GroupWords::tr("active %1 %").arg(routing.activationPercent);
    }
    return {};
}

Tone modeTone(config::RoutingMode mode) {
    switch (mode) {
    case config::RoutingMode::off: return Tone::idle;
    case config::RoutingMode::shadow: return Tone::info;
    case config::RoutingMode::active: return Tone::canary;
    }
    return Tone::idle;
}

}  // namespace

std::vector<Card> groupCards(const config::GatewayConfig& config) {
    std::vector<Card> cards;
    for (const config::SmartGroup& group : config.routing.groups) {
        QStringList aliases;
        for (const std::string& alias : group.aliases) aliases << format::text(alias);
        Card card;
        card.title = format::text(group.id);
        card.tone = modeTone(config.routing.mode);
        card.status = modeWord(config.routing);
        card.figure = GroupWords::tr("%n candidate(s)", nullptr, static_cast<int>(group.candidates.size()));
        card.detail = GroupWords::tr("%1 profile; called %2").arg(format::text(group.defaultProfile.value_or(config.routing.defaultProfile)), aliases.join(QStringLiteral(", ")));
        cards.push_back(std::move(card));
    }
    return cards;
}

QString candidateCounter(const config::GatewayConfig& config, const config::SmartGroup& group) {
    std::size_t all = 0;
    for (const config::SmartGroup& one : config.routing.groups) all += one.candidates.size();
    return GroupWords::tr("%1 of %2 candidates, %3 of %4 in all")
        .arg(format::count(group.candidates.size()), format::count(kMostCandidatesOfGroup), format::count(all), format::count(kMostCandidates));
}

QString priorsSentence(const std::vector<CandidateRow>& rows, std::chrono::seconds span, const QString& problem) {
    std::set<std::string> endpoints, judged, off;
    const CandidateRow* worst = nullptr;
    double most = 0;
    for (const CandidateRow& row : rows) {
        endpoints.insert(row.endpointId);
        const PriorVerdict verdict = row.verdict();
        if (verdict == PriorVerdict::unmeasured || verdict == PriorVerdict::tooFewCalls) continue;
        judged.insert(row.endpointId);
        if (verdict == PriorVerdict::holds) continue;
        off.insert(row.endpointId);
        const double ratio = row.measured()->milliseconds / row.candidate.latencyHintMs;
        if (const double far = std::max(ratio, 1 / std::max(ratio, 1e-6)); far > most) {
            most = far;
            worst = &row;
        }
    }
    const QString unknown = problem.isEmpty() ? QString() : QLatin1Char(' ') + GroupWords::tr("History cannot say more: %1.").arg(problem);
    if (judged.empty())
        return GroupWords::tr("None of the %n candidate(s) had the %1 real calls that a prior is held against, in the last %2.", nullptr, static_cast<int>(endpoints.size()))
                   .arg(kEnoughCalls).arg(format::seconds(span)) + unknown;
    const QString of = GroupWords::tr("of the %n candidate(s) with enough calls in the last %1", nullptr, static_cast<int>(judged.size())).arg(format::seconds(span));
    if (worst == nullptr) return GroupWords::tr("The latency priors hold %1.").arg(of) + unknown;
    const auto measured = *worst->measured();
    return GroupWords::tr("Latency priors outside of ±50 %: %1 %2, most of all %3 (prior %4, measured %5 over %6 calls).")
               .arg(off.size()).arg(of, format::text(worst->endpointId), format::milliseconds(double(worst->candidate.latencyHintMs)),
                    format::milliseconds(measured.milliseconds), format::count(measured.calls)) + unknown;
}

}  // namespace signalbox::ui
