// SPDX-License-Identifier: MIT
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include <memory>

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

    // What is drawn already would keep a colour that another entity has from now on.
    void newEntitiesAreTold() {
        Theme& theme = Theme::instance();
        theme.knowSeries({QStringLiteral("a"), QStringLiteral("b")});
        int told = 0;
        const auto connection = connect(&theme, &Theme::changed, this, [&told] { ++told; });
        theme.knowSeries({QStringLiteral("b"), QStringLiteral("a")});
        QCOMPARE(told, 0);
        theme.knowSeries({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
        disconnect(connection);
        QCOMPARE(told, 1);
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

    // A border and not a shade alone: the shades are too close to each other.
    void whatIsSwitchedOnShowsIt_data() {
        QTest::addColumn<QString>("role");
        QTest::newRow("plain") << QString();
        QTest::newRow("quiet") << QStringLiteral("quiet");
    }
    void whatIsSwitchedOnShowsIt() {
        QFETCH(QString, role);
        for (QAbstractButton* button : {static_cast<QAbstractButton*>(new QToolButton), static_cast<QAbstractButton*>(new QPushButton)}) {
            const std::unique_ptr<QAbstractButton> owner(button);
            button->setProperty("role", role);
            button->setFocusPolicy(Qt::NoFocus);
            button->setCheckable(true);
            button->resize(40, 28);
            button->show();
            QCOMPARE(accents(*button), 0);
            button->setChecked(true);
            QVERIFY2(accents(*button) > 60, qPrintable(QString::number(accents(*button))));
        }
    }

    void whatIsDisabledLooksIt() {
        const Theme& theme = Theme::instance();
        QPushButton danger, plain;
        danger.setProperty("role", QStringLiteral("danger"));
        QSpinBox spin;
        QDoubleSpinBox number;
        QPlainTextEdit text;
        for (QWidget* widget : QList<QWidget*>{&danger, &plain, &spin, &number, &text}) {
            widget->show();  // polished
            QCOMPARE(widget->palette().color(QPalette::Disabled, widget->foregroundRole()), theme.color(Surface::textMuted));
        }
        QCOMPARE(danger.palette().color(QPalette::Active, danger.foregroundRole()), theme.color(Tone::danger));
    }

    void focusIsSeen() {
        QWidget window;
        auto* layout = new QVBoxLayout(&window);
        auto* tabs = new QTabBar;
        tabs->addTab(QStringLiteral("One"));
        tabs->addTab(QStringLiteral("Two"));
        auto* number = new QDoubleSpinBox;
        auto* other = new QLineEdit;
        for (QWidget* widget : QList<QWidget*>{tabs, number, other}) layout->addWidget(widget);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        for (QWidget* widget : QList<QWidget*>{tabs, number}) {
            other->setFocus();
            const int before = accents(*widget);
            widget->setFocus(Qt::TabFocusReason);
            QVERIFY2(accents(*widget) > before + 60, widget->metaObject()->className());
        }
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
    static int accents(QWidget& widget) {
        const QImage image = widget.grab().toImage();
        const QRgb accent = Theme::instance().color(Surface::accent).rgb();
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == accent ? 1 : 0;
        return count;
    }
    static const Theme& inScheme() {
        const int scheme = *static_cast<int*>(QTest::qData("scheme", qMetaTypeId<int>()));
        Theme::instance().setScheme(static_cast<Scheme>(scheme));
        return Theme::instance();
    }
};

QTEST_MAIN(ThemeTest)
#include "tst_theme.moc"
