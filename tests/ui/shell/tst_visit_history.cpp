// SPDX-License-Identifier: MIT
#include "ui/shell/visit_history.h"

#include <QTest>

using namespace signalbox::ui;

static Visit at(const char* page, int row = 0) { return {QString::fromLatin1(page), {{QStringLiteral("row"), row}}}; }

class VisitHistoryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void backAndForwardKeepStates() {
        VisitHistory history;
        history.leave(at("overview", 3));
        history.leave(at("rules", 5));
        QCOMPARE(history.back(at("history", 7))->page, QStringLiteral("rules"));
        QCOMPARE(history.back(at("rules", 6))->state.value(QStringLiteral("row")).toInt(), 3);
        QVERIFY(!history.canGoBack());
        QCOMPARE(history.forward(at("overview", 4))->state.value(QStringLiteral("row")).toInt(), 6);
        QCOMPARE(history.forward(at("rules", 6))->page, QStringLiteral("history"));
        QVERIFY(!history.canGoForward());
    }

    void newPlaceForgetsTheWayForward() {
        VisitHistory history;
        history.leave(at("overview"));
        QVERIFY(history.back(at("rules")).has_value());
        history.leave(at("overview"));
        QVERIFY(!history.canGoForward());
    }

    void samePlaceTwiceIsOneStep() {
        VisitHistory history;
        history.leave(at("overview"));
        history.leave(at("overview"));
        QVERIFY(history.back(at("rules")).has_value());
        QVERIFY(!history.canGoBack());
    }

    void historyIsBounded() {
        VisitHistory history;
        for (int i = 0; i < 500; ++i) history.leave(at("rules", i));
        std::size_t steps = 0;
        while (history.back(at("x")).has_value()) ++steps;
        QCOMPARE(steps, VisitHistory::kLimit);
    }
};

QTEST_APPLESS_MAIN(VisitHistoryTest)
#include "tst_visit_history.moc"
