// SPDX-License-Identifier: MIT
#include "ui/theme/format.h"

#include <QLocale>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class FormatTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void countsAreGrouped() { QCOMPARE(format::count(22'600), QStringLiteral("22,600")); }

    void milliseconds_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("text");
        QTest::addRow("below ten keeps a decimal") << 4.25 << QStringLiteral("4.3 ms");
        QTest::addRow("whole milliseconds") << 840.4 << QStringLiteral("840 ms");
        QTest::addRow("seconds") << 1240.0 << QStringLiteral("1.24 s");
        QTest::addRow("minutes") << 125'000.0 << QStringLiteral("2 min 5 s");
    }
    void milliseconds() {
        QFETCH(double, value);
        QFETCH(QString, text);
        QCOMPARE(format::milliseconds(value), text);
    }
    void noMillisecondsIsADash() { QCOMPARE(format::milliseconds(std::nullopt), format::none()); }

    void smallSamplesShowTheirSize() {
        QCOMPARE(format::share(1, 4), QStringLiteral("25.0 % of 4"));
        QCOMPARE(format::share(184, 1000), QStringLiteral("18.4 %"));
        QCOMPARE(format::share(0, 0), format::none());
    }

    void spans() {
        QCOMPARE(format::seconds(45s), QStringLiteral("45 s"));
        QCOMPARE(format::seconds(15min), QStringLiteral("15 min"));
        QCOMPARE(format::seconds(24h), QStringLiteral("24 h"));
        QCOMPARE(format::seconds(3h + 20min), QStringLiteral("3 h 20 min"));
        QCOMPARE(format::seconds(24h * 7), QStringLiteral("7 d"));
    }

    void relativeTime() {
        const Timestamp now = format::now();
        QCOMPARE(format::ago(now, now), QStringLiteral("just now"));
        QCOMPARE(format::ago(now + 5s, now), QStringLiteral("just now"));
        QCOMPARE(format::ago(now - 12s, now), QStringLiteral("12 s ago"));
        QCOMPARE(format::ago(now - 3h, now), QStringLiteral("3 h ago"));
    }

    void utcNamesItself() {
        QCOMPARE(format::utc(Timestamp(1'764'437'439'123ms)), QStringLiteral("2025-11-29 17:30:39.123 UTC"));
    }

    void textKeepsUtf8() {
        const std::string word = "Ünïcode 模型 🚦";
        QCOMPARE(format::utf8(format::text(word)), word);
        QCOMPARE(format::sentence("ünder"), QStringLiteral("Ünder"));
        QCOMPARE(format::sentence(""), QString());
    }
};

QTEST_GUILESS_MAIN(FormatTest)
#include "tst_format.moc"
