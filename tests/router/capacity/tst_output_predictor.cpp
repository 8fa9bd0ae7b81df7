// SPDX-License-Identifier: MIT
#include "router/capacity/output_predictor.h"

#include <QTest>

using namespace signalbox::capacity;

/// The vectors of the predictor are in tst_routewise_estimates; here is what they do not say.
class TestOutputPredictor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fallsBackFromTheFinestToTheCoarsest() {
        OutputPredictor predictor;
        QCOMPARE(predictor.predict("a", 100, {}).tokens, 512.0);
        for (int i = 0; i < 3; ++i) predictor.update("a", 100, 10);
        for (int i = 0; i < 3; ++i) predictor.update("a", 5000, 50);
        QVERIFY(predictor.predict("a", 127, {}).source == PredictionSource::bucket);
        QCOMPARE(predictor.predict("a", 127, {}).tokens, 10.0);
        QVERIFY(predictor.predict("a", 128, {}).source == PredictionSource::model);
        QCOMPARE(predictor.predict("a", 128, {}).tokens, 30.0);
        QVERIFY(predictor.predict("b", 100, {}).source == PredictionSource::global);
    }

    void answersWithoutTokensTeachNothing() {
        OutputPredictor predictor({512, 1, 1, 1});
        predictor.update("a", 1, 0);
        predictor.update("a", 1, -5);
        QVERIFY(predictor.predict("a", 1, {}).source == PredictionSource::fallback);
    }

    void capAndFloor() {
        OutputPredictor predictor({0.25, 3, 3, 3});
        QCOMPARE(predictor.predict("a", 1, {}).tokens, 1.0);
        OutputPredictor usual;
        QCOMPARE(usual.predict("a", 1, 16).tokens, 16.0);
        QCOMPARE(usual.predict("a", 1, 0).tokens, 512.0);
        QCOMPARE(usual.predict("a", 1, 4096).tokens, 512.0);
    }

    void sizeClassOfEveryPrompt_data() {
        QTest::addColumn<quint64>("prompt");
        QTest::addColumn<quint32>("bucket");
        QTest::newRow("nothing") << quint64{0} << 0u;
        QTest::newRow("one") << quint64{1} << 0u;
        QTest::newRow("two") << quint64{2} << 1u;
        QTest::newRow("below a power") << quint64{1023} << 9u;
        QTest::newRow("a power") << quint64{1024} << 10u;
        QTest::newRow("the largest") << ~quint64{0} << 63u;
    }
    void sizeClassOfEveryPrompt() {
        QFETCH(quint64, prompt);
        QFETCH(quint32, bucket);
        QCOMPARE(OutputPredictor().predict("a", prompt, {}).bucket, bucket);
    }
};

QTEST_APPLESS_MAIN(TestOutputPredictor)
#include "tst_output_predictor.moc"
