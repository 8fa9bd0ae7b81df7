// SPDX-License-Identifier: MIT
#include "tests/ui/pages/endpoints/endpoints_bench.h"
#include "ui/pages/endpoints/endpoint_sheet.h"
#include "ui/pages/endpoints/endpoints_model.h"
#include "ui/pages/endpoints/mix_plot.h"
#include "ui/pages/endpoints/models_hint.h"
#include "ui/pages/endpoints/pool_sheet.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/tone_text.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTimer>
#include <QVBoxLayout>

using namespace signalbox;
using namespace signalbox::ui;
using Kind = TopologyNode::Kind;

class EndpointsPageTest : public QObject, protected test::EndpointsBench {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_harness = std::make_unique<test::PageHarness>(); }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void stoppedGatewayTeachesAndOffersToStart() {
        show(false);
        auto* empty = m_page->findChild<EmptyState*>();
        QVERIFY(empty->isVisible());
        QVERIFY(button(QStringLiteral("Start the gateway")) == nullptr);  // nothing is open that could run
        QTRY_VERIFY(m_answers.contains(QStringLiteral("Nothing serves: the gateway is not running.")));
    }

    void withoutModelsTheHintTeachesThem() {
        m_harness->target->setEndpoints(test::storyEndpoints());
        show();
        auto* hint = m_page->findChild<ModelsHint*>();
        QTRY_VERIFY(hint->isVisible());
        button(QStringLiteral("Copy this for gateway.toml"))->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("[[models.chat.route]]")));
        QVERIFY(m_page->findChild<TopologyView*>()->isVisible());  // endpoints are drawn all the same
    }

    void storyIsDrawnAndListed() {
        tell();
        QTRY_COMPARE(topology()->topology().nodes.size(), std::size_t{10});
        QVERIFY(!m_page->findChild<ModelsHint*>()->isVisible());
        QCOMPARE(table()->model()->rowCount(), 6);
        QVERIFY2(m_answers.last().startsWith(QStringLiteral("4 of 6 endpoints serve")), qPrintable(m_answers.last()));
    }

    void followsOnlyWhileVisible() {
        tell();
        m_page->hide();
        m_harness->target->setPools({});
        m_page->show();
        QTRY_VERIFY(m_page->findChild<ModelsHint*>()->isVisible());
    }

    void keyboardReachesEveryNodeAndOpensIt() {
        tell();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        table()->setFocus();
        topology()->setFocus(Qt::TabFocusReason);
        QCOMPARE(topology()->current(), std::optional<std::size_t>(0));
        QTest::keyClick(topology(), Qt::Key_Return);
        QTRY_VERIFY(sheet<PoolSheet>() != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("assistant"));
        QTest::keyClick(topology(), Qt::Key_Right);
        QTest::keyClick(topology(), Qt::Key_Right);
        QVERIFY(topology()->accessibleDescription().startsWith(QStringLiteral("Endpoint deepseek:deepseek-v4-flash")));
        QTest::keyClick(topology(), Qt::Key_Return);
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        QCOMPARE(m_page->state().value(QStringLiteral("endpoint")).toString(), QStringLiteral("deepseek:deepseek-v4-flash"));
    }

    void rowsAndNodesSelectTheSame() {
        tell();
        const auto* model = m_page->findChild<EndpointsModel*>();
        table()->selectSourceRow(model->rowOf(QStringLiteral("north:north-large")));
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("north:north-large"));
        m_page->open({{QStringLiteral("pool"), QStringLiteral("triage")}});
        QVERIFY(sheet<PoolSheet>() != nullptr);
        QCOMPARE(m_page->state(), (QVariantMap{{QStringLiteral("pool"), QStringLiteral("triage")}}));
    }

    void poolSheetSaysWhatItsStrategyGoesBy() {
        tell();
        m_page->open({{QStringLiteral("pool"), QStringLiteral("assistant")}});
        const QStringList texts = textsOf(m_harness->inspected.get());
        for (const char* expected : {"the fastest mix within the budget", "0.000625 USD a request", "1,000 tokens in, 236 out", "141 of 5,120 requests", "Not calibrated yet: 64 requests seen, more are needed."})
            QVERIFY2(texts.contains(QString::fromLatin1(expected)), expected);
        const auto* plot = m_harness->inspected->findChild<MixPlot*>();
        // Left of it is faster, below it cheaper.
        QVERIFY(plot->pointOf("lab_a:gemma-4-26b")->x() < plot->pointOf("deepseek:deepseek-v4-flash")->x());
        QVERIFY(plot->pointOf("deepseek:deepseek-v4-flash")->y() > plot->budgetY());
        QVERIFY(plot->pointOf("lab_a:gemma-4-26b")->y() < plot->budgetY());
        m_page->open({{QStringLiteral("pool"), QStringLiteral("triage")}});
        const QStringList local = textsOf(m_harness->inspected.get());
        QVERIFY(local.contains(QStringLiteral("6 of 8 requests")));
        QVERIFY(local.contains(QStringLiteral("its first token would come after the deadline")));
    }

    void drainAsksPlainlyAndCanBeTakenBack() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:qwen3.5-9b")}});
        m_harness->inspected->findChild<QPushButton*>(QStringLiteral("drain"))->click();
        QVERIFY(textsOf(banner()).contains(QStringLiteral("Drain lab_b:qwen3.5-9b? It gets no new attempts until somebody takes it back. 6 request(s) in flight there will finish.")));
        QVERIFY(!drained("lab_b:qwen3.5-9b"));  // not before somebody says so
        button(QStringLiteral("Drain lab_b:qwen3.5-9b"))->click();
        QTRY_VERIFY(drained("lab_b:qwen3.5-9b"));
        QTRY_VERIFY(button(QStringLiteral("Take it back")) != nullptr);
        QTRY_COMPARE(m_harness->inspected->findChild<QPushButton*>(QStringLiteral("drain"))->text(), QStringLiteral("Take it back"));
        button(QStringLiteral("Take it back"))->click();
        QTRY_VERIFY(!drained("lab_b:qwen3.5-9b"));
    }

    void dismissedQuestionDoesNothing() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:qwen3.5-9b")}});
        m_harness->inspected->findChild<QPushButton*>(QStringLiteral("circuit"))->click();
        QVERIFY(button(QStringLiteral("Open its circuit")) != nullptr);
        QTest::keyClick(banner(), Qt::Key_Escape);
        QVERIFY(!banner()->isVisible());
        QCOMPARE(circuitOf("lab_b:qwen3.5-9b"), std::string("closed"));
    }

    void closingACircuitAsksNothing() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        m_harness->inspected->findChild<QPushButton*>(QStringLiteral("circuit"))->click();
        QTRY_VERIFY(circuitOf("north:north-large") == "closed");
        QTRY_VERIFY(textsOf(banner()).contains(QStringLiteral("The circuit of north:north-large is closed")));
    }

    // The offer to take it back is about a state; once that is over, by whoever, it goes. A failure stays.
    void anOfferGoesWithWhatItIsAbout() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:gemma-4-31b")}});
        m_harness->inspected->findChild<QPushButton*>(QStringLiteral("drain"))->click();  // it is drained: takes it back
        QTRY_VERIFY(button(QStringLiteral("Drain it again")) != nullptr);
        QTRY_COMPARE(m_harness->inspected->findChild<QPushButton*>(QStringLiteral("drain"))->text(), QStringLiteral("Drain…"));
        QVERIFY(banner()->isVisible());
        QVERIFY(m_harness->target->act("lab_b:gemma-4-31b", engine::EndpointAction::drain).has_value());  // somebody else
        QTRY_VERIFY(!banner()->isVisible());
    }

    void anOfferGoesAfterAWhileAndAFailureDoesNot() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        auto* circuit = m_harness->inspected->findChild<QPushButton*>(QStringLiteral("circuit"));
        circuit->click();
        QTRY_VERIFY(button(QStringLiteral("Open it again")) != nullptr);
        auto* ends = m_page->findChild<QTimer*>(QStringLiteral("offerEnds"));
        QVERIFY(ends != nullptr && ends->isActive() && ends->intervalAsDuration() >= std::chrono::minutes(1));
        m_harness->target->failNext({ErrorKind::conflict, "the gateway does not run", {}, "Start it."});
        button(QStringLiteral("Open it again"))->click();
        QTRY_COMPARE(banner()->error().hint, std::string("Start it."));
        ends->start(0);
        QTRY_VERIFY(!ends->isActive());
        QVERIFY(banner()->isVisible());

        button(QStringLiteral("Try again"))->click();
        QTRY_VERIFY(button(QStringLiteral("Close it again")) != nullptr);
        QTest::mouseMove(banner());
        QTRY_VERIFY(banner()->underMouse());
        ends->start(0);
        QTRY_VERIFY(ends->isActive() && ends->interval() > 0);  // not from under the pointer
        QVERIFY(banner()->isVisible());
        QTest::mouseMove(table());
        QTRY_VERIFY(!banner()->underMouse());
        ends->start(0);
        QTRY_VERIFY(!banner()->isVisible());
    }

    // What was closed beside it comes back by another click on its row.
    void aClickOnTheChosenRowBringsItsSheetBack() {
        tell();
        const auto* model = m_page->findChild<EndpointsModel*>();
        const QModelIndex cell = table()->model()->index(model->rowOf(QStringLiteral("north:north-large")), 0);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        m_harness->inspected.reset();  // closed
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(cell).center());
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("north:north-large"));
    }

    // In the narrowest inspector as well.
    void noWordOfASheetIsCutOff() {
        QScrollArea area;
        area.setWidgetResizable(true);
        area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area.setFrameShape(QFrame::NoFrame);
        area.resize(300, 780);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        auto* canvas = new QWidget;
        auto* layout = new QVBoxLayout(canvas);
        layout->setContentsMargins(Theme::kMargin, Theme::kGap, Theme::kMargin, Theme::kMargin);
        auto* sheet = new EndpointSheet;
        FleetState state;
        state.endpoints = test::storyEndpoints();
        state.readSteady = std::chrono::steady_clock::now();
        for (const EndpointRow& row : endpointRows(state))
            if (row.health.endpointId == "lab_a:gemma-4-26b") sheet->show(row);
        layout->addWidget(sheet);
        layout->addStretch();
        area.setWidget(canvas);
        canvas->show();
        QTest::qWait(50);
        for (const auto* text : sheet->findChildren<ToneText*>())
            QVERIFY2(text->height() >= text->heightForWidth(text->width()), qPrintable(QStringLiteral("%1 of %2 at %3: %4").arg(text->height()).arg(text->heightForWidth(text->width())).arg(text->width()).arg(text->text())));
    }

    // A circuit goes its way by itself, and its words get longer; who is about to click hits what stood there.
    void buttonsStayUnderThePointer() {
        // As the inspector has it: no higher than it needs to be.
        QScrollArea area;
        area.setWidgetResizable(true);
        auto* canvas = new QWidget;
        auto* layout = new QVBoxLayout(canvas);
        auto* sheet = new EndpointSheet;
        layout->addWidget(sheet);
        layout->addStretch();
        area.setWidget(canvas);
        area.resize(330, 700);
        auto health = test::endpoint("north:north-large", 0, 640, 2'900, 230);
        health.circuit = "open";
        health.cause = "rate_limited";
        health.coolsFor = std::chrono::seconds(24);
        const auto tellSheet = [sheet, &health] {
            FleetState state;
            state.endpoints = {health};
            sheet->show(endpointRows(state).front());
            QCoreApplication::processEvents();
        };
        tellSheet();
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        const auto placeOf = [sheet](const char* name) { return sheet->findChild<QPushButton*>(QLatin1String(name))->geometry(); };
        const auto places = [placeOf] { return std::pair(placeOf("drain"), placeOf("circuit")); };
        const auto before = places();
        const auto* state = sheet->findChild<ToneText*>();
        const int height = state->height();
        for (const char* circuit : {"half_open", "closed", "open"}) {
            health.circuit = circuit;
            tellSheet();
            if (health.circuit == "closed") QTRY_VERIFY(state->height() != height);  // which is said in fewer lines
            QVERIFY2(places() == before, circuit);
        }
    }

    void failedActionIsShownWithAWayToTryAgain() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        m_harness->target->failNext({ErrorKind::conflict, "the gateway does not run", {}, "Start it."});
        m_harness->inspected->findChild<QPushButton*>(QStringLiteral("circuit"))->click();
        QTRY_COMPARE(banner()->error().hint, std::string("Start it."));
        button(QStringLiteral("Try again"))->click();
        QTRY_VERIFY(circuitOf("north:north-large") == "closed");
    }

    void anAnswerOfTheLastGatewayOffersNothingOnTheNext_data() {
        QTest::addColumn<bool>("fails");
        QTest::newRow("done") << false;
        QTest::newRow("failed") << true;
    }
    void anAnswerOfTheLastGatewayOffersNothingOnTheNext() {
        QFETCH(bool, fails);
        tell();
        const auto other = std::make_shared<test::FakeTarget>();
        test::tellStory(*other);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        if (fails) m_harness->target->failNext({ErrorKind::conflict, "the gateway does not run", {}, "Start it."});
        m_harness->inspected->findChild<QPushButton*>(QStringLiteral("circuit"))->click();
        m_harness->bridge.lookAt(other);  // the answer waits in the event loop meanwhile
        const QString expected = fails ? QStringLiteral("the gateway does not run") : QStringLiteral("The circuit of north:north-large is closed, on local");
        QTRY_VERIFY2(!m_harness->sayings.filter(expected).isEmpty(), qPrintable(m_harness->sayings.join(QLatin1Char('|'))));
        QVERIFY(!banner()->isVisible());
        QVERIFY(button(QStringLiteral("Try again")) == nullptr && button(QStringLiteral("Open it again")) == nullptr);
        QCOMPARE(circuitOf("north:north-large"), std::string(fails ? "open" : "closed"));
        for (const auto& one : other->endpoints()) QVERIFY2(one.endpointId != "north:north-large" || one.circuit == "open", "nothing was done there");
    }

    void circuitHistoryComesFromTheEventsOfTheRange() {
        const Timestamp now = format::now();
        const auto event = [&](evidence::EventKind kind, const char* subject, std::chrono::minutes ago) {
            evidence::Event made;
            made.kind = kind;
            made.subject = subject;
            made.createdAt = now - ago;
            return made;
        };
        m_harness->target->setEvents({event(evidence::EventKind::circuitOpened, "north:north-large", std::chrono::minutes(50)), event(evidence::EventKind::circuitOpened, "lab_b:qwen3.5-9b", std::chrono::minutes(40)),
                                      event(evidence::EventKind::circuitClosed, "north:north-large", std::chrono::minutes(20)), event(evidence::EventKind::apply, "north:north-large", std::chrono::minutes(10))});
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        const auto lines = [&](const char* begins) { return textsOf(m_harness->inspected.get()).filter(QRegularExpression(QStringLiteral("^%1: ").arg(QLatin1String(begins)))).size(); };
        QTRY_COMPARE(lines("Circuit opened"), 1);
        QCOMPARE(lines("Circuit closed"), 1);
        QCOMPARE(lines("Policy applied"), 0);
    }

    void inspectorFollowsWhatRuns() {
        tell();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:qwen3.5-9b")}});
        auto* before = sheet<EndpointSheet>();
        auto endpoints = test::storyEndpoints();
        endpoints[4].inFlight = 7;
        m_harness->target->setEndpoints(endpoints);
        QTRY_VERIFY(textsOf(before).contains(QStringLiteral("7")));
        QCOMPARE(sheet<EndpointSheet>(), before);  // in place: nobody loses focus
    }

    // An endpoint of the same name may be in the history here; it is another one.
    void theHistoryHereTellsNothingOfAnotherGatewaysEndpoint() {
        tell();
        const auto theirs = std::make_shared<test::FakeTarget>();
        test::tellStory(*theirs);
        engine::TargetStatus status = theirs->status();
        status.name = "prod-a";
        status.remote = true;
        status.state = engine::GatewayState::running;
        theirs->setStatus(status);
        m_harness->bridge.lookAt(theirs);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:qwen3.5-9b")}});
        QTRY_VERIFY(sheet<EndpointSheet>() != nullptr);
        auto* decisions = sheet<EndpointSheet>()->findChild<QPushButton*>(QStringLiteral("decisions"));
        QVERIFY(decisions != nullptr && !decisions->isEnabled());
        const QString why = QStringLiteral("Only the history of this console's own workspace is read here, not one that prod-a keeps.");
        QVERIFY(textsOf(sheet<EndpointSheet>()).contains(why));
        QTRY_VERIFY(!textsOf(sheet<EndpointSheet>()).contains(QStringLiteral("Asking the history…")));
        m_harness->view.setLive(std::chrono::seconds(600));  // another range asks nothing either
        QTest::qWait(50);
        QVERIFY(textsOf(sheet<EndpointSheet>()).contains(why));
        m_harness->bridge.lookAt(nullptr);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:qwen3.5-9b")}});
        QTRY_VERIFY(sheet<EndpointSheet>() != nullptr && sheet<EndpointSheet>()->findChild<QPushButton*>(QStringLiteral("decisions"))->isEnabled());
    }

    // The gateway that is looked at may be the one that records what is read here.
    void anObservingConsoleShowsWhatIsRecordedForItsWorkspace() {
        tell();
        engine::TargetStatus own = m_harness->target->status();
        own.evidence.state = evidence::StoreState::off;
        own.evidence.lastError = "another gateway records here: pid 7";
        own.evidence.where = "journal of another process in /state/journal";
        m_harness->target->setStatus(own);
        evidence::Event opened;
        opened.kind = evidence::EventKind::circuitOpened;
        opened.subject = "lab_b:qwen3.5-9b";
        opened.createdAt = format::now() - std::chrono::minutes(5);
        m_harness->target->setEvents({opened});
        const auto theirs = std::make_shared<test::FakeTarget>();
        test::tellStory(*theirs);
        engine::TargetStatus status = theirs->status();
        status.state = engine::GatewayState::running;
        theirs->setStatus(status);
        m_harness->bridge.lookAt(theirs);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("lab_b:qwen3.5-9b")}});
        QTRY_VERIFY(sheet<EndpointSheet>() != nullptr);
        QTRY_COMPARE(textsOf(sheet<EndpointSheet>()).filter(QRegularExpression(QStringLiteral("^Circuit opened: "))).size(), 1);
        QCOMPARE(textsOf(sheet<EndpointSheet>()).filter(QStringLiteral("as recorded for this workspace")).size(), 1);
        QVERIFY(sheet<EndpointSheet>()->findChild<QPushButton*>(QStringLiteral("decisions"))->isEnabled());
    }

    void paletteActionsNeedASelection() {
        tell();
        for (QAction* action : m_page->pageActions()) QVERIFY(!action->isEnabled());
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        for (QAction* action : m_page->pageActions()) QVERIFY(action->isEnabled());
        QStringList found;
        for (const auto& findable : m_page->findables()) found << findable.label;
        QVERIFY(found.contains(QStringLiteral("triage")) && found.contains(QStringLiteral("batch:plan-5h")));
    }
};

QTEST_MAIN(EndpointsPageTest)
#include "tst_endpoints_page.moc"
