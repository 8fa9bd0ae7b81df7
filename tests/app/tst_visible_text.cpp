// SPDX-License-Identifier: MIT
#include "app/shared/redact.h"
#include "app/shared/visible_text.h"

#include <QTest>

using namespace signalbox;

class TestVisibleText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatATerminalWouldObeyIsShown_data();
    void whatATerminalWouldObeyIsShown();
    void everythingElseStays_data();
    void everythingElseStays();
    void ourOwnWordsSurviveTheRedaction_data();
    void ourOwnWordsSurviveTheRedaction();
};

void TestVisibleText::whatATerminalWouldObeyIsShown_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    const auto row = [](const char* tag, const char* text, const char* shown) { QTest::newRow(tag) << QByteArray(text) << QByteArray(shown); };
    row("escape", "a\x1b[31mb", "a\\u001b[31mb");
    row("escape of one character", "/\xc2\x9b" "31m", "/\\u009b31m");
    row("next line", "x\xc2\x85" "2026-12-01 forged", "x\\u00852026-12-01 forged");
    row("line separator", "x\xe2\x80\xa8y", "x\\u2028y");
    row("from right to left", "x\xe2\x80\xaey\xe2\x81\xa6z", "x\\u202ey\\u2066z");
    row("delete", "a\x7f", "a\\u007f");
    row("carriage return", "good\rbad", "good\\u000dbad");
    row("a byte that is no UTF-8", "a\x9b" "31m", "a\\u009b31m");
    row("cut off", "a\xe2\x80", "a\\u00e2\\u0080");
    row("an overlong escape", "a\xc0\x9b", "a\\u00c0\\u009b");
}

void TestVisibleText::whatATerminalWouldObeyIsShown() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QCOMPARE(QByteArray::fromStdString(app::visibleText(text.toStdString())), shown);
}

void TestVisibleText::everythingElseStays_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"", "plain", "two\nlines\tand a tab", "Grüße, 世界, \xf0\x9f\x9a\xa6", "\xc2\xa0", "quoted \"\\u0041\""})
        QTest::newRow(text) << QByteArray(text);
}

void TestVisibleText::everythingElseStays() {
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(app::visibleText(text.toStdString())), text);
}

void TestVisibleText::ourOwnWordsSurviveTheRedaction_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text : {"principal ada has no token, since ADA_TOKEN is not set",
                             "This gateway needs its client token. Send it as \"Authorization: Bearer …\" (or x-api-key).",
                             "The admin paths need their own token. Send \"Authorization: Bearer …\" with the one in admin-token."})
        QTest::newRow(text) << QByteArray(text);
}

void TestVisibleText::ourOwnWordsSurviveTheRedaction() {
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(app::redacted(text.toStdString())), text);
}

QTEST_APPLESS_MAIN(TestVisibleText)
#include "tst_visible_text.moc"
