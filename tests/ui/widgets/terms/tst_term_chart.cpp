// SPDX-License-Identifier: MIT
#include "tests/ui/widgets/terms/groups.h"
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"
#include "ui/widgets/terms/recorded_plan.h"
#include "ui/widgets/terms/term_bar.h"
#include "ui/widgets/terms/term_chart.h"
#include "ui/widgets/terms/term_paint.h"

#include "router/policy/smart/what_if.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace signalbox;
using namespace signalbox::ui;
namespace smart = policy::smart;

class TermChartTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    void partsOfARecordAddUpToItsScore() {
        const TermDecision decision = toTermDecision(test::recordedGroup());
        QCOMPARE(decision.rows.size(), std::size_t{4});
        for (const TermRow& row : decision.rows) {
            if (!row.isEligible()) continue;
            const double sum = std::accumulate(row.parts.begin(), row.parts.end(), 0.0);
            QVERIFY(std::abs(sum - row.terms.score) < 1e-12);
        }
        QVERIFY(decision.rows[1].isSelected && !decision.rows[1].isRecommended);
        QVERIFY(decision.rows[0].isRecommended && decision.rows[2].isFavourite);
    }

    void planAndRecordGiveTheSameBars() {
        const auto group = test::recordedGroup();
        const auto plan = planOf(group);
        QVERIFY(plan.has_value());
        smart::Group configured;
        for (const auto& candidate : group.candidates) {
            const auto colon = candidate.endpointId.find(':');
            configured.candidates.push_back(smart::makeCandidate(candidate.endpointId.substr(0, colon), candidate.endpointId.substr(colon + 1)));
        }
        const TermDecision a = toTermDecision(group), b = toTermDecision(*plan, configured);
        for (std::size_t i = 0; i < a.rows.size(); ++i) {
            QCOMPARE(sentenceOf(a.rows[i]), sentenceOf(b.rows[i]));
            QVERIFY(a.rows[i].parts == b.rows[i].parts);
        }
    }

    void aRecordDecidesAgainUnderOtherWeights() {
        const auto plan = planOf(test::recordedGroup());
        QVERIFY(plan.has_value());
        QCOMPARE(smart::choiceUnder(*plan, plan->weights), plan->recommended);
        QCOMPARE(smart::choiceUnder(*plan, smart::weightsOf(smart::builtinWeights(), smart::Profile::latency)), std::uint16_t{1});
    }

    void refusedOrForeignRecordsGiveNoPlan() {
        auto group = test::recordedGroup();
        group.selected.clear();
        QVERIFY(!planOf(group).has_value());
        group = test::recordedGroup();
        group.recommended = "gone:model";
        QVERIFY(!planOf(group).has_value());
        group = test::recordedGroup();
        group.candidates[0].cut = "a_word_of_tomorrow";
        QVERIFY(!planOf(group).has_value());
        QVERIFY(sentenceOf(toTermDecision(group).rows[0]).contains(QStringLiteral("cut: a_word_of_tomorrow")));
    }

    void everyRowSpeaks() {
        const TermDecision decision = toTermDecision(test::recordedGroup());
        QCOMPARE(sentenceOf(decision.rows[0]), QStringLiteral("local:qwen3-9b, score 0.8695: quality 0.2520, cost 0.3000, latency 0.1600, "
                                                              "reliability 0.1455, affinity 0.0120; recommended"));
        QCOMPARE(sentenceOf(decision.rows[3]), QStringLiteral("openrouter:mid, cut: cooling down"));
        const QString inputs = inputsOf(decision.rows[1], decision.weights);
        for (const char* word : {"(prior)", "(estimate)", "0.002100 USD", "900 ms", "0.91"})
            QVERIFY2(inputs.contains(QLatin1String(word)), qPrintable(inputs));
    }

    void keysMoveBetweenRowsWithOneTabStop() {
        TermChart chart;
        chart.resize(640, 300);
        chart.setDecision(toTermDecision(test::recordedGroup()));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const auto tabStops = [&chart] {
            int count = 0;
            for (int i = 0; i < 4; ++i) count += chart.bar(i)->focusPolicy() == Qt::StrongFocus ? 1 : 0;
            return count;
        };
        QCOMPARE(tabStops(), 1);
        QSignalSpy chosen(&chart, &TermChart::rowChosen);
        chart.bar(0)->setFocus();
        QTest::keyClick(chart.bar(0), Qt::Key_Down);
        QTest::keyClick(chart.bar(1), Qt::Key_Return);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 1);
        QTest::keyClick(chart.bar(1), Qt::Key_End);
        QVERIFY(chart.bar(3)->hasFocus());
        QCOMPARE(tabStops(), 1);
        QTest::mouseClick(chart.bar(2), Qt::LeftButton);
        QCOMPARE(chosen.back()[0].toInt(), 2);
    }

    void barsShareOneScaleAtEveryWidth() {
        TermChart chart;
        chart.setDecision(toTermDecision(test::recordedGroup()));
        for (const int width : {280, 460, 900}) {
            chart.resize(width, chart.sizeHint().height());
            chart.show();
            QVERIFY(QTest::qWaitForWindowExposed(&chart));
            QTRY_COMPARE(chart.bar(0)->width(), width);
            for (int i = 1; i < 4; ++i) QCOMPARE(chart.bar(i)->track().width(), chart.bar(0)->track().width());
            QVERIFY(chart.bar(0)->track().right() <= width);
        }
    }

    void aSmallerDecisionHidesWhatIsOver() {
        TermChart chart;
        chart.setDecision(toTermDecision(test::recordedGroup()));
        auto fewer = test::recordedGroup();
        fewer.candidates.resize(2);
        chart.setDecision(toTermDecision(fewer));
        QVERIFY(chart.bar(2)->isHidden() && !chart.bar(1)->isHidden());
    }

    // Colour is never alone, and no two terms look alike.
    void termsDiffer() {
        for (const Scheme scheme : {Scheme::light, Scheme::dark}) {
            Theme::instance().setScheme(scheme);
            std::set<QString> letters;
            std::set<QRgb> fills;
            for (const smart::Term term : kTerms) {
                letters.insert(termLetter(term));
                fills.insert(termColor(term).rgb());
                QVERIFY(colors::contrast(termColor(term), Theme::instance().color(Surface::panel)) >= 1.9);
            }
            QCOMPARE(letters.size(), kTerms.size());
            QCOMPARE(fills.size(), kTerms.size());
        }
        Theme::instance().setScheme(Scheme::light);
    }

    void pictures() {
        QVERIFY(QDir().mkpath(QStringLiteral(SIGNALBOX_BINARY_DIR "/visual")));
        for (const auto& [scheme, name] : {std::pair(Scheme::light, "light"), std::pair(Scheme::dark, "dark")})
            for (const int width : {320, 760}) {
                Theme::instance().setScheme(scheme);
                QWidget window;
                window.setPalette(Theme::instance().color(Surface::panel));
                TermChart chart(&window);
                chart.setDecision(toTermDecision(test::recordedGroup()));
                chart.setCurrent(1);
                chart.resize(width, 10);
                window.resize(width, 320);
                window.show();
                QVERIFY(QTest::qWaitForWindowExposed(&window));
                chart.resize(width, chart.heightForWidth(width) > 0 ? chart.heightForWidth(width) : 320);
                chart.bar(0)->setFocus();
                QVERIFY(window.grab().save(QStringLiteral(SIGNALBOX_BINARY_DIR "/visual/terms-%1-%2.png").arg(width).arg(QLatin1String(name))));
            }
        Theme::instance().setScheme(Scheme::light);
    }
};

QTEST_MAIN(TermChartTest)
#include "tst_term_chart.moc"
