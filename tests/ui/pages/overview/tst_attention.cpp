// SPDX-License-Identifier: MIT
#include "ui/pages/overview/attention.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

static AttentionInput quiet() {
    AttentionInput input;
    input.status.state = engine::GatewayState::running;
    input.status.evidence.state = evidence::StoreState::ready;
    policy::LoadedWorkspace workspace;
    workspace.snapshot = std::make_shared<const policy::PolicySnapshot>(
        policy::PolicySnapshot{nullptr, nullptr, policy::TableIndex(std::make_shared<const table::RoutingTable>()), policy::smart::SmartPolicy(config::GatewayConfig()), {}, {}, {}});
    input.workspace = std::make_shared<const policy::LoadedWorkspace>(std::move(workspace));
    input.summary = evidence::HistorySummary{};
    return input;
}

class AttentionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void quietGivesNothing() { QVERIFY(attentionItems(quiet()).empty()); }

    void unknownGivesNothing() {
        AttentionInput input = quiet();
        input.summary.reset();
        QVERIFY(attentionItems(input).empty());
    }

    void stoppedGatewayOffersToStart() {
        AttentionInput input = quiet();
        input.status.state = engine::GatewayState::stopped;
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{1});
        QCOMPARE(items[0].remedy, Remedy::startGateway);
        input.workspace = nullptr;  // nothing that could be started
        QCOMPARE(attentionItems(input)[0].remedy, Remedy::none);
    }

    void withoutAPolicyItSaysSoAndNotThatTheGatewayIsStopped() {
        AttentionInput input = quiet();
        input.workspace = nullptr;
        input.status.state = engine::GatewayState::stopped;
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{1});
        QVERIFY2(items[0].title.contains(QStringLiteral("No policy")), qPrintable(items[0].title));
        QVERIFY(items[0].detail.contains(QStringLiteral("Open a workspace")));
    }

    void draftThatDiffersOffersToApply() {
        AttentionInput input = quiet();
        input.draftDiffers = true;
        QCOMPARE(attentionItems(input)[0].remedy, Remedy::applyPolicy);
    }

    void endpointsThatDoNotServeComeFirst() {
        AttentionInput input = quiet();
        input.summary->requests = 10;
        input.summary->gapHits = 1;
        const auto health = [](const char* id, const char* circuit, const char* cause) {
            engine::EndpointHealth out;
            out.endpointId = id;
            out.circuit = circuit;
            out.cause = cause;
            return out;
        };
        input.endpoints = {health("a:m", "closed", ""), health("b:m", "open", "rate_limited"), health("c:m", "half_open", "consecutive_failures")};
        input.endpoints[1].coolsFor = std::chrono::seconds(29);
        auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{3});
        QCOMPARE(items[0].title, QStringLiteral("b:m is cooling"));
        QVERIFY2(items[0].detail.contains(QStringLiteral("limits the rate")), qPrintable(items[0].detail));
        QCOMPARE(items[0].page, QStringLiteral("endpoints"));
        QCOMPARE(items[0].arguments.value(QStringLiteral("endpoint")).toString(), QStringLiteral("b:m"));
        QCOMPARE(items[1].title, QStringLiteral("c:m is probing"));
        // Time that passes makes no other item: the list would be made anew under the reader.
        const auto before = items;
        input.endpoints[1].coolsFor = std::chrono::seconds(12);
        QVERIFY(attentionItems(input) == before);

        input.endpoints = {health("a:m", "open", "by_hand"), health("b:m", "open", "by_hand"), health("c:m", "closed", "")};
        input.endpoints[2].drained = true;
        items = attentionItems(input);
        QVERIFY2(items[0].title.startsWith(QStringLiteral("2 endpoint")), qPrintable(items[0].title));
        QVERIFY2(items[0].detail.contains(QStringLiteral("a:m")), qPrintable(items[0].detail));
        QCOMPARE(items[1].title, QStringLiteral("c:m is drained"));

        input.endpoints[2].drained = false;
        input.endpoints = {input.endpoints[2]};
        input.endpoints[0].credentialReady = false;
        input.endpoints[0].lacks = "base_url";
        items = attentionItems(input);
        QCOMPARE(items[0].title, QStringLiteral("c:m cannot be called"));
        QVERIFY2(items[0].detail.contains(QStringLiteral("base_url")), qPrintable(items[0].detail));
    }

    void trafficCausesOpenTheirRequests() {
        AttentionInput input = quiet();
        input.summary->requests = 1000;
        input.summary->failed = 3;
        input.summary->gapHits = 5;
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{2});
        QCOMPARE(items[0].arguments.value(QStringLiteral("outcome")).toString(), QStringLiteral("failed"));
        QCOMPARE(items[1].arguments.value(QStringLiteral("coverage")).toString(), QStringLiteral("gap"));
        for (const auto& item : items) QCOMPARE(item.page, QStringLiteral("history"));
    }

    void worstComesFirst() {
        AttentionInput input = quiet();
        input.status.evidence.state = evidence::StoreState::journalFull;
        input.summary->requests = 10;
        input.summary->gapHits = 1;
        input.refusals = {{"invalid_token", "Send Authorization: Bearer.", 4, {}}};
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{3});
        QCOMPARE(items[0].tone, Tone::danger);
        QCOMPARE(items[1].tone, Tone::caution);
        QCOMPARE(items[1].detail, QStringLiteral("Send Authorization: Bearer."));
        QCOMPARE(items[2].tone, Tone::gap);
    }

    void oneReasonOfManyClientsIsOneThing() {
        AttentionInput input = quiet();
        const Timestamp old(std::chrono::seconds(1'764'400'000));
        input.refusals = {{"invalid_token", "Older.", 4, old, "192.0.2.7", "curl/8.5.0"}, {"invalid_token", "Newer.", 2, old + std::chrono::minutes(1), "192.0.2.8"}, {"invalid_json", "Send JSON.", 3, old, "192.0.2.8"}};
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{2});
        QCOMPARE(items[0].title, QStringLiteral("3 request(s) refused: invalid_json"));
        QCOMPARE(items[0].detail, QStringLiteral("Send JSON. All from 192.0.2.8."));
        QCOMPARE(items[1].title, QStringLiteral("6 request(s) refused: invalid_token"));
        QCOMPARE(items[1].detail, QStringLiteral("Newer. 4 of them from 192.0.2.7 (curl/8.5.0)."));
    }

    void anObservingConsoleIsNotToldToTurnEvidenceOn() {
        AttentionInput input = quiet();
        input.status.evidence.state = evidence::StoreState::off;
        QCOMPARE(attentionItems(input).at(0).title, QStringLiteral("Evidence is off"));
        input.status.evidence.lastError = "another gateway records here: pid 7";
        QCOMPARE(attentionItems(input).at(0).title, QStringLiteral("Evidence could not be opened"));
        QCOMPARE(attentionItems(input).at(0).tone, Tone::caution);
        input.status.evidence.where = "journal of another process in /state/journal";
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{1});
        QCOMPARE(items[0].title, QStringLiteral("This console only observes"));
        QVERIFY2(items[0].detail.contains(QStringLiteral("pid 7")) && !items[0].detail.contains(QStringLiteral("enabled = true")), qPrintable(items[0].detail));
    }

    void environmentOverrideIsVisible() {
        AttentionInput input = quiet();
        policy::LoadedWorkspace workspace = *input.workspace;
        workspace.overrides = {{"SIGNALBOX_ROUTING_MODE", "active"}};
        input.workspace = std::make_shared<const policy::LoadedWorkspace>(std::move(workspace));
        const auto items = attentionItems(input);
        QCOMPARE(items.size(), std::size_t{1});
        QVERIFY(items[0].title.contains(QStringLiteral("SIGNALBOX_ROUTING_MODE")));
    }
};

QTEST_APPLESS_MAIN(AttentionTest)
#include "tst_attention.moc"
