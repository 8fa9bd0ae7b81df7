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
