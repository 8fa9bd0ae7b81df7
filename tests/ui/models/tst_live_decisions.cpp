// SPDX-License-Identifier: MIT
// Requests under way stand above those that ended, and keep their place in the reader's hand when they end.
#include "ui/models/live_decisions_model.h"
#include "ui/models/roles.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;
using Model = LiveDecisionsModel;

class LiveDecisionsTest : public QObject {
    Q_OBJECT

    static DecisionId idOf(int number) {
        FastRandom random(static_cast<std::uint64_t>(number));
        return DecisionId::make(Timestamp(std::chrono::seconds(1'764'400'000)), random);
    }
    static evidence::RunningRequest request(int number, Steady admittedAt = Steady(100s)) {
        evidence::RunningRequest out;
        out.id = idOf(number);
        out.requestedModel = "m" + std::to_string(number);
        out.admittedAt = admittedAt;
        out.stage = evidence::Stage::waiting;
        out.endpointId = "lab:m";
        return out;
    }
    static Model::RecordPtr record(int number) {
        auto out = std::make_shared<evidence::DecisionRecord>();
        out->id = idOf(number);
        out->requestedModel = "m" + std::to_string(number);
        return out;
    }
    /// Models from the top, those under way in brackets.
    static QString shown(const Model& model) {
        QStringList out;
        for (int row = 0; row < model.rows(); ++row) {
            const QString name = model.index(row, Model::Model).data().toString();
            out << (model.runningAt(row) != nullptr ? QLatin1Char('[') + name + QLatin1Char(']') : name);
        }
        return out.join(QLatin1Char(' '));
    }

private Q_SLOTS:
    void whatIsUnderWayStandsOnTop() {
        Model model(10);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.add({record(1), record(2)});
        model.setRunning({request(3), request(4)}, Steady(142s));
        QCOMPARE(shown(model), QStringLiteral("[m4] [m3] m2 m1"));
        QCOMPARE(model.index(0, Model::OutcomeColumn).data().toString(), QStringLiteral("waiting 42 s"));
        QVERIFY(model.index(0, Model::OutcomeColumn).data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("waiting 42 s")));
        QCOMPARE(model.index(0, Model::Endpoint).data().toString(), QStringLiteral("lab:m"));
        QVERIFY(!model.at(1) && model.at(2) && model.runningAt(2) == nullptr);
        QCOMPARE(model.rowOf(idOf(3)), 1);
        QCOMPARE(model.rowOf(idOf(1)), 3);
        QCOMPARE(model.rowOf(idOf(9)), -1);
        auto streams = request(3);
        streams.stage = evidence::Stage::streaming;
        streams.firstContentMs = 511.6;
        model.setRunning({streams, request(4), request(5)}, Steady(143s));
        QCOMPARE(shown(model), QStringLiteral("[m5] [m4] [m3] m2 m1"));
        QCOMPARE(model.index(2, Model::OutcomeColumn).data().toString(), QStringLiteral("streaming 43 s"));
        QCOMPARE(model.index(2, Model::FirstToken).data().toString(), QStringLiteral("512"));
    }

    void whoeverChoseItKeepsItWhenItEnds() {
        Model model(10);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.add({record(1)});
        model.setRunning({request(2), request(3), request(4)}, Steady(101s));
        const QPersistentModelIndex middle(model.index(1, 0)), last(model.index(2, 0));
        QSignalSpy resets(&model, &Model::modelReset), removed(&model, &Model::rowsRemoved);
        model.add({record(3), record(7)});
        QCOMPARE(shown(model), QStringLiteral("[m4] [m2] m7 m3 m1"));
        QCOMPARE(middle.row(), 3);
        model.add({record(2)});
        QCOMPARE(shown(model), QStringLiteral("[m4] m2 m7 m3 m1"));
        QCOMPARE(last.row(), 1);
        QVERIFY(resets.isEmpty() && removed.isEmpty());
        // The answer to what was asked before they ended comes late.
        model.setRunning({request(2), request(3), request(4)}, Steady(102s));
        QCOMPARE(shown(model), QStringLiteral("[m4] m2 m7 m3 m1"));
    }

    // Its record may be on its way; what came too fast to show never comes.
    void whatIsNoLongerToldStaysOnceMore() {
        Model model(10);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRunning({request(1), request(2)}, Steady(101s));
        model.setRunning({request(2)}, Steady(102s));
        QCOMPARE(shown(model), QStringLiteral("[m2] [m1]"));
        model.setRunning({request(2)}, Steady(103s));
        QCOMPARE(shown(model), QStringLiteral("[m2]"));
        model.setRunning({}, Steady(104s));
        model.add({record(2)});
        QCOMPARE(shown(model), QStringLiteral("m2"));
    }

    void theLimitIsOfThoseThatEnded() {
        Model model(2);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setRunning({request(1), request(2), request(3)}, Steady(101s));
        model.add({record(4), record(1), record(5), record(6)});
        QCOMPARE(shown(model), QStringLiteral("[m3] [m2] m6 m5"));
        model.reset({record(8)});
        QCOMPARE(shown(model), QStringLiteral("m8"));
    }
};

QTEST_MAIN(LiveDecisionsTest)
#include "tst_live_decisions.moc"
