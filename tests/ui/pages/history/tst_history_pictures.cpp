// SPDX-License-Identifier: MIT
// Pictures of the history page in the states that the walk over all pages does not reach: read by hover, filtered with a
// receipt beside it, as a table, the receipt alone, and without a database.
#include "tests/support/console_fixture.h"
#include "ui/theme/language.h"
#include "ui/theme/theme.h"
#include "ui/widgets/table_view.h"

#include <QDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class HistoryPicturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        installLanguage(*QCoreApplication::instance());
        m_console = std::make_unique<test::ConsoleFixture>();
        QVERIFY2(m_console->isReady(), qPrintable(m_console->why));
        window().resize(1440, 900);
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window()));
        QVERIFY(QDir().mkpath(folder()));
    }
    void cleanupTestCase() { m_console.reset(); }

    void states_data() {
        QTest::addColumn<Scheme>("scheme");
        QTest::newRow("light") << Scheme::light;
        QTest::newRow("dark") << Scheme::dark;
    }
    void states() {
        QFETCH(Scheme, scheme);
        Theme::instance().setScheme(scheme);
        m_console->target->setHistoryFailure(std::nullopt);
        window().go(QStringLiteral("history"), {{QStringLiteral("back"), true}});
        m_console->settle();

        auto* hover = window().findChild<QWidget*>(QStringLiteral("chartHover"));
        QVERIFY(hover != nullptr);
        QTest::mouseMove(hover, QPoint(hover->width() / 2, hover->height() - 60));
        m_console->settle();
        save(window(), QStringLiteral("hover"));

        // The demo's quiet hours depend on when the test runs: take the first point that has decisions behind it.
        auto* table = window().findChild<TableView*>(QStringLiteral("historyTable"));
        for (int x = hover->width() / 2; x < hover->width(); x += hover->width() / 16) {
            QTest::mouseClick(hover, Qt::LeftButton, {}, QPoint(x, hover->height() - 40));
            m_console->settle();
            if (table->model()->rowCount() > 1) break;
        }
        QVERIFY(table->model()->rowCount() > 1);
        table->selectSourceRow(1);
        m_console->settle();
        save(window(), QStringLiteral("selected"));

        Q_EMIT table->rowOpened(1);
        auto* receipt = window().findChild<QWidget*>(QStringLiteral("receiptDialog"));
        QVERIFY(receipt != nullptr && receipt->isVisible());
        m_console->settle();
        save(*receipt, QStringLiteral("receipt"));
        receipt->close();

        hover->setFocus();
        QTest::keyClick(hover, Qt::Key_T);
        m_console->settle();
        save(window(), QStringLiteral("table"));
        QTest::keyClick(window().findChild<QWidget*>(QStringLiteral("chartTable")), Qt::Key_T);

        m_console->target->setHistoryFailure(Error{ErrorKind::unavailable, "the server named by $DATABASE_URL does not answer", {}, "Start it, or unset the variable."});
        window().go(QStringLiteral("overview"));
        window().go(QStringLiteral("history"), {{QStringLiteral("coverage"), QStringLiteral("rule")}});
        m_console->settle();
        save(window(), QStringLiteral("unavailable"));
    }

private:
    static QString folder() { return QStringLiteral(SIGNALBOX_BINARY_DIR "/visual"); }
    void save(QWidget& widget, const QString& name) {
        const QString scheme = Theme::instance().scheme() == Scheme::light ? QStringLiteral("light") : QStringLiteral("dark");
        const QString file = folder() + QStringLiteral("/history-%1-%2.png").arg(name, scheme);
        QVERIFY2(widget.grab().save(file), qPrintable(file));
    }
    MainWindow& window() { return *m_console->window; }
    std::unique_ptr<test::ConsoleFixture> m_console;
};

Q_DECLARE_METATYPE(signalbox::ui::Scheme)
QTEST_MAIN(HistoryPicturesTest)
#include "tst_history_pictures.moc"
