// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "ui/dialogs/three_way.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

/// "b|t|o" a row, a missing line as "-", a differing side with "!".
static QStringList shown(const std::vector<ThreeWayRow>& rows) {
    QStringList lines;
    for (const ThreeWayRow& row : rows)
        lines << QStringLiteral("%1|%2%3|%4%5").arg(row.base.value_or(QStringLiteral("-")), row.theirs.value_or(QStringLiteral("-")), row.theirsDiffers ? QStringLiteral("!") : QString(),
                                                   row.ours.value_or(QStringLiteral("-")), row.oursDiffers ? QStringLiteral("!") : QString());
    return lines;
}
static QString text(const char* lines) { return QString::fromLatin1(lines).replace(QLatin1Char(' '), QLatin1Char('\n')); }

class ThreeWayTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void rows_data() {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("theirs");
        QTest::addColumn<QString>("ours");
        QTest::addColumn<QStringList>("rows");
        const auto lines = [](const char* rows) { return QString::fromLatin1(rows).split(QLatin1Char(' ')); };
        QTest::addRow("nothing differs") << text("a b") << text("a b") << text("a b") << lines("a|a|a b|b|b");
        QTest::addRow("theirs changed a line") << text("a b c") << text("a X c") << text("a b c") << lines("a|a|a b|X!|b c|c|c");
        QTest::addRow("each changed another line") << text("a b c") << text("X b c") << text("a b Y") << lines("a|X!|a b|b|b c|c|Y!");
        QTest::addRow("both changed the same line") << text("a b c") << text("a X c") << text("a Y c") << lines("a|a|a b|X!|Y! c|c|c");
        QTest::addRow("theirs added, ours removed") << text("a b c") << text("a N b c") << text("a c") << lines("a|a|a b|N!|-! -|b!|-! c|c|c");
        QTest::addRow("ours is empty") << text("a b") << text("a b") << QString() << lines("a|a|! b|b|-!");
    }
    void rows() {
        QFETCH(QString, base);
        QFETCH(QString, theirs);
        QFETCH(QString, ours);
        QTEST(shown(compareThree(base, theirs, ours)), "rows");
    }

    // Whatever the texts are, each column read downwards is its text, and an unmarked row is the same in base.
    void everyColumnIsItsText() {
        FastRandom random(7);
        const auto lines = [&random] {
            QStringList made;
            for (std::uint64_t n = random.next() % 12; n > 0; --n) made << QString(QChar(static_cast<char16_t>(u'a' + random.next() % 4)));
            return made.join(QLatin1Char('\n'));
        };
        for (int round = 0; round < 500; ++round) {
            const QString base = lines(), theirs = lines(), ours = lines();
            QStringList columns[3];
            for (const ThreeWayRow& row : compareThree(base, theirs, ours)) {
                if (row.base) columns[0] << *row.base;
                if (row.theirs) columns[1] << *row.theirs;
                if (row.ours) columns[2] << *row.ours;
                if (!row.theirsDiffers) QCOMPARE(row.theirs, row.base);
                if (!row.oursDiffers) QCOMPARE(row.ours, row.base);
            }
            QCOMPARE(columns[0].join(QLatin1Char('\n')), base);
            QCOMPARE(columns[1].join(QLatin1Char('\n')), theirs);
            QCOMPARE(columns[2].join(QLatin1Char('\n')), ours);
        }
    }

    void matchesAreAsManyAsCanBe() {
        const QStringList before = text("a b c a b b a").split(QLatin1Char('\n')), after = text("c b a b a c").split(QLatin1Char('\n'));
        const auto matches = matchingLines(before, after);
        int last = -1, count = 0;
        for (std::size_t i = 0; i < matches.size(); ++i) {
            if (matches[i] < 0) continue;
            QVERIFY(matches[i] > last);
            last = matches[i];
            QCOMPARE(after.at(last), before.at(static_cast<qsizetype>(i)));
            ++count;
        }
        QCOMPARE(count, 4);  // the longest common subsequence of Myers' own example
    }
};

QTEST_GUILESS_MAIN(ThreeWayTest)
#include "tst_three_way.moc"
