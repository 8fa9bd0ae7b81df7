// SPDX-License-Identifier: MIT
#include "ui/shell/palette_commands.h"

#include <QAction>
#include <QTest>

#include <cstddef>
#include <new>

using namespace signalbox::ui;

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
