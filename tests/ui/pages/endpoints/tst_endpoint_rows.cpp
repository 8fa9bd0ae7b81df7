// SPDX-License-Identifier: MIT
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "ui/models/roles.h"
#include "ui/pages/endpoints/endpoints_model.h"
#include "ui/pages/endpoints/models_hint.h"
#include "ui/pages/endpoints/pool_candidates_model.h"
#include "ui/pages/endpoints/pool_sheet.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using Model = EndpointsModel;

class EndpointRowsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tightestResourceStandsForTheEndpoint() {
        auto health = test::endpoint("a:b", 0, 0, 0, 0);
        health.resources = {"wide", "tight", "day", "hour"};
        FleetState state;
        state.endpoints = {health};
        state.resources = {{"wide", "concurrency", 20, 4, {}, {}}, {"tight", "concurrency", 8, 8, {}, {}}, {"day", "quota", 1'000, 10, std::chrono::seconds(3'600), {}},
                           {"hour", "quota", 50, 45, std::chrono::seconds(60), {}}, {"elsewhere", "concurrency", 1, 1, {}, {}}};
        const auto rows = endpointRows(state);
        QCOMPARE(rows.front().slots->name, std::string("tight"));
        QCOMPARE(slotsText(rows.front()), QStringLiteral("8 of 8"));
        QCOMPARE(quotaText(rows.front()), QStringLiteral("5 left, resets in 1 min"));
    }

    void statesSayWhatAndForHowLong() {
        auto health = test::endpoint("a:b", 0, 0, 0, 0);
        QCOMPARE(stateWords(health).brief, QStringLiteral("serving"));
        health.circuit = "open";
        health.cause = "rate_limited";
        health.coolsFor = std::chrono::milliseconds(400);
        QCOMPARE(stateWords(health).brief, QStringLiteral("cooling, 1 s left"));
        QVERIFY(stateWords(health).tone == Tone::danger);
        QVERIFY(stateWords(health).full.contains(QStringLiteral("the provider limits the rate")));
        health.circuit = "half_open";
        QCOMPARE(stateWords(health).brief, QStringLiteral("probing"));
        health.drained = true;  // whatever its circuit is
        QCOMPARE(stateWords(health).brief, QStringLiteral("drained"));
        health.credentialReady = false;
        QCOMPARE(stateWords(health).brief, QStringLiteral("no key"));
        health.lacks = "base_url";
        QCOMPARE(stateWords(health).brief, QStringLiteral("no base URL"));
        health.lacks = "proxy_auth_env";
        QCOMPARE(stateWords(health).brief, QStringLiteral("not callable"));
        QVERIFY(stateWords(health).full.contains(QStringLiteral("proxy_auth_env")));
    }

    void staleNumbersSayTheirAgeAndWhy() {
        const auto rows = story();
        const EndpointRow& stale = rows[2];
        QCOMPARE(readingWords(stale).brief, QStringLiteral("not fresh: 40 s old"));
        QVERIFY(readingWords(stale).full.contains(QStringLiteral("The page did not answer within 2 s")));
        QCOMPARE(readingWords(rows[4]).brief, QStringLiteral("2 s old"));
        QCOMPARE(readingWords(rows[1]).brief, QStringLiteral("–"));
    }

    void versionsAreComparedWithThePin() {
        const auto rows = story();
        QCOMPARE(versionWords(rows[4]).brief, QStringLiteral("0.11.2 verified"));
        QCOMPARE(versionWords(rows[2]).brief, QStringLiteral("0.10.1 differs"));
        QVERIFY(versionWords(rows[2]).tone == Tone::caution);
        auto silent = rows[4];
        silent.health.engine->version.reset();
        QCOMPARE(versionWords(silent).brief, QStringLiteral("cannot tell"));
    }

    void sentenceNamesWhatIsWrongAndWhatIsSlow() {
        QCOMPARE(fleetSentence({}), QStringLiteral("The gateway runs, and its policy has no endpoint that could serve."));
        const QString sentence = fleetSentence(story());
        QVERIFY2(sentence.startsWith(QStringLiteral("4 of 6 endpoints serve; lab_b:gemma-4-31b is drained and north:north-large is cooling, 24 s left.")), qPrintable(sentence));
        QVERIFY2(sentence.contains(QStringLiteral("north:north-large, p95 2.90 s of 230 calls")), qPrintable(sentence));
    }

    // One attempt at a time is not what "all serve" means.
    void aProbingEndpointDoesNotFullyServe() {
        auto well = test::endpoint("a:well", 0, 0, 0, 0), probing = test::endpoint("b:ill", 0, 0, 0, 0);
        QCOMPARE(fleetSentence(rowsOf({well, probing})), QStringLiteral("All 2 endpoint(s) serve."));
        probing.circuit = "half_open";
        QCOMPARE(fleetSentence(rowsOf({well, probing})), QStringLiteral("1 of 2 endpoints serve; b:ill is probing."));
    }

    // Errors and reliability are of one window, the times and the calls behind them of another: each says its own.
    void everyNumberSaysItsWindow() {
        Model model;
        auto health = test::endpoint("a:b", 0, 0, 0, 0);
        health.signals.providerAttempts = 14;
        health.signals.providerSuccesses = 0;
        model.set(rowsOf({health}));
        QCOMPARE(cell(model, 0, Model::Errors), QStringLiteral("14"));
        QVERIFY2(cell(model, 0, Model::Reliability).startsWith(QStringLiteral("0")) && cell(model, 0, Model::Reliability).endsWith(QStringLiteral("of 14")), qPrintable(cell(model, 0, Model::Reliability)));
        QCOMPARE(cell(model, 0, Model::Samples), QStringLiteral("0"));
        for (const int column : {Model::Errors, Model::Reliability}) {
            const QString tip = model.index(0, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QStringLiteral("since this gateway's program started")), qPrintable(tip));
        }
        for (const int column : {Model::FirstTokenP50, Model::FirstTokenP95, Model::Samples}) {
            const QString tip = model.index(0, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(tip.contains(QStringLiteral("of the last 15 minutes, else of the last day")), qPrintable(tip));
        }
    }

    // Whoever names an endpoint gets there all the same.
    void anOpenCircuitIsNotCalledAWall() {
        auto health = test::endpoint("a:b", 0, 0, 0, 0);
        health.circuit = "open";
        health.coolsFor = std::chrono::seconds(30);
        QVERIFY2(stateWords(health).full.contains(QStringLiteral("those that name it still go there")), qPrintable(stateWords(health).full));
    }

    void modelKeepsItsPlaceWhileEndpointsStay() {
        Model model;
        const QAbstractItemModelTester tester(&model);
        QSignalSpy resets(&model, &Model::modelReset), changes(&model, &Model::dataChanged);
        model.set(story());
        QCOMPARE(resets.count(), 1);
        auto rows = story();
        rows[0].health.inFlight = 9;
        model.set(rows);
        QCOMPARE(resets.count(), 1);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(cell(model, 0, Model::InFlight), QStringLiteral("9"));
        rows.pop_back();
        model.set(rows);
        QCOMPARE(resets.count(), 2);
    }

    void cellsHaveTextAndRawValueApart() {
        Model model;
        model.set(story());
        QCOMPARE(cell(model, 4, Model::FirstTokenP95), QStringLiteral("480"));
        QCOMPARE(cell(model, 4, Model::KvUse), QStringLiteral("71.0"));
        QCOMPARE(cell(model, 4, Model::PrefixHits), QStringLiteral("42.3"));
        QCOMPARE(cell(model, 5, Model::Reliability), QStringLiteral("75.1 % of 253"));
        QCOMPARE(cell(model, 5, Model::Errors), QStringLiteral("63"));
        QCOMPARE(cell(model, 1, Model::Running), QStringLiteral("–"));
        QVERIFY(!model.index(1, Model::Running).data(SortRole).isValid());
        QCOMPARE(model.index(4, Model::Samples).data(SortRole).toULongLong(), 1'840ULL);
        QCOMPARE(model.index(0, Model::QuotaLeft).data(ToneRole).toInt(), int(Tone::caution));
        for (int column = 0; column < model.columnCount(); ++column)
            QVERIFY2(!model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty(), qPrintable(QString::number(column)));
    }

    void poolCandidatesSayShareOrReason() {
        PoolCandidatesModel model;
        const QAbstractItemModelTester tester(&model);
        model.set(test::routewisePool());
        QCOMPARE(cell(model, 0, PoolCandidatesModel::Share), QStringLiteral("58 %"));
        QCOMPARE(cell(model, 2, PoolCandidatesModel::Share), QStringLiteral("its circuit is open"));
        QCOMPARE(cell(model, 0, PoolCandidatesModel::Cost), QStringLiteral("0.000412"));
        model.set(test::greedyPool());
        QCOMPARE(cell(model, 0, PoolCandidatesModel::Share), QStringLiteral("first"));
        QCOMPARE(cell(model, 1, PoolCandidatesModel::Share), QStringLiteral("100 %"));
    }

    void envelopeNeedsWhatTheParametersSay() {
        config::Model model;
        QVERIFY(!envelopeNeeds(model));
        model.parametersJson = R"({"envelope_min_samples": 200})";
        QCOMPARE(envelopeNeeds(model), std::optional<std::uint64_t>(200));
        model.parametersJson = R"({"cloud": {"envelope_min_samples": 50}})";
        QCOMPARE(envelopeNeeds(model), std::optional<std::uint64_t>(50));
    }

    // What the page offers to copy must be a policy once its providers are there.
    void snippetCanBeRead() {
        const std::string toml = "[providers.my_gpu]\nprotocol = \"simulated\"\nmodels = [\"chat\"]\n[providers.my_cloud]\nprotocol = \"simulated\"\nmodels = [\"chat\"]\n" + ModelsHint::snippet().toStdString();
        const auto read = config::readConfig(toml);
        for (const Finding& finding : read.findings) QVERIFY2(finding.severity != Severity::error, finding.message.c_str());
        QVERIFY(read.config != nullptr);
        QCOMPARE(read.config->models.size(), std::size_t{1});
        QCOMPARE(read.config->models.front().routes.size(), std::size_t{2});
    }

private:
    static std::vector<EndpointRow> rowsOf(std::vector<engine::EndpointHealth> endpoints) {
        FleetState state;
        state.endpoints = std::move(endpoints);
        return endpointRows(state);
    }
    static std::vector<EndpointRow> story() { return endpointRows({test::storyEndpoints(), {}, test::storyResources(), std::chrono::steady_clock::now()}); }
    static QString cell(const QAbstractItemModel& model, int row, int column) { return model.index(row, column).data().toString(); }
};

QTEST_MAIN(EndpointRowsTest)
#include "tst_endpoint_rows.moc"
