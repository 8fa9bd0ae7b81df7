// SPDX-License-Identifier: MIT
// What an apply changes, in the words of the files.
#include "tests/support/fake_target.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/shell/difference_view.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

class DifferenceViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        m_world = std::make_unique<DraftHarness>();
        QVERIFY(m_world->open());
        m_running = m_world->document->workspace()->snapshot;
    }

    void whatIsTheSameDiffersInNothing() { QCOMPARE(differences(), QList<PolicyDifference>()); }

    void aValueIsToldByItsPath() {
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QCOMPARE(differences(), (QList<PolicyDifference>{{QStringLiteral("routing.activation_percent"), QStringLiteral("0"), QStringLiteral("5")}}));
    }

    // No part of the policy's hash, and changed by an apply all the same.
    void anAddressIsToldToo() {
        QVERIFY(m_world->document->editConfig(QStringLiteral("port"), replacing("127.0.0.1:38082", "127.0.0.1:38083")));
        QCOMPARE(differences(), (QList<PolicyDifference>{{QStringLiteral("server.listen"), QStringLiteral("127.0.0.1:38082"), QStringLiteral("127.0.0.1:38083")}}));
    }

    void whatCameAsAWholeIsOneDifference() {
        const char* extra = "[providers.extra]\nprotocol = \"simulated\"\nmodels = [\"x\"]\n\n[evidence]";
        QVERIFY(m_world->document->editConfig(QStringLiteral("provider"), replacing("[evidence]", extra)));
        const auto all = differences();
        QVERIFY(all.contains(PolicyDifference{QStringLiteral("providers.extra"), QString(), QStringLiteral("new")}));
        for (const auto& one : all) QVERIFY2(!one.where.startsWith(QStringLiteral("providers.extra.")), qPrintable(one.where));
    }

    void aPresetOfTheTableIsToldByItsKey() {
        QVERIFY(m_world->document->editTable(QStringLiteral("seqs"), replacing("\"max_num_seqs\": 4", "\"max_num_seqs\": 5")));
        const auto all = differences();
        QCOMPARE(all.size(), 1);
        QVERIFY2(all.front().where.startsWith(QStringLiteral("routing-table.json: preset ")), qPrintable(all.front().where));
        QCOMPARE(all.front().after, QStringLiteral("changed"));
    }

    void theViewFollowsTheDraftAndOffersToApply() {
        const auto target = std::make_shared<FakeTarget>();
        Bridge bridge(target);
        GatewayControl gateway(&bridge, m_world->document.get());
        ViewState range;
        PageContext context;
        context.bridge = &bridge;
        context.document = m_world->document.get();
        context.view = &range;
        context.gateway = &gateway;
        QVERIFY(target->start({m_running, {}}).has_value());
        QTRY_VERIFY(bridge.running() != nullptr);
        DifferenceView view(context);
        const auto* summary = view.findChild<QLabel*>(QStringLiteral("difference.summary"));
        QVERIFY2(summary->text().startsWith(QStringLiteral("Nothing differs: local answers with what is open")), qPrintable(summary->text()));
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QCOMPARE(summary->text(), QStringLiteral("An apply changes 1 thing(s) of what local runs."));
        QStringList texts;
        for (const auto* label : view.findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.contains(QStringLiteral("routing.activation_percent")) && texts.contains(QStringLiteral("0 → 5")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY(view.findChild<QPushButton*>()->isEnabled());
        QCOMPARE(view.findChild<QPushButton*>()->text(), QStringLiteral("Apply"));
    }

    // Of a gateway elsewhere only the hash is known.
    void withoutTheOtherPolicyItSaysWhatIsKnown() {
        const auto target = std::make_shared<FakeTarget>();
        Bridge bridge(target);
        GatewayControl gateway(&bridge, m_world->document.get());
        PageContext context;
        context.bridge = &bridge;
        context.document = m_world->document.get();
        context.gateway = &gateway;
        target->tellHashOnly();
        engine::TargetStatus status = target->status();
        status.state = engine::GatewayState::running;
        status.remote = true;
        status.runningHash = "beef";
        target->setStatus(status);
        QTRY_COMPARE(bridge.runningHash(), std::string("beef"));
        const DifferenceView view(context);
        const QString summary = view.findChild<QLabel*>(QStringLiteral("difference.summary"))->text();
        QVERIFY2(summary.contains(QStringLiteral("no more of it than that hash")), qPrintable(summary));
    }

private:
    [[nodiscard]] QList<PolicyDifference> differences() const { return policyDifferences(*m_running, *m_world->document->workspace()->snapshot); }
    std::unique_ptr<DraftHarness> m_world;
    std::shared_ptr<const policy::PolicySnapshot> m_running;
};

QTEST_MAIN(DifferenceViewTest)
#include "tst_difference_view.moc"
