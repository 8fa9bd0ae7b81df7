// SPDX-License-Identifier: MIT
// What the gateway page says of requests under way and of refused ones, of a gateway that has told them and of one that has not.
#include "tests/support/page_harness.h"
#include "ui/models/live_decisions_model.h"
#include "ui/pages/gateway/gateway_page.h"
#include "ui/pages/gateway/refusals_model.h"
#include "ui/pages/gateway/running_view.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/receipt/receipt_view.h"
#include "ui/widgets/table_view.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class GatewayPageTest : public QObject {
    Q_OBJECT

    struct Scene : test::PageFixture<GatewayPage> {
        Scene() {
            auto status = harness.target->status();
            status.state = engine::GatewayState::running;
            harness.target->setStatus(status);
            FastRandom random(5);
            request.id = DecisionId::make(format::now(), random);
            request.createdAt = format::now();
            request.admittedAt = SystemClock().steady() - std::chrono::seconds(60);
            request.requestedModel = "auto";
            request.stage = evidence::Stage::waiting;
            request.endpointId = "lab:m";
            request.attempts = 1;
            table = page->findChild<TableView*>(QStringLiteral("liveDecisions"));
        }
        void tell(std::uint64_t leftOut = 0) { harness.target->setRequests({{request}, leftOut, engine::RequestsUnderWay::Told::told}); }
        [[nodiscard]] QString cell(int row, int column) const { return table->model()->index(row, column).data().toString(); }
        [[nodiscard]] bool says(const QString& part) const {
            const auto labels = page->findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->isVisibleTo(page.get()) && label->text().contains(part); });
        }

        evidence::RunningRequest request;
        TableView* table;
    };
    using Live = LiveDecisionsModel;

    static engine::RefusalCount refused(const char* code, std::uint64_t count, const char* peer, const char* agent = "", const char* principal = "") {
        return {code, "Send the token.", count, format::now(), peer, agent, principal};
    }

private Q_SLOTS:
    void aRequestIsShownBeforeItEnds() {
        Scene scene;
        scene.tell();
        scene.page->show();
        QTRY_COMPARE(scene.table->model()->rowCount(), 1);
        QVERIFY2(scene.cell(0, Live::OutcomeColumn).startsWith(QStringLiteral("waiting 1 min")), qPrintable(scene.cell(0, Live::OutcomeColumn)));
        QCOMPARE(scene.cell(0, Live::FirstToken), format::none());
        scene.table->selectSourceRow(0);
        auto* view = qobject_cast<RunningView*>(scene.harness.inspected.get());
        QVERIFY(view != nullptr);
        // It goes on, in the table and in the inspector.
        scene.request.stage = evidence::Stage::streaming;
        scene.request.firstContentMs = 840;
        scene.tell();
        QTRY_VERIFY(scene.cell(0, Live::OutcomeColumn).startsWith(QStringLiteral("streaming")));
        QCOMPARE(scene.cell(0, Live::FirstToken), QStringLiteral("840"));
        QVERIFY(scene.harness.inspected.get() == view);
        QCOMPARE(scene.control<QLabel>(QStringLiteral("runningFirstToken"))->text(), QStringLiteral("840 ms"));
        const QString before = scene.control<QLabel>(QStringLiteral("runningAge"))->text();
        QTRY_VERIFY(scene.control<QLabel>(QStringLiteral("runningAge"))->text() != before);
        // It ends: the same row, chosen still, and its receipt.
        evidence::DecisionRecord record;
        record.id = scene.request.id;
        record.createdAt = scene.request.createdAt;
        record.requestedModel = "auto";
        scene.harness.target->setRequests({{}, 0, engine::RequestsUnderWay::Told::told});
        scene.harness.target->decide(record);
        QTRY_COMPARE(scene.cell(0, Live::OutcomeColumn), QStringLiteral("served"));
        QCOMPARE(scene.table->model()->rowCount(), 1);
        QCOMPARE(scene.table->currentSourceRow(), 0);
        QVERIFY(scene.table->selectionModel()->isRowSelected(0));
        const auto* receipt = qobject_cast<ReceiptView*>(scene.harness.inspected.get());
        QVERIFY(receipt != nullptr);
        QCOMPARE(receipt->record()->id, scene.request.id);
    }

    void theChosenOneStaysChosenAmongOthers() {
        Scene scene;
        evidence::RunningRequest other = scene.request;
        FastRandom random(6);
        other.id = DecisionId::make(format::now(), random);
        other.requestedModel = "other";
        scene.harness.target->setRequests({{scene.request, other}, 0, engine::RequestsUnderWay::Told::told});
        scene.page->show();
        QTRY_COMPARE(scene.table->model()->rowCount(), 2);
        scene.table->selectSourceRow(0);
        QCOMPARE(scene.cell(0, Live::Model), QStringLiteral("other"));
        evidence::DecisionRecord record;
        record.id = other.id;
        record.requestedModel = "other";
        scene.harness.target->decide(record);
        QTRY_COMPARE(scene.cell(1, Live::OutcomeColumn), QStringLiteral("served"));
        QCOMPARE(scene.table->currentSourceRow(), 1);  // below the one that goes on
        QVERIFY(scene.table->selectionModel()->isRowSelected(1) && !scene.table->selectionModel()->isRowSelected(0));
    }

    void enterOnOneUnderWayOpensNoHistory() {
        Scene scene;
        scene.tell();
        scene.page->show();
        QTRY_COMPARE(scene.table->model()->rowCount(), 1);
        scene.table->selectSourceRow(0);
        QTest::keyClick(scene.table, Qt::Key_Return);
        QVERIFY(scene.harness.visits.empty());
        QVERIFY(qobject_cast<RunningView*>(scene.harness.inspected.get()) != nullptr);
    }

    void howManyAreNotShownIsSaid() {
        Scene scene;
        scene.tell(41);
        scene.page->show();
        QTRY_VERIFY(scene.says(QStringLiteral("42 under way, of which the oldest 1 are shown")));
        scene.tell();
        QTRY_VERIFY(scene.says(QStringLiteral("1 under way; newest first")));
    }

    void anOlderGatewayTellsOfWhatEnded() {
        Scene scene;
        scene.harness.target->setRequests({{}, 0, engine::RequestsUnderWay::Told::never});
        scene.page->show();
        QTRY_VERIFY(scene.says(QStringLiteral("this gateway's version tells of requests when they have ended")));
        QVERIFY(scene.harness.sayings.isEmpty());
    }

    void nobodyIsAskedWhileThePageIsHidden() {
        Scene scene;
        scene.tell();
        const auto pace = scene.harness.bridge.fleet().follow();  // is read as often
        QSignalSpy seconds(&scene.harness.bridge.fleet(), &Fleet::changed);
        QTRY_VERIFY(seconds.count() >= 2);
        QCOMPARE(scene.harness.target->requestsAsked(), 0);
        scene.page->show();
        QTRY_COMPARE(scene.table->model()->rowCount(), 1);
        scene.page->hide();
        const int asked = scene.harness.target->requestsAsked();
        seconds.clear();
        QTRY_VERIFY(seconds.count() >= 2);
        QVERIFY(scene.harness.target->requestsAsked() <= asked + 1);  // one may have been on its way
    }

    void noneIsSaidOnceItIsKnown() {
        test::PageFixture<GatewayPage> fixture;
        fixture.page->show();
        QSignalSpy answers(fixture.page.get(), &Page::answerChanged);
        const auto says = [&](const char* words) { return !answers.isEmpty() && answers.last().first().toString().startsWith(QLatin1String(words)); };
        const auto theirs = std::make_shared<test::FakeTarget>();
        auto status = theirs->status();
        status.state = engine::GatewayState::running;
        status.remote = true;
        theirs->setStatus(status);
        theirs->setKnownLists({.refusals = false});
        fixture.harness.bridge.lookAt(theirs);
        QTRY_VERIFY(says("What was refused is not known yet."));
        QVERIFY(fixture.showsText(QStringLiteral("Not known yet")) && !fixture.showsText(QStringLiteral("No request was refused in the last hour")));
        theirs->setKnownLists({});
        QTRY_VERIFY(says("None was refused in the last hour."));
        QVERIFY(fixture.showsText(QStringLiteral("No request was refused in the last hour")));
        QVERIFY(fixture.showsText(QStringLiteral("in the last hour")));
        theirs->setRefusals({{"invalid_token", "Send the token.", 2, format::now()}});
        QTRY_VERIFY(says("2 request(s) refused in the last hour; "));
    }

    void theMostBrokenClientIsNamed() {
        Scene scene;
        scene.page->show();
        QSignalSpy answers(scene.page.get(), &Page::answerChanged);
        const auto says = [&](const char* words) { return !answers.isEmpty() && answers.last().first().toString().startsWith(QLatin1String(words)); };
        scene.harness.target->setRefusals({refused("invalid_token", 5, "192.0.2.7", "OpenAI/JS 4.20.0")});
        QTRY_VERIFY(says("5 request(s) refused in the last hour, all from 192.0.2.7 (OpenAI/JS 4.20.0); see"));
        // Two reasons of one client weigh more than one of another; those who are not told apart are no client.
        auto others = refused("invalid_token", 9, "", "");
        others.others = true;
        scene.harness.target->setRefusals({refused("invalid_token", 5, "192.0.2.7", "OpenAI/JS 4.20.0"), others, refused("invalid_json", 3, "192.0.2.8", "curl/8.5.0", "batch"), refused("not_allowed", 4, "192.0.2.8", "curl/8.5.0", "batch")});
        QTRY_VERIFY(says("21 request(s) refused in the last hour, 7 of them from batch at 192.0.2.8 (curl/8.5.0); see"));
        auto* table = scene.view<TableView>(QStringLiteral("Refused requests by reason and client"));
        QVERIFY(table != nullptr);
        QStringList clients;
        for (int row = 0; row < table->model()->rowCount(); ++row) clients << table->model()->index(row, RefusalsModel::Client).data().toString();
        QCOMPARE(clients, QStringList({QStringLiteral("other clients"), QStringLiteral("192.0.2.7 (OpenAI/JS 4.20.0)"), QStringLiteral("batch at 192.0.2.8 (curl/8.5.0)"), QStringLiteral("batch at 192.0.2.8 (curl/8.5.0)")}));
    }

    void theChosenClientStaysChosen() {
        Scene scene;
        scene.page->show();
        auto* table = scene.view<TableView>(QStringLiteral("Refused requests by reason and client"));
        QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto client = [&](int row) { return table->model()->index(row, RefusalsModel::Client).data().toString(); };
        scene.harness.target->setRefusals({refused("invalid_token", 5, "192.0.2.7"), refused("invalid_token", 3, "192.0.2.8"), refused("invalid_token", 1, "192.0.2.9")});
        QTRY_COMPARE(table->model()->rowCount(), 3);
        table->selectSourceRow(1);
        // It becomes the most frequent, another falls out, and a new one comes.
        scene.harness.target->setRefusals({refused("invalid_token", 5, "192.0.2.7"), refused("invalid_token", 8, "192.0.2.8"), refused("invalid_token", 6, "192.0.2.10")});
        QTRY_COMPARE(client(0), QStringLiteral("192.0.2.8"));
        QCOMPARE(client(1), QStringLiteral("192.0.2.10"));
        QCOMPARE(client(2), QStringLiteral("192.0.2.7"));
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(table->currentSourceRow(), 0);
        QVERIFY(table->selectionModel()->isRowSelected(0) && !table->selectionModel()->isRowSelected(1));
        // The last hour was quiet.
        scene.harness.target->setRefusals({});
        QTRY_COMPARE(table->model()->rowCount(), 0);
        // Whatever a gateway elsewhere says.
        scene.harness.target->setRefusals({refused("invalid_token", 2, "192.0.2.7"), refused("invalid_token", 1, "192.0.2.7")});
        QTRY_COMPARE(table->model()->rowCount(), 2);
        scene.harness.target->setRefusals({refused("invalid_token", 2, "192.0.2.7")});
        QTRY_COMPARE(table->model()->rowCount(), 1);
    }

    void theInspectorNamesTheClient() {
        Scene scene;
        scene.page->show();
        auto* table = scene.view<TableView>(QStringLiteral("Refused requests by reason and client"));
        auto rest = refused("invalid_json", 1, "", "");
        rest.others = true;
        scene.harness.target->setRefusals({refused("invalid_token", 5, "192.0.2.7", "OpenAI/JS 4.20.0"), refused("not_allowed", 3, "192.0.2.8", "", "batch"), rest});
        QTRY_COMPARE(table->model()->rowCount(), 3);
        const auto shows = [&](const char* words) {
            const auto labels = scene.harness.inspected->findChildren<QLabel*>();
            const auto lines = scene.harness.inspected->findChildren<ElidedLabel*>();
            return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text() == QLatin1String(words); }) ||
                   std::any_of(lines.begin(), lines.end(), [&](const ElidedLabel* line) { return line->text() == QLatin1String(words); });
        };
        table->selectSourceRow(0);
        QVERIFY(scene.harness.inspected != nullptr);
        QVERIFY(shows("192.0.2.7") && shows("OpenAI/JS 4.20.0") && shows("not known: refused before its token told"));
        table->selectSourceRow(1);
        QVERIFY(shows("192.0.2.8") && shows("batch"));
        table->selectSourceRow(2);
        QVERIFY(shows("More clients than are told apart; these are the rest."));
    }

    void countsOfAnOlderGatewayAreSinceItStarted() {
        Scene scene;
        scene.page->show();
        QSignalSpy answers(scene.page.get(), &Page::answerChanged);
        auto older = refused("invalid_token", 5, "");
        older.sinceStart = true;
        scene.harness.target->setRefusals({older});
        QTRY_VERIFY(!answers.isEmpty() && answers.last().first().toString().startsWith(QStringLiteral("5 request(s) refused since the gateway started; see")));
        QVERIFY(scene.showsText(QStringLiteral("since the gateway started")) && !scene.showsText(QStringLiteral("in the last hour")));
        QCOMPARE(scene.view<TableView>(QStringLiteral("Refused requests by reason and client"))->model()->index(0, RefusalsModel::Client).data().toString(), format::none());
    }
};

QTEST_MAIN(GatewayPageTest)
#include "tst_gateway_page.moc"
