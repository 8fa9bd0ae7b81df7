// SPDX-License-Identifier: MIT
#include "ui/dialogs/conflict_dialog.h"
#include "ui/theme/theme.h"

#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox::ui;

class ConflictDialogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        QStringList lines;
        for (int i = 0; i < 200; ++i) lines << QStringLiteral("line %1").arg(i);
        const QString base = lines.join(QLatin1Char('\n'));
        m_theirs = QString(base).replace(QStringLiteral("line 20\n"), QStringLiteral("theirs 20\n"));
        m_ours = QString(base).replace(QStringLiteral("line 150\n"), QStringLiteral("ours 150\n"));
        m_dialog = new ConflictDialog(QStringLiteral("/tmp/gateway.toml"), base, m_theirs, m_ours);
        m_dialog->open();
        m_dialog->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_dialog));
    }
    void cleanup() { delete m_dialog; }

    void threeTextsStandSideBySideAndScrollTogether() {
        for (const int side : {0, 1, 2}) QCOMPARE(text(side)->blockCount(), 200);
        QVERIFY(text(1)->toPlainText().contains(QStringLiteral("~ theirs 20\n")));
        QVERIFY(text(2)->toPlainText().contains(QStringLiteral("~ ours 150\n")));
        QVERIFY(text(2)->toPlainText().contains(QStringLiteral("  line 20\n")));
        QCOMPARE(text(0)->extraSelections().size(), 2);
        QCOMPARE(text(1)->extraSelections().size(), 1);
        text(1)->verticalScrollBar()->setValue(90);
        QCOMPARE(text(0)->verticalScrollBar()->value(), 90);
        QCOMPARE(text(2)->verticalScrollBar()->value(), 90);
    }

    void f3WalksThroughTheDifferences() {
        QCOMPARE(text(0)->textCursor().blockNumber(), 20);
        QTest::keyClick(m_dialog, Qt::Key_F3);
        QTRY_COMPARE(text(0)->textCursor().blockNumber(), 150);
        QTest::keyClick(m_dialog, Qt::Key_F3);
        QTRY_COMPARE(text(0)->textCursor().blockNumber(), 20);
    }

    void eachWayOutSaysSoOnce_data() {
        QTest::addColumn<QString>("button");
        QTest::addColumn<int>("theirs");
        QTest::addColumn<int>("ours");
        QTest::addColumn<int>("copy");
        QTest::addRow("theirs") << QStringLiteral("conflict.theirs") << 1 << 0 << 0;
        QTest::addRow("ours") << QStringLiteral("conflict.ours") << 0 << 1 << 0;
        QTest::addRow("copy") << QStringLiteral("conflict.copy") << 0 << 0 << 1;
    }
    void eachWayOutSaysSoOnce() {
        QFETCH(QString, button);
        QSignalSpy theirs(m_dialog, &ConflictDialog::takeTheirs), ours(m_dialog, &ConflictDialog::writeOurs), copy(m_dialog, &ConflictDialog::saveCopy);
        m_dialog->findChild<QPushButton*>(button)->click();
        QTEST(static_cast<int>(theirs.count()), "theirs");
        QTEST(static_cast<int>(ours.count()), "ours");
        QTEST(static_cast<int>(copy.count()), "copy");
    }

    void escapeChangesNothing() {
        QSignalSpy theirs(m_dialog, &ConflictDialog::takeTheirs), ours(m_dialog, &ConflictDialog::writeOurs), copy(m_dialog, &ConflictDialog::saveCopy);
        QTest::keyClick(m_dialog, Qt::Key_Escape);
        QTRY_VERIFY(m_dialog.isNull());
        QVERIFY(theirs.isEmpty() && ours.isEmpty() && copy.isEmpty());
    }

    void removedFileCannotBeRead() {
        ConflictDialog removed(QStringLiteral("/tmp/gateway.toml"), QStringLiteral("a"), QString(), QStringLiteral("b"));
        removed.setAttribute(Qt::WA_DeleteOnClose, false);
        QVERIFY(!removed.findChild<QPushButton*>(QStringLiteral("conflict.theirs"))->isEnabled());
        QVERIFY(removed.findChild<QPushButton*>(QStringLiteral("conflict.ours"))->isEnabled());
    }

private:
    QPlainTextEdit* text(int side) const { return m_dialog->findChild<QPlainTextEdit*>(QStringLiteral("conflict.%1").arg(side)); }
    QPointer<ConflictDialog> m_dialog;
    QString m_theirs, m_ours;
};

QTEST_MAIN(ConflictDialogTest)
#include "tst_conflict_dialog.moc"
