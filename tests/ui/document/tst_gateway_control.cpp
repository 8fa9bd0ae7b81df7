// SPDX-License-Identifier: MIT
#include "router/signing/trust.h"
#include "tests/support/fake_target.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/document/table_export.h"

#include <QAction>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

class GatewayControlTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_world = std::make_unique<DraftHarness>();
        QVERIFY(m_world->open());
        m_target = std::make_shared<FakeTarget>();
        m_bridge = std::make_unique<Bridge>(m_target);
        m_gateway = std::make_unique<GatewayControl>(m_bridge.get(), m_world->document.get());
    }
    void cleanup() {
        m_gateway.reset();
        m_bridge.reset();
        m_world.reset();
    }

    void signedTableRunsUnderItsSignersName() {
        const std::filesystem::path keys(m_world->folder.filePath(QStringLiteral("keys")).toStdString());
        const auto key = createSigningKey(keys, "mine", "", "Mara Holt");
        QVERIFY2(key.has_value(), key ? "" : key.error().text().c_str());
        const auto secret = signing::readSecretKey(key->files.secret, "");
        QVERIFY(secret.has_value());
        QVERIFY(signing::signFile(m_world->file("routing-table.json").toStdString(), *secret, {.signer = "Mara Holt", .policyVersion = {}, .tableSha256 = {}, .fileName = {}, .at = {}}).has_value());
        m_gateway->setKeyFolder(keys);
        m_gateway->startAction()->trigger();
        QTRY_COMPARE(m_bridge->status().signedBy, std::string("Mara Holt"));

        // What was changed since is nobody's, saved or not.
        QVERIFY(m_world->document->editTable(QStringLiteral("seqs"), replacing("\"max_num_seqs\": 4", "\"max_num_seqs\": 5")));
        answerYes();
        m_gateway->applyAction()->trigger();
        QTRY_COMPARE(m_bridge->status().signedBy, std::string());
        m_world->document->undoStack()->undo();
        m_gateway->applyAction()->trigger();
        QTRY_COMPARE(m_bridge->status().signedBy, std::string("Mara Holt"));
    }

    void F80_undoneDraftIsWhatRunsAgain() {
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
        QVERIFY(!m_gateway->draftDiffers());
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QVERIFY(m_gateway->draftDiffers());
        QVERIFY(m_gateway->applyAction()->isEnabled());
        m_world->document->undoStack()->undo();
        QVERIFY(!m_gateway->draftDiffers());
        QVERIFY(!m_gateway->applyAction()->isEnabled());
    }

    void whateverAnApplyChangesDiffers_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("differs");
        QTest::newRow("admin API closed to others") << "[evidence]" << "[admin]\nremote = true\n[evidence]" << true;
        QTest::newRow("address") << "127.0.0.1:38082" << "127.0.0.1:38083" << true;
        QTest::newRow("name in the records") << "target = \"local\"" << "target = \"lab\"" << true;
        QTest::newRow("nothing recorded") << "enabled = true                  # one" << "enabled = false # one" << true;
        QTest::newRow("a matter of the process") << "retention_days = 90" << "retention_days = 91" << false;
    }
    void whateverAnApplyChangesDiffers() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(bool, differs);
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
        QVERIFY(m_world->document->editConfig(QStringLiteral("setting"), replacing(from.toStdString(), to.toStdString())));
        QCOMPARE(m_gateway->draftDiffers(), differs);
        QCOMPARE(m_gateway->applyAction()->isEnabled(), differs);
        if (!differs) return;
        answerYes();
        m_gateway->applyAction()->trigger();
        QTRY_VERIFY(!m_gateway->isBusy());
        QTRY_VERIFY(!m_gateway->draftDiffers());
    }

    // What nobody has looked at is named before it is live: what is not saved, and what has findings.
    void applyAsksAboutWhatIsToBeLookedAt_data() {
        QTest::addColumn<bool>("finding");
        QTest::addColumn<bool>("saved");
        QTest::addColumn<QString>("with");
        QTest::newRow("unsaved") << false << false << QStringLiteral("1 unsaved change(s)");
        QTest::newRow("a finding in what is saved") << true << true << QStringLiteral("1 finding(s)");
        QTest::newRow("both") << true << false << QStringLiteral("1 unsaved change(s) and 1 finding(s)");
        QTest::newRow("neither") << false << true << QString();
    }
    void applyAsksAboutWhatIsToBeLookedAt() {
        QFETCH(bool, finding);
        QFETCH(bool, saved);
        QFETCH(QString, with);
        run();
        QSignalSpy asked(m_gateway.get(), &GatewayControl::asked);
        const auto edit = finding ? replacing("\"role\": \"default\"", "\"role\": \"sideways\"")
                                  : replacing("\"max_num_seqs\": 4", "\"max_num_seqs\": 5");
        QVERIFY(m_world->document->editTable(QStringLiteral("table"), edit));
        if (saved) QVERIFY(m_world->save());
        const std::string before = m_bridge->runningHash(), draft = m_world->document->workspace()->snapshot->hash;
        QVERIFY(before != draft);
        m_gateway->applyAction()->trigger();
        if (!with.isEmpty()) {
            QCOMPARE(asked.count(), 1);
            const QString question = QStringLiteral("Apply workspace to local, with %1? The next requests are answered by it.");
            QCOMPARE(asked.first().value(0).toString(), question.arg(with));
            QCOMPARE(asked.first().value(1).toString(), QStringLiteral("Apply"));
            QVERIFY(!m_gateway->isBusy());  // not before somebody says so
            asked.first().value(2).value<std::function<void()>>()();
        }
        QTRY_COMPARE(m_bridge->runningHash(), draft);
        QCOMPARE(asked.count(), with.isEmpty() ? 0 : 1);
    }

    void applyIsOfTheDraftThatWasAskedAbout() {
        run();
        std::function<void()> go;
        std::vector<Error> failures;
        connect(m_gateway.get(), &GatewayControl::asked, this,
                [&go](const QString&, const QString&, const std::function<void()>& answer) { go = answer; });
        connect(m_gateway.get(), &GatewayControl::failed, this, [&failures](const Error& error) { failures.push_back(error); });
        const std::string before = m_bridge->runningHash();
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        m_gateway->applyAction()->trigger();
        QVERIFY(go);
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 5", "activation_percent = 50")));
        go();
        QCOMPARE(failures.size(), std::size_t{1});
        QCOMPARE(failures.front().hint, std::string("Apply again."));
        QVERIFY(!m_gateway->isBusy());
        QCOMPARE(m_bridge->runningHash(), before);
    }

    // From a stop on everybody is refused.
    void stopAsksWithWhatIsInFlight() {
        run();
        engine::TargetStatus status = m_target->status();
        status.inFlight = 3;
        m_target->setStatus(status);
        QTRY_COMPARE(m_bridge->status().inFlight, 3U);
        QSignalSpy asked(m_gateway.get(), &GatewayControl::asked);
        m_gateway->stopAction()->trigger();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.first().value(0).toString(),
                 QStringLiteral("Stop the gateway? Clients get no answer until it is started again. 3 request(s) in flight will finish."));
        QVERIFY(!m_gateway->isBusy());
        asked.first().value(2).value<std::function<void()>>()();
        QTRY_VERIFY(m_bridge->status().state == engine::GatewayState::stopped);
    }

    void applyElsewhereIsOfWhatWasAskedAbout_data() {
        QTest::addColumn<QString>("meanwhile");
        QTest::addColumn<bool>("applies");
        QTest::newRow("nothing") << QString() << true;
        QTest::newRow("another workspace opened") << QStringLiteral("open") << false;
        QTest::newRow("a draft begun") << QStringLiteral("edit") << false;
    }
    void applyElsewhereIsOfWhatWasAskedAbout() {
        QFETCH(QString, meanwhile);
        QFETCH(bool, applies);
        const auto prod = lookAtProd();
        std::function<void()> go;
        std::vector<Error> failures;
        connect(m_gateway.get(), &GatewayControl::asked, this, [&go](const QString&, const QString&, const std::function<void()>& answer) { go = answer; });
        connect(m_gateway.get(), &GatewayControl::failed, this, [&failures](const Error& error) { failures.push_back(error); });
        m_gateway->applyAction()->trigger();
        QVERIFY(go);
        if (meanwhile == QLatin1String("open")) QVERIFY(openOther());
        if (meanwhile == QLatin1String("edit")) QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        go();
        QTRY_VERIFY(!m_gateway->isBusy());
        QCOMPARE(prod->appliedCount(), applies ? 1 : 0);
        QCOMPARE(failures.size(), applies ? std::size_t{0} : std::size_t{1});
        if (applies) return;
        QCOMPARE(failures.front().kind, ErrorKind::conflict);
        QCOMPARE(failures.front().message, std::string("What is open has changed since you were asked"));
        QCOMPARE(failures.front().hint, std::string("Apply again."));
    }

    /// What was asked of one gateway is answered while another is looked at.
    void anAnswerIsOfTheGatewayThatWasAsked() {
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
        QStringList sayings;
        std::vector<Error> failures;
        connect(m_gateway.get(), &GatewayControl::said, this, [&sayings](const QString& text) { sayings << text; });
        connect(m_gateway.get(), &GatewayControl::failed, this, [&failures](const Error& error) { failures.push_back(error); });
        connect(m_gateway.get(), &GatewayControl::asked, this, [](const QString&, const QString&, const std::function<void()>& go) { go(); });

        auto prod = lookAtProd();
        QVERIFY(prod->start({m_world->document->workspace()->snapshot, {}}).has_value());
        m_gateway->killAction()->trigger();
        QVERIFY(m_gateway->isBusy());
        m_bridge->lookAt(nullptr);
        QVERIFY(!m_gateway->isBusy());  // of ours nothing was asked
        QVERIFY(m_gateway->killAction()->isEnabled() && m_gateway->stopAction()->isEnabled());
        QTRY_COMPARE(sayings.size(), 1);
        QCOMPARE(sayings.last(), QStringLiteral("prod: Smart routing is off by hand: every smart alias takes its first candidate"));

        prod = lookAtProd();
        m_gateway->applyAction()->trigger();
        m_bridge->lookAt(nullptr);
        QTRY_COMPARE(sayings.size(), 2);
        QCOMPARE(prod->appliedCount(), 1);
        QCOMPARE(sayings.last(), QStringLiteral("prod: The open policy takes the next requests"));

        prod = lookAtProd();
        prod->failNext({ErrorKind::unavailable, "it does not answer", "http://prod:1", "Try again."});
        m_gateway->applyAction()->trigger();
        m_bridge->lookAt(nullptr);
        QTRY_COMPARE(failures.size(), std::size_t{1});
        QCOMPARE(failures.front().where, std::string("prod, http://prod:1"));

        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QVERIFY(m_gateway->applyAction()->isEnabled());
        const QString own = QString::fromStdString(m_bridge->status().name);
        m_gateway->applyAction()->trigger();
        lookAtProd();
        QTRY_COMPARE(sayings.size(), 3);
        QCOMPARE(sayings.last(), own + QStringLiteral(": The draft takes the next requests, with 1 unsaved change(s)"));
        QCOMPARE(failures.size(), std::size_t{1});
    }

private:
    void answerYes() {
        connect(m_gateway.get(), &GatewayControl::asked, this, [](const QString&, const QString&, const std::function<void()>& go) { go(); });
    }
    void run() {
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
    }
    /// A gateway elsewhere that answers by some other policy.
    std::shared_ptr<FakeTarget> lookAtProd() {
        auto prod = std::make_shared<FakeTarget>();
        prod->tellHashOnly();
        engine::TargetStatus status = prod->status();
        status.name = "prod";
        status.remote = true;
        status.state = engine::GatewayState::running;
        status.runningHash = "beef";
        prod->setStatus(status);
        m_bridge->lookAt(prod);
        return prod;
    }
    bool openOther() {
        const QString other = m_world->folder.filePath(QStringLiteral("other"));
        QDir().mkpath(other);
        for (const char* name : {"gateway.toml", "routing-table.json"}) QFile::copy(m_world->file(name), other + QLatin1Char('/') + QString::fromLatin1(name));
        const auto before = m_world->document->workspace();
        m_world->document->openWorkspace(other);
        return QTest::qWaitFor([this, &before] { return m_world->document->workspace() != before && !m_world->document->isBusy(); }, 10'000);
    }

    std::unique_ptr<DraftHarness> m_world;
    std::shared_ptr<FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
    std::unique_ptr<GatewayControl> m_gateway;
};

QTEST_MAIN(GatewayControlTest)
#include "tst_gateway_control.moc"
