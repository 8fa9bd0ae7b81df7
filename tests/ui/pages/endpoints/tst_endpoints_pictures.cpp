// SPDX-License-Identifier: MIT
// Pictures of the endpoints page with a fleet that tells a story: the inspector open on an endpoint and on each kind of
// pool, the inspector closed, the engines' own numbers, a narrow window, a question, and the empty states.
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "tests/visual/page_pictures.h"
#include "ui/pages/endpoints/topology_view.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/receipt/receipt_view.h"

#include <QAction>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class EndpointsPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    EndpointsPicturesTest() : PagePictures(QStringLiteral("endpoints")) {}

protected:
    void prepare() override {
        test::tellStory(*console().target);
        std::vector<evidence::Event> events;
        for (const int minutes : {190, 120, 20}) {
            evidence::Event event;
            event.kind = evidence::EventKind::circuitOpened;
            event.subject = "north:north-large";
            event.createdAt = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now()) - std::chrono::minutes(minutes);
            events.push_back(event);
            event.kind = evidence::EventKind::circuitClosed;
            event.createdAt += std::chrono::minutes(2);
            if (minutes != 20) events.push_back(event);
        }
        console().target->setEvents(events);
    }

private Q_SLOTS:
    void states() {
        begin();
        look({{QStringLiteral("pool"), QStringLiteral("assistant")}});
        QTRY_VERIFY(window().findChild<QWidget*>(QStringLiteral("poolSheet")) != nullptr);
        console().settle();
        save(QStringLiteral("pool"));
        look({{QStringLiteral("pool"), QStringLiteral("triage")}});
        save(QStringLiteral("local"));
        look({{QStringLiteral("endpoint"), QStringLiteral("lab_a:gemma-4-26b")}});
        save(QStringLiteral("endpoint"));
        look({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        save(QStringLiteral("cooling"));
        window().findChild<QPushButton*>(QStringLiteral("drain"))->click();
        console().settle();
        save(QStringLiteral("question"));
        window().currentPage()->findChild<ErrorBanner*>()->dismiss();  // the window need not be the active one any more

        inspectorShown(false);
        console().settle();
        save(QStringLiteral("wide"));
        tabs()->setCurrentIndex(1);
        console().settle();
        save(QStringLiteral("engines"));
        tabs()->setCurrentIndex(0);
        inspectorShown(true);
        window().resize(1100, 760);
        console().settle();
        save(QStringLiteral("narrow"));

        look({{QStringLiteral("pool"), QStringLiteral("a-model-of-an-earlier-policy")}});
        save(QStringLiteral("gone-narrow"));
        window().resize(1440, 900);
        look({{QStringLiteral("endpoint"), QStringLiteral("lab_c:a-model-of-an-earlier-policy")}});
        save(QStringLiteral("gone"));
        look({{QStringLiteral("endpoint"), QStringLiteral("lab_b:a-model-that-is-not-listed")}});
        save(QStringLiteral("not-listed"));
        showSimulator();
        showReceipt();
        look();
        console().target->setPools({});
        QTRY_VERIFY(topology()->topology().nodes.front().kind != TopologyNode::Kind::model);
        console().settle();
        save(QStringLiteral("no-models"));
        console().target->setEndpoints({});
        QTRY_VERIFY(console().bridge->fleet().state().endpoints.empty());
        window().currentPage()->findChild<ErrorBanner*>()->dismiss();
        console().settle();
        save(QStringLiteral("no-endpoints"));
        console().target->setKnownLists({.endpoints = false, .pools = false});
        QTRY_VERIFY(!console().bridge->fleet().state().endpointsTold);
        console().settle();
        save(QStringLiteral("not-told"));
        console().target->setKnownLists({});
        test::tellStory(*console().target);
        QTRY_VERIFY(topology()->topology().nodes.front().kind == TopologyNode::Kind::model);
    }

private:
    static evidence::RecordedPool choice() {
        evidence::RecordedPool pool;
        pool.poolId = "assistant";
        pool.router = "routewise";
        pool.drawn = "deepseek:deepseek-v4-flash";
        pool.affinity = "none";
        for (const auto& member : test::routewisePool().members) pool.candidates.push_back({member.endpointId, member.excluded, member.costUsd, member.meanTtftMs, member.share});
        pool.candidatesTotal = 4;
        pool.mixStatus = "optimal";
        pool.budgetUsd = pool.expectedCostUsd = 0.000625;
        pool.objectiveS = 0.398;
        pool.predictedOutputTokens = 236;
        return pool;
    }
    void showSimulator() {
        dispatch::PoolForecast forecast;
        forecast.choice = choice();
        forecast.hedge = dispatch::HedgePlanView{2'000, {250, 500, 750, 1'000}, 1'000, "lab_a:gemma-4-26b", 0.93};
        console().target->setForecast(forecast);
        window().go(QStringLiteral("simulator"), {{QStringLiteral("model"), QStringLiteral("assistant")}});
        QTRY_VERIFY(window().findChild<QWidget*>(QStringLiteral("poolPanel"))->isVisible());
        console().settle();
        save(QStringLiteral("simulator"));
    }
    void showReceipt() {
        auto record = std::make_shared<evidence::DecisionRecord>(console().records->back());
        record->requestedModel = "assistant";
        record->resolvedBy = "model_router";
        record->group.reset();
        record->rules.clear();
        record->reason.clear();
        record->coverage = "none";
        record->pool = choice();
        record->pool->hedge = "won";
        record->pool->hedgeAtMs = 1'000;
        record->endpointId = "lab_a:gemma-4-26b";
        record->outcome = evidence::Outcome::served;
        record->totalMs = 3'400;
        record->firstContentMs = 1'180;
        record->attempts = {{.endpointId = "deepseek:deepseek-v4-flash", .outcome = evidence::AttemptOutcome::cancelled, .reason = "hedge_lost", .startedMs = 1, .endedMs = 1'181, .inputTokens = 820, .costUsd = 0.000229},
                            {.endpointId = "lab_a:gemma-4-26b", .role = evidence::AttemptRole::hedge, .outcome = evidence::AttemptOutcome::served, .status = 200, .startedMs = 1'001, .firstContentMs = 1'180, .endedMs = 3'400,
                             .inputTokens = 820, .outputTokens = 212, .costUsd = 0.000388}};
        ReceiptView view(ReceiptView::Columns::two);
        view.setRecord(record, console().document->workspace());
        view.setAutoFillBackground(true);
        view.resize(1100, 1500);  // nothing behind an edge
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        save(QStringLiteral("receipt"), Checks::all, &view);
    }
    [[nodiscard]] TopologyView* topology() const { return window().findChild<TopologyView*>(); }
    void inspectorShown(bool shown) {
        for (auto* action : window().actions())
            if (action->objectName() == QLatin1String("view.inspector") && action->isChecked() != shown) action->trigger();
    }
    [[nodiscard]] QTabBar* tabs() const {
        for (auto* bar : window().findChildren<QTabBar*>())
            if (bar->accessibleName() == QLatin1String("Whose numbers")) return bar;
        return nullptr;
    }
};

QTEST_MAIN(EndpointsPicturesTest)
#include "tst_endpoints_pictures.moc"
