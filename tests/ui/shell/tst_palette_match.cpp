// SPDX-License-Identifier: MIT
#include "ui/shell/palette_match.h"

#include <QTest>

using namespace signalbox::ui;

class PaletteMatchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fits_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("label");
        QTest::addColumn<bool>("fits");
        QTest::addRow("nothing typed") << QString() << QStringLiteral("Rules") << true;
        QTest::addRow("start, other case") << QStringLiteral("RU") << QStringLiteral("Rules") << true;
        QTest::addRow("inside a word") << QStringLiteral("ule") << QStringLiteral("Rules") << true;
        QTest::addRow("words in any order") << QStringLiteral("gate stop") << QStringLiteral("Stop the gateway") << true;
        QTest::addRow("one word missing") << QStringLiteral("gate eat") << QStringLiteral("Stop the gateway") << false;
        QTest::addRow("not there") << QStringLiteral("xyz") << QStringLiteral("Rules") << false;
    }
    void fits() {
        QFETCH(QString, query);
        QFETCH(QString, label);
        QFETCH(bool, fits);
        QCOMPARE(paletteScore(query, label).has_value(), fits);
    }

    void betterPlacesWin() {
        const auto score = [](const char* label) { return paletteScore(QStringLiteral("gate"), QString::fromLatin1(label)).value(); };
        QVERIFY(score("Gateway") > score("Stop the gateway"));
        QVERIFY(score("Stop the gateway") > score("Propagate"));
        QVERIFY(score("Gateway") > score("Gateway of the workspace"));
    }
};

QTEST_APPLESS_MAIN(PaletteMatchTest)
#include "tst_palette_match.moc"
