// SPDX-License-Identifier: MIT
// Whose endpoint health a page may judge its candidates by.
#include "tests/support/page_harness.h"
#include "ui/document/config_edits.h"
#include "ui/pages/whose_health.h"
#include "ui/widgets/tone_label.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class WhoseHealthTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_theirs = std::make_shared<test::FakeTarget>();
        const QString demo = QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/");
        for (const QString& name : QDir(demo).entryList(QDir::Files)) QFile::copy(demo + name, m_harness->folder.filePath(name));
        QFile(m_harness->folder.filePath(QStringLiteral("gateway.toml"))).setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        QVERIFY(m_harness->open(m_harness->folder.path()));
        m_harness->target->setEndpoints({endpoint("here:model")});
        m_page = std::make_unique<QWidget>();
        m_whose = new WhoseHealth(m_harness->context(), WhoseHealth::Apply::here, m_page.get());
        m_page->show();
        m_interest = m_harness->bridge.followEndpoints();
    }
    void cleanup() {
        m_interest.reset();
        m_page.reset();
        m_harness.reset();
    }

    void atHomeItIsItsOwnAndNothingIsSaid() {
        QVERIFY(!m_whose->isVisible());
        QCOMPARE(m_whose->whyNot(), QString());
        QCOMPARE(m_whose->elsewhere(), QString());
        QCOMPARE(ids(), QStringList{QStringLiteral("here:model")});
        // An own gateway that runs an older state of the workspace runs the workspace.
        QVERIFY(m_harness->target->start({snapshot(), {}}));
        edit();
        QVERIFY(!m_whose->isVisible());
        QCOMPARE(ids(), QStringList{QStringLiteral("here:model")});
    }

    void aGatewayElsewhereThatRunsThisWorkspaceIsNamed() {
        look(snapshot());
        QVERIFY(m_whose->isVisible());
        QCOMPARE(sentence()->text(), QStringLiteral("Endpoint health (circuits, failures, averages of calls) is that of prod-a, which runs what is open here."));
        QVERIFY(sentence()->accessibleName().startsWith(sentence()->text()));
        QCOMPARE(m_whose->elsewhere(), QStringLiteral("prod-a"));
        QVERIFY(!next()->isVisible() && !button()->isVisible());  // nothing is to be done
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
        m_harness->bridge.lookAt(nullptr);
        QVERIFY(!m_whose->isVisible());
        QCOMPARE(ids(), QStringList{QStringLiteral("here:model")});
    }

    void itGoesOnRunningWhatWasSavedWhileTheDraftMovesOn() {
        look(snapshot());
        edit();
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
        QSignalSpy saved(&m_harness->document, &PolicyDocument::saved);
        m_harness->document.save();
        QVERIFY(!saved.isEmpty() || saved.wait());
        edit();
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
    }

    void theFilesAreOursBeforeTheLookAsWell() {
        const auto before = snapshot();
        edit();
        QSignalSpy saved(&m_harness->document, &PolicyDocument::saved);
        m_harness->document.save();
        QVERIFY(!saved.isEmpty() || saved.wait());
        look(before);
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
    }

    void aModeSetByHandThereIsNoOtherWorkspace_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("percent");
        QTest::addRow("kill switch") << int(config::RoutingMode::off) << 0;
        QTest::addRow("shadow") << int(config::RoutingMode::shadow) << 0;
        QTest::addRow("active") << int(config::RoutingMode::active) << 35;
    }
    void aModeSetByHandThereIsNoOtherWorkspace() {
        QFETCH(int, mode);
        QFETCH(int, percent);
        look(changed([=](config::GatewayConfig& config) {
            config.routing.mode = config::RoutingMode(mode);
            config.routing.activationPercent = std::uint8_t(percent);
        }));
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
    }

    void anotherPolicyIsLeftOutInWords() {
        QSignalSpy told(m_whose, &WhoseHealth::changed);
        look(changed([](config::GatewayConfig& config) { config.providers.front().baseUrl = "https://elsewhere.example/v1"; }));
        QCOMPARE(sentence()->text(), QStringLiteral("prod-a does not run what is open here, so its endpoint health (circuits, failures, averages of calls) is left out."));
        QVERIFY(m_whose->isVisible() && sentence()->tone() == Tone::caution);
        QCOMPARE(m_whose->whyNot(), sentence()->text());
        QCOMPARE(m_whose->elsewhere(), QString());
        QCOMPARE(ids(), QStringList());
        QCOMPARE(told.count(), 1);
        // Once it gets ours, it is shown.
        QVERIFY(m_theirs->apply({snapshot(), {}}));
        QTRY_COMPARE(ids(), QStringList{QStringLiteral("there:model")});
        QCOMPARE(told.count(), 2);
    }

    void whatItHasNotToldYetIsNotNone() {
        m_theirs->setKnownLists({.endpoints = false});
        look(snapshot());
        QCOMPARE(sentence()->text(), QStringLiteral("prod-a has not told its endpoint health (circuits, failures, averages of calls) yet."));
        QCOMPARE(m_whose->elsewhere(), QString());
        QCOMPARE(ids(), QStringList());
        m_theirs->setKnownLists({});
        QTRY_COMPARE(m_whose->elsewhere(), QStringLiteral("prod-a"));
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
    }

    void whatItTakesIsSaidAndOffered() {
        const QString own = QStringLiteral("To judge by this console's own gateway, choose it at the top left.");
        look(changed([](config::GatewayConfig& config) { config.providers.front().baseUrl = "https://elsewhere.example/v1"; }));
        QVERIFY2(next()->isVisible() && next()->text().startsWith(QStringLiteral("It runs this routing table with another gateway.toml. Apply what is open to it")), qPrintable(next()->text()));
        QVERIFY2(next()->text().endsWith(own), qPrintable(next()->text()));
        QCOMPARE(button()->text(), m_harness->gateway.applyAction()->text());
        QSignalSpy asked(&m_harness->gateway, &GatewayControl::asked);
        button()->click();
        QCOMPARE(asked.count(), 1);  // nothing is applied elsewhere without a question
        QVERIFY2(asked.first().value(0).toString().contains(QStringLiteral("prod-a")), qPrintable(asked.first().value(0).toString()));
        QCOMPARE(m_theirs->appliedCount(), 0);
        // A page with the mode dial offers it there.
        WhoseHealth besideDial(m_harness->context(), WhoseHealth::Apply::elsewhereOnThePage, nullptr);
        besideDial.show();
        QVERIFY(!besideDial.findChild<QPushButton*>()->isVisible());
        QVERIFY(besideDial.findChild<QLabel*>(QStringLiteral("whoseHealthNext"))->isVisible());
        // A draft has to be saved first, which is not this notice's to do.
        edit();
        QVERIFY2(next()->text().contains(QStringLiteral("Save what is open and apply it there")), qPrintable(next()->text()));
        QVERIFY(!button()->isVisible());
    }

    void anotherTableIsNotCalledThisOne() {
        const auto other = policy::makeSnapshot(snapshot()->table, std::string(64, 'a'), snapshot()->config);
        look(other);
        QVERIFY2(next()->text().startsWith(QStringLiteral("Apply what is open to it")), qPrintable(next()->text()));
        QCOMPARE(ids(), QStringList());
    }

    void whatCannotBeAskedIsNotMadeUp_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<bool>("isAway");
        QTest::addColumn<QString>("says");
        QTest::addColumn<QString>("then");
        QTest::addColumn<QString>("leadsTo");
        QTest::addRow("away") << int(engine::GatewayState::failed) << true << QStringLiteral("prod-a cannot be reached, so its endpoint health")
                              << QStringLiteral("It is asked again by itself") << QStringLiteral("gateway");
        QTest::addRow("before its first answer") << int(engine::GatewayState::starting) << false << QStringLiteral("prod-a has not answered yet, so its endpoint health")
                                                 << QStringLiteral("It comes with the first answer") << QString();
        QTest::addRow("stopped") << int(engine::GatewayState::stopped) << false << QStringLiteral("prod-a serves nothing now, so there is no endpoint health")
                                 << QStringLiteral("It is started where it runs") << QString();
    }
    void whatCannotBeAskedIsNotMadeUp() {
        QFETCH(int, state);
        QFETCH(bool, isAway);
        QFETCH(QString, says);
        QFETCH(QString, then);
        QFETCH(QString, leadsTo);
        look(snapshot());
        auto status = m_theirs->status();
        status.state = engine::GatewayState(state);
        if (isAway) status.unreachableSince = status.heardAt + std::chrono::seconds(2);
        m_theirs->setStatus(status);
        QTRY_VERIFY2(sentence()->text().startsWith(says), qPrintable(sentence()->text()));
        QCOMPARE(ids(), QStringList());
        QVERIFY2(next()->isVisible() && next()->text().startsWith(then), qPrintable(next()->text()));
        QCOMPARE(button()->isVisible(), !leadsTo.isEmpty());
        if (leadsTo.isEmpty()) return;
        button()->click();
        QCOMPARE(m_harness->visits.size(), std::size_t{1});
        QCOMPARE(m_harness->visits.front().first, leadsTo);
    }

    void aGuestIsNotJudgedByTheHomesGateway() {
        QVERIFY(m_harness->target->start({snapshot(), {}}));
        QStringList opened;
        m_harness->gateway.setHome("/somewhere/else", [&opened](const QString& path) {
            opened << path;
            return Result<void>();
        });
        const QString guest = QDir(m_harness->folder.path()).dirName();
        QCOMPARE(sentence()->text(), QStringLiteral("This console's gateway is that of else, not of %1, so its endpoint health (circuits, failures, averages of calls) is left out.").arg(guest));
        QVERIFY(m_whose->isVisible());
        QCOMPARE(ids(), QStringList());
        QVERIFY2(next()->text().contains(guest), qPrintable(next()->text()));
        button()->click();
        QCOMPARE(opened, QStringList{m_harness->folder.path()});
        // But by one elsewhere that runs it.
        look(snapshot());
        QCOMPARE(ids(), QStringList{QStringLiteral("there:model")});
        // The own gateway is no way out for a guest.
        m_harness->bridge.lookAt(nullptr);
        look(changed([](config::GatewayConfig& config) { config.providers.front().baseUrl = "https://elsewhere.example/v1"; }));
        QVERIFY2(next()->isVisible() && !next()->text().contains(QStringLiteral("own gateway")), qPrintable(next()->text()));
    }

private:
    [[nodiscard]] ToneLabel* sentence() const { return m_whose->findChild<ToneLabel*>(QStringLiteral("whoseHealth")); }
    [[nodiscard]] QLabel* next() const { return m_whose->findChild<QLabel*>(QStringLiteral("whoseHealthNext")); }
    [[nodiscard]] QPushButton* button() const { return m_whose->findChild<QPushButton*>(QStringLiteral("whoseHealthButton")); }
    static engine::EndpointHealth endpoint(const char* id) {
        engine::EndpointHealth health;
        health.endpointId = id;
        return health;
    }
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> snapshot() const { return m_harness->document.workspace()->snapshot; }
    template <class Change>
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> changed(Change change) const {
        auto config = std::make_shared<config::GatewayConfig>(*snapshot()->config);
        change(*config);
        return policy::makeSnapshot(snapshot()->table, snapshot()->tableSha256, config);
    }
    /// At a gateway elsewhere that runs this.
    void look(const std::shared_ptr<const policy::PolicySnapshot>& policy) {
        QVERIFY(m_theirs->start({policy, {}}));
        m_theirs->tellHashOnly();
        m_theirs->setEndpoints({endpoint("there:model")});
        auto status = m_theirs->status();
        status.name = "prod-a";
        status.remote = true;
        status.heardAt = SystemClock().now();
        m_theirs->setStatus(status);
        m_harness->bridge.lookAt(m_theirs);
    }
    void edit() {
        QVERIFY(edits::setQuality(m_harness->document, "auto", 0, m_quality += 0.01).has_value());
        QVERIFY(m_harness->document.isDirty());
    }
    [[nodiscard]] QStringList ids() const {
        QStringList out;
        for (const auto& health : m_whose->health()) out << QString::fromStdString(health.endpointId);
        return out;
    }

    std::unique_ptr<test::PageHarness> m_harness;
    std::shared_ptr<test::FakeTarget> m_theirs;
    std::unique_ptr<QWidget> m_page;
    WhoseHealth* m_whose = nullptr;
    Bridge::Interest m_interest;
    double m_quality = 0.3;
};

QTEST_MAIN(WhoseHealthTest)
#include "tst_whose_health.moc"
