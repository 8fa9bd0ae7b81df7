// SPDX-License-Identifier: MIT
#include "ui/shell/palette_commands.h"
#include "ui/shell/palette_match.h"

#include <QAction>
#include <QTest>

#include <cstddef>
#include <new>

using namespace signalbox::ui;

namespace {

/// A page with one thing in it, which opens by `argument`.
class SomePage : public Page {
public:
    SomePage(QString id, QString argument) : Page(PageContext()), m_id(std::move(id)), m_argument(std::move(argument)) {}
    [[nodiscard]] QString id() const override { return m_id; }
    [[nodiscard]] QString name() const override { return QStringLiteral("Some page"); }
    [[nodiscard]] QString question() const override { return {}; }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("history"); }
    [[nodiscard]] QList<Findable> findables() const override {
        return {{QStringLiteral("a:x"), QStringLiteral("thing"), {{m_argument, QStringLiteral("a:x")}}}};
    }

private:
    QString m_id, m_argument;
};

}  // namespace

class PaletteCommandsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anActionIsDone() {
        QAction action(QStringLiteral("&Look at prod"));
        int done = 0;
        connect(&action, &QAction::triggered, this, [&done] { ++done; });
        const auto commands = actionCommands({&action});
        QCOMPARE(commands.size(), 1);
        QCOMPARE(commands.first().label, QStringLiteral("Look at prod"));
        commands.first().run();
        QCOMPARE(done, 1);
    }

    void anAmpersandOfANameStays() {
        QAction action(QStringLiteral("&Forget R&&D…"));
        QCOMPARE(actionCommands({&action}).first().label, QStringLiteral("Forget R&D…"));
    }

    void whatAPageIsForIsFound_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("page");
        const auto row = [](const char* typed, const char* page) { QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(page); };
        row("drain", "endpoints");
        row("circuit", "endpoints");
        row("replay", "simulator");
        row("cost", "history");
        row("audit", "events");
        row("mark", "events");
        row("team", "access");
        row("budget", "access");
        row("sign", "export");
    }
    void whatAPageIsForIsFound() {
        QFETCH(QString, typed);
        QFETCH(QString, page);
        int gone = 0;
        const Command command = pageCommand(SomePage(page, {}), [&gone] { ++gone; });
        QVERIFY(paletteFit(typed, command.label, command.otherNames).has_value());
        QVERIFY(!paletteFit(typed, command.label, pageCommand(SomePage(QStringLiteral("other"), {}), {}).otherNames).has_value());
        command.run();
        QCOMPARE(gone, 1);
    }

    void anEndpointIsFoundByWhatIsDoneToIt() {
        QVariantMap opened;
        const auto open = [&opened](const QVariantMap& arguments) { opened = arguments; };
        const Command endpoint = findableCommands(SomePage(QStringLiteral("endpoints"), QStringLiteral("endpoint")), open).first();
        QVERIFY(paletteFit(QStringLiteral("drain a:x"), endpoint.label, endpoint.otherNames).has_value());
        QVERIFY(paletteFit(QStringLiteral("thing"), endpoint.label, endpoint.otherNames).has_value());
        endpoint.run();
        QCOMPARE(opened.value(QStringLiteral("endpoint")).toString(), QStringLiteral("a:x"));
        const Command pool = findableCommands(SomePage(QStringLiteral("endpoints"), QStringLiteral("pool")), open).first();
        QVERIFY(!paletteFit(QStringLiteral("drain"), pool.label, pool.otherNames).has_value());
    }

    /// The switch between gateways makes its choices anew while the palette may be open.
    void anActionThatIsGoneIsNotDone() {
        alignas(QAction) std::byte place[sizeof(QAction)];
        auto* prod = new (place) QAction(QStringLiteral("Look at prod"));
        const auto commands = actionCommands({prod});
        prod->~QAction();
        // What stands in its place in memory is not taken for it.
        auto* other = new (place) QAction(QStringLiteral("Look at another"));
        int done = 0;
        connect(other, &QAction::triggered, this, [&done] { ++done; });
        commands.first().run();
        QCOMPARE(done, 0);
        other->~QAction();
    }
};

QTEST_MAIN(PaletteCommandsTest)
#include "tst_palette_commands.moc"
