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

    // What one looks for may have another name here. What is called so comes first.
    void otherNamesAreFoundAndSaid() {
        const QStringList names{QStringLiteral("drain an endpoint"), QStringLiteral("circuits")};
        const auto found = paletteFit(QStringLiteral("DRAIN"), QStringLiteral("Endpoints"), names);
        QVERIFY(found.has_value());
        QCOMPARE(found->because, QStringLiteral("drain an endpoint"));
        QVERIFY(found->score < paletteScore(QStringLiteral("drain"), QStringLiteral("mandrain")).value());
        const auto both = paletteFit(QStringLiteral("end circ"), QStringLiteral("Endpoints"), names);
        QVERIFY(both.has_value() && both->because == QStringLiteral("circuits"));
        QVERIFY(paletteFit(QStringLiteral("endp"), QStringLiteral("Endpoints"), names)->because.isEmpty());
        const auto other = paletteFit(QStringLiteral("drain"), QStringLiteral("Events"), {QStringLiteral("drains and applies")});
        QVERIFY(other.has_value() && other->score < found->score);  // the whole word first
        QVERIFY(!paletteFit(QStringLiteral("rain"), QStringLiteral("Endpoints"), names));  // inside a word it is chance
        QVERIFY(!paletteFit(QStringLiteral("drain zzz"), QStringLiteral("Endpoints"), names));
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
