// SPDX-License-Identifier: MIT
// Links to what is not there: gone with an earlier policy, not told yet by the gateway, or not read since the page was opened.
#include "tests/ui/pages/endpoints/endpoints_bench.h"
#include "ui/pages/endpoints/endpoint_sheet.h"
#include "ui/pages/endpoints/models_hint.h"
#include "ui/pages/endpoints/pool_sheet.h"

#include <QAction>
#include <QSignalSpy>

using namespace signalbox;
using namespace signalbox::ui;

class EndpointsLinksTest : public QObject, protected test::EndpointsBench {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_harness = std::make_unique<test::PageHarness>(); }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    // What was not told yet is not called none: the status line says that it runs.
    void aGatewayThatHasToldNothingYetIsNotOneWithoutEndpoints() {
        m_harness->target->setKnownLists({.endpoints = false, .pools = false});
        show();
        m_page->open({{QStringLiteral("pool"), QStringLiteral("triage")}});
        QTRY_VERIFY(m_harness->bridge.fleet().wasRead());
        QCOMPARE(m_answers.last(), QStringLiteral("The gateway runs; it is being asked for its endpoints…"));
        QVERIFY(!m_page->findChild<ModelsHint*>()->isVisible());
        QVERIFY(!banner()->isVisible());
        QVERIFY(textsOf(table()).contains(QStringLiteral("The gateway is being asked for its endpoints.")));
        m_harness->target->setKnownLists({});
        QTRY_COMPARE(m_answers.last(), QStringLiteral("The gateway runs, and its policy has no endpoint that could serve."));
        QVERIFY(m_page->findChild<ModelsHint*>()->isVisible());
        QVERIFY(textsOf(table()).first().startsWith(QStringLiteral("The running policy has no endpoint.")));
        QVERIFY(textsOf(banner()).contains(QStringLiteral("The pool triage is no longer in the running policy.")));
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("old:model")}});  // nor has it any
        QVERIFY(textsOf(banner()).contains(QStringLiteral("old:model is no longer in the running policy.")));
    }

    // A link from the history may name one that the policy no longer has: nothing of another one may stand for it.
    void anEndpointOfAnEarlierPolicyIsSaidToBeGone() {
        tell();
        const QString known = QStringLiteral("north:north-large");
        const auto isTold = [this](const QString& endpoint) {
            return banner()->isVisible() && textsOf(banner()).contains(QStringLiteral("%1 is no longer in the running policy.").arg(endpoint));
        };
        m_page->open({{QStringLiteral("endpoint"), known}});
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("old:model")}});
        QVERIFY(m_harness->inspected == nullptr);
        QVERIFY(m_page->state().isEmpty());
        QVERIFY(!table()->selectionModel()->hasSelection());
        for (const QAction* action : m_page->pageActions()) QVERIFY(!action->isEnabled());
        QVERIFY2(isTold(QStringLiteral("old:model")), qPrintable(textsOf(banner()).join(QLatin1Char('|'))));
        m_harness->view.setLive(std::chrono::seconds(600));  // no sheet is left to fill
        m_harness->target->setEndpoints(test::storyEndpoints());
        QTest::qWait(50);
        QVERIFY(m_harness->inspected == nullptr && isTold(QStringLiteral("old:model")));

        m_page->open({{QStringLiteral("endpoint"), known}});
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        QVERIFY(!banner()->isVisible());
        for (const QAction* action : m_page->pageActions()) QVERIFY(action->isEnabled());
        // Taken away while it is looked at.
        auto endpoints = test::storyEndpoints();
        std::erase_if(endpoints, [](const auto& one) { return one.endpointId == "north:north-large"; });
        m_harness->target->setEndpoints(endpoints);
        QTRY_VERIFY(isTold(known));
        QVERIFY(m_harness->inspected == nullptr && m_page->state().isEmpty());
        m_page->open({{QStringLiteral("pool"), QStringLiteral("triage")}});
        QVERIFY(sheet<PoolSheet>() != nullptr && !banner()->isVisible());
    }

    void aPoolOfAnEarlierPolicyIsSaidToBeGone() {
        tell();
        const auto isTold = [this](const QString& pool) {
            return banner()->isVisible() && textsOf(banner()).contains(QStringLiteral("The pool %1 is no longer in the running policy.").arg(pool));
        };
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("north:north-large")}});
        QVERIFY(sheet<EndpointSheet>() != nullptr);
        m_page->open({{QStringLiteral("pool"), QStringLiteral("old")}});
        QVERIFY(m_harness->inspected == nullptr && m_page->state().isEmpty());
        QVERIFY(!table()->selectionModel()->hasSelection());
        for (const QAction* action : m_page->pageActions()) QVERIFY(!action->isEnabled());
        QVERIFY2(isTold(QStringLiteral("old")), qPrintable(textsOf(banner()).join(QLatin1Char('|'))));
        m_page->open({{QStringLiteral("pool"), QStringLiteral("triage")}});
        QVERIFY(sheet<PoolSheet>() != nullptr && !banner()->isVisible());
        // Taken away while it is looked at.
        m_harness->target->setPools({});
        QTRY_VERIFY(isTold(QStringLiteral("triage")));
        QVERIFY(m_harness->inspected == nullptr && m_page->state().isEmpty());
    }

    // While the page is hidden nobody asks, and an apply may have brought what a link then leads to.
    void whatWasReadBeforeThePageWasOpenedSaysNothingOfALink() {
        tell();
        m_page->hide();
        auto endpoints = test::storyEndpoints();
        endpoints.push_back(test::endpoint("new:model", 0, 0, 0, 0));
        m_harness->target->setEndpoints(endpoints);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("new:model")}});
        QVERIFY(!banner()->isVisibleTo(m_page.get()));
        m_page->show();
        QTRY_VERIFY(sheet<EndpointSheet>() != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("new:model"));
        QVERIFY(!banner()->isVisible());
        m_page->hide();
        m_page->open({{QStringLiteral("pool"), QStringLiteral("old")}});
        QVERIFY(m_harness->inspected == nullptr);  // not beside what was asked for
        m_page->show();
        QTRY_VERIFY(banner()->isVisible());
    }

    // A list elsewhere is asked anew once somebody looks again; until it was told, the last one still stands there.
    void aListOfTheLastLookSaysNothingOfALink() {
        tell();
        m_page->hide();
        m_harness->target->setKnownLists({.endpoints = false, .pools = false});
        const QVariantMap link{{QStringLiteral("endpoint"), QStringLiteral("new:model")}};
        QSignalSpy reads(&m_harness->bridge.fleet(), &Fleet::changed);
        m_page->show();
        m_page->open(link);  // before anything was read
        QVERIFY(!banner()->isVisible());
        QCOMPARE(m_page->state(), link);
        QTRY_VERIFY(!m_harness->bridge.fleet().state().endpointsTold);
        QVERIFY(!reads.isEmpty() && !banner()->isVisible());
        auto endpoints = test::storyEndpoints();
        endpoints.push_back(test::endpoint("new:model", 0, 0, 0, 0));
        m_harness->target->setEndpoints(endpoints);
        m_harness->target->setKnownLists({});
        QTRY_VERIFY(sheet<EndpointSheet>() != nullptr);
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("new:model"));
        QVERIFY(!banner()->isVisible());
    }

    void oneThatMayStillBeCalledIsNotSaidToBeGone() {
        tell();
        config::Provider provider;
        provider.id = "old";
        auto config = std::make_shared<config::GatewayConfig>();
        config->providers.push_back(provider);
        QVERIFY(m_harness->target->apply({policy::makeSnapshot(std::make_shared<const table::RoutingTable>(), "00", config), {}}).has_value());
        QTRY_VERIFY(m_harness->bridge.running()->config->findProvider("old") != nullptr);
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("old:model")}});
        QVERIFY(m_harness->inspected == nullptr);
        QVERIFY(textsOf(banner()).contains(QStringLiteral("The running policy does not list old:model, and nothing has called it since the gateway started.")));
    }

    void beforeTheFirstAnswerNobodyIsGone() {
        test::tellStory(*m_harness->target);
        show();
        m_page->open({{QStringLiteral("endpoint"), QStringLiteral("old:model")}});
        QVERIFY(table()->model()->rowCount() > 0 || !banner()->isVisible());
        QTRY_VERIFY(banner()->isVisible());
        QVERIFY(m_page->state().isEmpty());
    }
};

QTEST_MAIN(EndpointsLinksTest)
#include "tst_endpoints_links.moc"
