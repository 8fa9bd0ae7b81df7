// SPDX-License-Identifier: MIT
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

#include <QTest>

using namespace signalbox::ui;

class ThemeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { Theme::instance().apply(); }

    void textStandsOut_data() { schemes(); }
    void textStandsOut() {
        const Theme& theme = inScheme();
        for (const auto ground : {Surface::window, Surface::panel, Surface::raised, Surface::hover, Surface::selection, Surface::accentSoft})
            QVERIFY2(colors::contrast(theme.color(Surface::text), theme.color(ground)) >= 7.0, qPrintable(theme.color(ground).name()));
        for (const auto ground : {Surface::window, Surface::panel, Surface::raised})
            QVERIFY2(colors::contrast(theme.color(Surface::textMuted), theme.color(ground)) >= 4.5, qPrintable(theme.color(ground).name()));
        QVERIFY(colors::contrast(theme.color(Surface::textOnAccent), theme.color(Surface::accent)) >= 4.5);
    }

    void tonesAreReadable_data() { schemes(); }
    void tonesAreReadable() {
        const Theme& theme = inScheme();
        for (const Tone tone : kTones) {
            const QByteArray word = theme.word(tone).toUtf8();
            QVERIFY2(colors::contrast(theme.color(tone), theme.color(Surface::panel)) >= 4.5, word.constData());
            QVERIFY2(colors::contrast(theme.color(tone), theme.softColor(tone)) >= 4.5, word.constData());
        }
    }

    void everyToneHasItsOwnGlyphAndWord() {
        QSet<QString> glyphs, words;
        for (const Tone tone : kTones) {
            glyphs << Theme::instance().glyph(tone);
            words << Theme::instance().word(tone);
        }
        QCOMPARE(glyphs.size(), std::size(kTones));
        QCOMPARE(words.size(), std::size(kTones));
    }

    void seriesStandOut_data() { schemes(); }
    void seriesStandOut() {
        const Theme& theme = inScheme();
        for (const auto& pair : colors::series())
            QVERIFY2(colors::contrast(pair.of(theme.scheme()), theme.color(Surface::panel)) >= 3.0, qPrintable(pair.of(theme.scheme()).name()));
    }

    void entityKeepsItsColour() {
        Theme& theme = Theme::instance();
        theme.knowSeries({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        const QColor before = theme.seriesColor(QStringLiteral("b"));
        theme.knowSeries({QStringLiteral("c"), QStringLiteral("b"), QStringLiteral("a")});
        QCOMPARE(theme.seriesColor(QStringLiteral("b")), before);
    }

    void knownEntitiesDifferWhileColoursLast() {
        Theme& theme = Theme::instance();
        QStringList entities;
        for (std::size_t i = 0; i < colors::series().size(); ++i) entities << QStringLiteral("preset-%1").arg(i);
        theme.knowSeries(entities);
        QSet<QRgb> used;
        for (const QString& entity : std::as_const(entities)) used << theme.seriesColor(entity).rgb();
        QCOMPARE(used.size(), entities.size());
    }

    void schemeChangeIsTold() {
        Theme& theme = Theme::instance();
        theme.setScheme(Scheme::light);
        int told = 0;
        const auto connection = connect(&theme, &Theme::changed, this, [&told] { ++told; });
        theme.setScheme(Scheme::dark);
        theme.setScheme(Scheme::dark);
        disconnect(connection);
        QCOMPARE(told, 1);
        QCOMPARE(QApplication::palette().color(QPalette::Window), theme.color(Surface::window));
    }

    void iconsFollowTheScheme() {
        Theme& theme = Theme::instance();
        QVERIFY(theme.icon(QStringLiteral("no-such-icon")).isNull());
        for (const char* name : {"overview", "gateway", "presets", "rules", "history", "export", "copy", "eye"}) {
            const QImage picture = theme.icon(QString::fromLatin1(name), Qt::red).pixmap(24, 24).toImage();
            bool red = false;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x) red = red || (picture.pixelColor(x, y).alpha() > 100 && picture.pixelColor(x, y).red() > 200);
            QVERIFY2(red, name);
        }
    }

    void figuresAreTabular() {
        const QFontMetricsF metrics(Theme::instance().numberFont());
        for (int digit = 1; digit < 10; ++digit)
            QCOMPARE(metrics.horizontalAdvance(QString::number(digit)), metrics.horizontalAdvance(QStringLiteral("0")));
    }

private:
    static constexpr Tone kTones[] = {Tone::clear, Tone::caution, Tone::danger, Tone::info, Tone::canary, Tone::gap, Tone::idle};
    static void schemes() {
        QTest::addColumn<int>("scheme");
        QTest::addRow("light") << static_cast<int>(Scheme::light);
        QTest::addRow("dark") << static_cast<int>(Scheme::dark);
    }
    static const Theme& inScheme() {
        const int scheme = *static_cast<int*>(QTest::qData("scheme", qMetaTypeId<int>()));
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
        return Theme::instance();
    }
};

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
