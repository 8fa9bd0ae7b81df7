// SPDX-License-Identifier: MIT
#include "app/shared/shutdown.h"
#include "tests/support/fakes.h"

#include <QTest>

using namespace signalbox;
using namespace std::chrono_literals;

class TestStopWishes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatComesTwiceAtOnceIsOneWish() {
        test::ManualClock clock;
        app::StopWishes wishes(clock);
        QVERIFY(wishes.isAnother());
        clock.advance(1ms);
        QVERIFY(!wishes.isAnother());
        clock.advance(198ms);
        QVERIFY(!wishes.isAnother());
    }

    void aSecondWishIsOne() {
        test::ManualClock clock;
        app::StopWishes wishes(clock);
        QVERIFY(wishes.isAnother());
        clock.advance(200ms);
        QVERIFY(wishes.isAnother());
    }

    // Somebody who goes on asking is heard: echoes are counted from the wish, not from one another.
    void echoesDoNotAddUp() {
        test::ManualClock clock;
        app::StopWishes wishes(clock);
        QVERIFY(wishes.isAnother());
        int heard = 0;
        for (int i = 0; i < 40; ++i) {
            clock.advance(50ms);
            heard += wishes.isAnother() ? 1 : 0;
        }
        QCOMPARE(heard, 10);
    }
};

QTEST_GUILESS_MAIN(TestStopWishes)
#include "tst_stop_wishes.moc"
