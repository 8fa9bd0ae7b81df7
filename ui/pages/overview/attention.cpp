// SPDX-License-Identifier: MIT
#include "ui/pages/overview/attention.h"

#include "ui/bridge/refusal_words.h"
#include "ui/bridge/status_words.h"
#include "ui/models/pool_words.h"
#include "ui/pages/overview/usual.h"
#include "ui/pages/overview/usual_sheet.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>

namespace signalbox::ui {

namespace {

struct AttentionWords {
    Q_DECLARE_TR_FUNCTIONS(Attention)
};

using Items = std::vector<AttentionItem>;

QVariantMap filter(const QString& name, const QString& value) { return {{name, value}}; }

void judgeGateway(const AttentionInput& input, Items& items) {
    if (!input.workspace) {
        items.push_back({Tone::caution, AttentionWords::tr("No policy is open"), AttentionWords::tr("Open a workspace folder or a routing table from the File menu, or drop one onto this window."), Remedy::none, {}, {}, {}});
        if (input.status.state == engine::GatewayState::stopped) return;  // it could not be started anyway
    }
    const bool canStart = input.workspace && input.workspace->snapshot && !input.status.remote;
    const StatusWords words = gatewayWords(input.status);
    if (input.status.unreachableSince != Timestamp{})
        items.push_back({Tone::danger, words.sentence, words.explanation, Remedy::none, {}, {}, {}});
    else if (input.status.state == engine::GatewayState::failed)
        items.push_back({Tone::danger, AttentionWords::tr("The gateway failed"), words.explanation, canStart ? Remedy::startGateway : Remedy::none,
                         AttentionWords::tr("Start again"), {}, {}});
    else if (input.status.state == engine::GatewayState::stopped)
        items.push_back({Tone::caution, AttentionWords::tr("The gateway is stopped"), input.status.lastError.empty() ? AttentionWords::tr("No request can be served or recorded until it runs.") : words.explanation,
                         canStart ? Remedy::startGateway : Remedy::none, AttentionWords::tr("Start the gateway"), {}, {}});
    else if (input.draftDiffers)
        items.push_back({Tone::canary, AttentionWords::tr("The gateway runs another policy than the one open"),
                         AttentionWords::tr("Requests in flight finish on the old one; the next take the new one."), Remedy::applyPolicy,
                         AttentionWords::tr("Apply"), {}, {}});
}

/// Why an endpoint does not get its share of the requests, worst first.
enum class Absence { uncallable, cooling, probing, drained, none };

Absence absenceOf(const engine::EndpointHealth& health) {
    if (!health.credentialReady) return Absence::uncallable;
    if (health.drained) return Absence::drained;
    if (health.circuit == "open") return Absence::cooling;
    return health.circuit == "half_open" ? Absence::probing : Absence::none;
}

// No time that is left: the list is made anew for each change, and would take the focus from whoever reads it.
AttentionItem absenceItem(Absence absence, const engine::EndpointHealth& first, const QString& name, int count) {
    const QString cause = first.cause.empty() ? AttentionWords::tr("no cause is known") : words::openCause(first.cause);
    AttentionItem item;
    item.tone = absence == Absence::uncallable || absence == Absence::cooling ? Tone::danger : Tone::caution;
    item.remedy = Remedy::openPage;
    item.remedyText = AttentionWords::tr("Show it");
    item.page = QStringLiteral("endpoints");
    item.arguments = filter(QStringLiteral("endpoint"), format::text(first.endpointId));
    switch (absence) {
    case Absence::uncallable:
        item.title = count == 1 ? AttentionWords::tr("%1 cannot be called").arg(name) : AttentionWords::tr("%n endpoint(s) cannot be called", nullptr, count);
        item.detail = AttentionWords::tr("Groups and pools pass over it. Look at %1 of its provider in gateway.toml.").arg(format::text(first.lacks.empty() ? std::string("api_key_env") : first.lacks));
        break;
    case Absence::cooling:
        item.title = count == 1 ? AttentionWords::tr("%1 is cooling").arg(name) : AttentionWords::tr("%n endpoint(s) are cooling", nullptr, count);
        item.detail = AttentionWords::tr("Its circuit is open: %1. Requests go elsewhere where they have a choice.").arg(cause);
        break;
    case Absence::probing:
        item.title = count == 1 ? AttentionWords::tr("%1 is probing").arg(name) : AttentionWords::tr("%n endpoint(s) are probing", nullptr, count);
        item.detail = AttentionWords::tr("One attempt at a time finds out whether it is well again. Its circuit was opened: %1.").arg(cause);
        break;
    case Absence::drained:
        item.title = count == 1 ? AttentionWords::tr("%1 is drained").arg(name) : AttentionWords::tr("%n endpoint(s) are drained", nullptr, count);
        item.detail = AttentionWords::tr("An operator keeps new attempts away. Take it back when it may serve again.");
        break;
    case Absence::none: break;
    }
    if (count > 1) item.detail = AttentionWords::tr("First of all %1. %2").arg(name, item.detail);
    return item;
}

void judgeEndpoints(const AttentionInput& input, Items& items) {
    for (const Absence absence : {Absence::uncallable, Absence::cooling, Absence::probing, Absence::drained}) {
        const engine::EndpointHealth* first = nullptr;
        int count = 0;
        for (const engine::EndpointHealth& health : input.endpoints) {
            if (absenceOf(health) != absence) continue;
            if (first == nullptr) first = &health;
            ++count;
        }
        if (first != nullptr) items.push_back(absenceItem(absence, *first, format::text(first->endpointId), count));
    }
}

QString offTitle(const evidence::EvidenceStatus& status) {
    if (onlyObserves(status)) return AttentionWords::tr("This console only observes");
    return status.lastError.empty() ? AttentionWords::tr("Evidence is off") : AttentionWords::tr("Evidence could not be opened");
}

void judgeEvidence(const AttentionInput& input, Items& items) {
    const StatusWords words = evidenceWords(input.status.evidence, input.status.remote);
    const auto state = input.status.evidence.state;
    if (state == evidence::StoreState::journalFull)
        items.push_back({Tone::danger, AttentionWords::tr("Decisions are being lost"), words.explanation, Remedy::none, {}, {}, {}});
    if (state == evidence::StoreState::unavailable)
        items.push_back({Tone::caution, AttentionWords::tr("Evidence is unavailable"), words.explanation, Remedy::none, {}, {}, {}});
    if (state == evidence::StoreState::off)
        items.push_back({words.tone, offTitle(input.status.evidence), words.explanation, Remedy::none, {}, {}, {}});
}

void judgeTraffic(const AttentionInput& input, Items& items) {
    if (!input.summary) return;
    const auto& s = *input.summary;
    if (s.failed > 0)
        items.push_back({Tone::danger, AttentionWords::tr("%n request(s) failed", nullptr, static_cast<int>(s.failed)),
                         AttentionWords::tr("%1 of the range. Their receipts say which endpoint failed and how.").arg(format::share(s.failed, s.requests)),
                         Remedy::openPage, AttentionWords::tr("Show them"), QStringLiteral("history"), filter(QStringLiteral("outcome"), QStringLiteral("failed"))});
    if (s.gapHits > 0)
        items.push_back({Tone::gap, AttentionWords::tr("%n request(s) hit a declared gap", nullptr, static_cast<int>(s.gapHits)),
                         AttentionWords::tr("%1 of the range fell into cells that the table declares as not measured.").arg(format::share(s.gapHits, s.requests)),
                         Remedy::openPage, AttentionWords::tr("Show them"), QStringLiteral("history"), filter(QStringLiteral("coverage"), QStringLiteral("gap"))});
}

void judgeWeeks(const AttentionInput& input, Items& items) {
    if (!input.usual) return;
    for (const UsualTopic topic : kUsualTopics) {
        const UsualJudgement judgement = judgeUsual(topic, *input.usual);
        if (judgement.verdict != UsualJudgement::Verdict::worse) continue;
        const UsualText text = usualText(topic, *input.usual);
        QStringList who{text.team, text.endpoint};
        who.removeAll(QString());
        const QString detail = who.isEmpty() ? AttentionWords::tr("At this time of the last four weeks it was not.") : AttentionWords::tr("First of all %1.").arg(who.join(AttentionWords::tr(" and ")));
        items.push_back({text.tone, usualPhrase(topic, judgement), detail, Remedy::openPage, AttentionWords::tr("Show them"), QStringLiteral("history"), usualFilter(topic, text.worstEndpoint)});
    }
}

void judgeRefusals(const AttentionInput& input, Items& items) {
    std::map<std::string, std::vector<engine::RefusalCount>> byCode;
    for (const engine::RefusalCount& refusal : input.refusals) byCode[refusal.code].push_back(refusal);
    for (const auto& [code, refusals] : byCode) {
        const auto newest = std::max_element(refusals.begin(), refusals.end(), [](const auto& a, const auto& b) { return a.newest < b.newest; });
        const words::MostRefused most = words::mostRefused(refusals);
        const QString who = most.client.isEmpty()         ? QString()
                            : most.count == most.ofAll ? QLatin1Char(' ') + AttentionWords::tr("All from %1.").arg(most.client)
                                                       : QLatin1Char(' ') + AttentionWords::tr("%1 of them from %2.").arg(format::count(most.count), most.client);
        items.push_back({Tone::caution, AttentionWords::tr("%n request(s) refused: %1", nullptr, static_cast<int>(most.ofAll)).arg(format::text(code)),
                         format::text(newest->message) + who, Remedy::openPage, AttentionWords::tr("See the fix"), QStringLiteral("gateway"), {}});
    }
}

void judgePolicy(const AttentionInput& input, Items& items) {
    if (!input.workspace) return;
    if (input.workspace->configFile.empty() && input.workspace->table.table)
        items.push_back({Tone::info, AttentionWords::tr("No gateway.toml stands beside this table"),
                         AttentionWords::tr("It can be read and exported. Before it can serve, its presets need endpoints in a gateway.toml in the same folder."), Remedy::none, {}, {}, {}});
    for (const config::Override& override : input.workspace->overrides)
        items.push_back({Tone::caution, AttentionWords::tr("%1 overrides the file").arg(format::text(override.variable)),
                         AttentionWords::tr("The environment sets it to \"%1\"; unset the variable to run what gateway.toml says.").arg(format::text(override.value)),
                         Remedy::none, {}, {}, {}});
}

// Lower is worse.
int rank(Tone tone) {
    switch (tone) {
    case Tone::danger: return 0;
    case Tone::caution: return 1;
    case Tone::gap: return 2;
    case Tone::canary: return 3;
    case Tone::info: return 4;
    case Tone::idle: return 5;
    case Tone::clear: return 6;
    }
    return 7;
}

}  // namespace

std::vector<AttentionItem> attentionItems(const AttentionInput& input) {
    Items items;
    judgeGateway(input, items);
    judgeEndpoints(input, items);
    judgeEvidence(input, items);
    judgeTraffic(input, items);
    judgeWeeks(input, items);
    judgeRefusals(input, items);
    judgePolicy(input, items);
    std::stable_sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return rank(a.tone) < rank(b.tone); });
    return items;
}

}  // namespace signalbox::ui
