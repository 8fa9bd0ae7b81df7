// SPDX-License-Identifier: MIT
// A console runs and records for the workspace it was started on, whatever is open in it.
#include "tests/support/fake_target.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"

#include <QAction>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;
using engine::GatewayState;

class HomeWorkspaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_world = std::make_unique<DraftHarness>();
        m_target = std::make_shared<FakeTarget>();
        m_bridge = std::make_unique<Bridge>(m_target);
        m_gateway = std::make_unique<GatewayControl>(m_bridge.get(), m_world->document.get());
        m_opened.clear();
        m_asked.clear();
        m_openFails = false;
        m_gateway->setHome(m_world->path().toStdString(), [this](const QString& path) -> Result<void> {
            if (m_openFails) return fail(ErrorKind::unavailable, "the program cannot be started");
            m_opened << path;
            return {};
        });
        connect(m_gateway.get(), &GatewayControl::asked, this, [this](const QString& question, const QString& verb, const std::function<void()>& go) {
            m_asked << question << verb;
            m_go = go;
        });
    }
    void cleanup() {
        m_gateway.reset();
        m_bridge.reset();
        m_world.reset();
    }

    void itsOwnStartsWhicheverWayItWasOpened_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"as it is", "with a slash", "through a link", "by another table of it", "with a table from elsewhere"}) QTest::addRow("%s", way) << QString::fromLatin1(way);
    }
    void itsOwnStartsWhicheverWayItWasOpened() {
        QFETCH(QString, way);
        const QString link = m_world->folder.filePath(QStringLiteral("link")), table = m_world->path() + QStringLiteral("/candidate.json"), loose = m_world->folder.filePath(QStringLiteral("loose.json"));
        QVERIFY(QFile::link(m_world->path(), link));
        QVERIFY(QFile::copy(m_world->file("routing-table.json"), table) && QFile::copy(table, loose));
        if (way == QLatin1String("with a table from elsewhere")) QVERIFY(open(m_world->path()));  // it is tried with our gateway.toml
        QVERIFY(open(way == QLatin1String("with a slash") ? m_world->path() + QLatin1Char('/') : way == QLatin1String("through a link") ? link
                     : way.startsWith(QLatin1String("by")) ? table : way.startsWith(QLatin1String("with a table")) ? loose : m_world->path()));
        QVERIFY2(m_gateway->home().guest().isEmpty(), qPrintable(m_gateway->home().guest()));
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_target->status().state == GatewayState::running);
        QVERIFY(m_asked.isEmpty());
    }

    void anotherOneIsNotStartedHere() {
        QVERIFY(openProd());
        QVERIFY(m_gateway->startAction()->isEnabled());
        QVERIFY2(m_gateway->startAction()->toolTip().contains(QStringLiteral("started on workspace")), qPrintable(m_gateway->startAction()->toolTip()));
        m_gateway->startAction()->trigger();
        QVERIFY(!m_gateway->isBusy());
        QVERIFY(m_target->status().state == GatewayState::stopped);
        QCOMPARE(m_asked.value(1), QStringLiteral("Open prod in a console of its own"));
        QVERIFY2(m_asked.value(0).contains(QStringLiteral("started on workspace")) && m_asked.value(0).contains(QStringLiteral("prod can be read")), qPrintable(m_asked.value(0)));
        QVERIFY(m_opened.isEmpty());
        m_go();
        QCOMPARE(m_opened, QStringList{m_world->folder.filePath(QStringLiteral("prod"))});
    }

    void anotherOneIsNotAppliedHere() {
        QVERIFY(open(m_world->path()));
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
        QVERIFY(openProd());
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QVERIFY(m_gateway->applyAction()->isEnabled());
        m_gateway->applyAction()->trigger();
        QVERIFY(!m_gateway->isBusy());
        QCOMPARE(m_target->appliedCount(), 0);
        QVERIFY2(m_asked.value(0).contains(QStringLiteral("What is not saved stays")), qPrintable(m_asked.value(0)));
        // The question is about what was open: at home again its answer does nothing.
        QVERIFY(open(m_world->path()));
        m_go();
        QVERIFY(m_opened.isEmpty());
    }

    void aTableOfItsOwnNameIsOpenedByItsName() {
        QVERIFY(openProd());
        const QString table = m_world->folder.filePath(QStringLiteral("prod/next.json"));
        QVERIFY(QFile::copy(m_world->file("routing-table.json"), table));
        QVERIFY(open(table));
        m_gateway->openGuest();
        QCOMPARE(m_opened, QStringList{table});
    }

    void namesakesAreToldApartByTheirPaths() {
        const QString other = m_world->folder.filePath(QStringLiteral("other/workspace"));
        QVERIFY(copyTo(other) && open(other));
        QVERIFY2(m_gateway->guestWords().contains(other) && m_gateway->guestWords().contains(m_gateway->home().name()) && m_gateway->home().name().startsWith(QLatin1Char('/')), qPrintable(m_gateway->guestWords()));
    }

    void aConsoleThatCannotBeStartedIsSaid() {
        m_openFails = true;
        QVERIFY(openProd());
        QSignalSpy failed(m_gateway.get(), &GatewayControl::failed), said(m_gateway.get(), &GatewayControl::said);
        m_gateway->openGuest();
        QCOMPARE(failed.count(), 1);
        QVERIFY(said.isEmpty());
    }

    void theDemoStartsByItself() {
        m_gateway->startWhenOpened();
        QVERIFY(open(m_world->path()));
        QTRY_VERIFY(m_target->status().state == GatewayState::running);
    }

    void anotherOneThatIsOpenedInsteadOfTheDemoDoesNot() {
        m_gateway->startWhenOpened();
        QVERIFY(openProd());
        QCoreApplication::processEvents();
        QVERIFY(!m_gateway->isBusy() && m_asked.isEmpty());
        QVERIFY(m_target->status().state == GatewayState::stopped);
    }

private:
    bool copyTo(const QString& folder) {
        QDir().mkpath(folder);
        return QFile::copy(m_world->file("gateway.toml"), folder + QStringLiteral("/gateway.toml")) && QFile::copy(m_world->file("routing-table.json"), folder + QStringLiteral("/routing-table.json"));
    }
    bool open(const QString& path) {
        const auto before = m_world->document->workspace();
        m_world->document->openPath(path);
        return QTest::qWaitFor([this, &before] { return m_world->document->workspace() != before && !m_world->document->isBusy(); }, 10'000);
    }
    bool openProd() {
        const QString prod = m_world->folder.filePath(QStringLiteral("prod"));
        return copyTo(prod) && open(prod);
    }

    std::unique_ptr<DraftHarness> m_world;
    std::shared_ptr<FakeTarget> m_target;
    std::unique_ptr<Bridge> m_bridge;
    std::unique_ptr<GatewayControl> m_gateway;
    QStringList m_opened, m_asked;
    std::function<void()> m_go;
    bool m_openFails = false;
};

QTEST_MAIN(HomeWorkspaceTest)
#include "tst_home_workspace.moc"
