// SPDX-License-Identifier: MIT
// What is worse than at this time of the last four weeks, and for whom.
#include "ui/pages/overview/usual.h"
#include "ui/pages/overview/usual_figure.h"
#include "ui/pages/overview/usual_sheet.h"
#include "ui/theme/theme.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/figure_row.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;
using evidence::TrafficPart;
using evidence::UsualReport;
using Verdict = UsualJudgement::Verdict;

static const Timestamp kNow{1'800'000'000s};

static TrafficPart traffic(std::uint64_t requests, std::uint64_t failed) {
    TrafficPart part;
    part.requests = requests;
    part.failed = failed;
    part.compared = requests;
    part.disagreements = requests / 5;
    part.firstContentP95Ms = 900;
    part.timed = requests;
    part.tokensPerSecond = 40;
    part.streamed = requests;
    return part;
}

/// An hour of 600 requests with 1 % errors, and four weeks like it.
static UsualReport quiet() {
    UsualReport report;
    report.now = {{kNow - 1h, kNow}, traffic(600, 6)};
    for (int week = 1; week <= 4; ++week) report.before.push_back({{kNow - 1h - week * 168h, kNow - week * 168h}, traffic(static_cast<std::uint64_t>(560 + 20 * week), 5)});
    report.oldest = kNow - 5 * 168h;
    report.sampled = 600;
    report.teams = {{"red", traffic(300, 3)}, {"blue", traffic(300, 3)}};
    report.endpoints = {{"a:x", traffic(300, 3)}, {"b:y", traffic(300, 3)}};
    return report;
}

class UsualTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }

    void likeTheWeeksBeforeIsUsual() {
        const UsualReport report = quiet();
        for (const UsualTopic topic : kUsualTopics) QVERIFY2(judgeUsual(topic, report).verdict == Verdict::usual, qPrintable(usualName(topic)));
        QCOMPARE(usualSentence(report), QStringLiteral("Nothing is worse than at this time of the last 4 week(s)."));
        QCOMPARE(usualText(UsualTopic::traffic, report).value, QStringLiteral("10.0"));
        QCOMPARE(usualText(UsualTopic::traffic, report).usual, QStringLiteral("usual 9.67 to 10.7"));
    }

    void worse_data() {
        QTest::addColumn<int>("topic");
        QTest::addColumn<int>("verdict");
        const auto row = [](const char* tag, UsualTopic topic, Verdict verdict) { QTest::newRow(tag) << static_cast<int>(topic) << static_cast<int>(verdict); };
        row("more errors", UsualTopic::errors, Verdict::worse);
        row("a slower first token", UsualTopic::firstToken, Verdict::worse);
        row("fewer tokens a second", UsualTopic::speed, Verdict::worse);
        row("more disagreement", UsualTopic::disagreement, Verdict::worse);
        row("gaps hit", UsualTopic::gaps, Verdict::worse);
        row("hardly any traffic", UsualTopic::traffic, Verdict::worse);
    }
    void worse() {
        QFETCH(int, topic);
        QFETCH(int, verdict);
        UsualReport report = quiet();
        TrafficPart& now = report.now.all;
        switch (static_cast<UsualTopic>(topic)) {
        case UsualTopic::traffic: now.requests = 30; break;
        case UsualTopic::errors: now.failed = 60; break;
        case UsualTopic::firstToken: now.firstContentP95Ms = 1500; break;
        case UsualTopic::speed: now.tokensPerSecond = 20; break;
        case UsualTopic::disagreement: now.disagreements = 300; break;
        case UsualTopic::gaps: now.gapHits = 60; break;
        }
        QVERIFY(static_cast<int>(judgeUsual(static_cast<UsualTopic>(topic), report).verdict) == verdict);
        const UsualText text = usualText(static_cast<UsualTopic>(topic), report);
        QVERIFY(text.tone == Tone::caution || text.tone == Tone::danger);
        QVERIFY(text.usual.startsWith(QStringLiteral("above the usual")) || text.usual.startsWith(QStringLiteral("below the usual")));
        QVERIFY(usualSentence(report).startsWith(QStringLiteral("Worse than usual: ") + usualName(static_cast<UsualTopic>(topic))));
    }

    void betterIsNotWorse() {
        UsualReport report = quiet();
        report.now.all.failed = 0;
        report.now.all.firstContentP95Ms = 300;
        report.now.all.tokensPerSecond = 90;
        QVERIFY(judgeUsual(UsualTopic::firstToken, report).verdict == Verdict::otherwise);
        QVERIFY(judgeUsual(UsualTopic::speed, report).verdict == Verdict::otherwise);
        QVERIFY(judgeUsual(UsualTopic::errors, report).verdict != Verdict::worse);
    }

    void aHandfulOfRequestsSaysNothing() {
        UsualReport report = quiet();
        report.now.all = traffic(10, 5);
        QVERIFY(judgeUsual(UsualTopic::errors, report).verdict == Verdict::unknown);
    }

    void withoutHistoryThereIsNoUsual() {
        UsualReport report = quiet();
        report.before.clear();
        report.oldest = kNow - 75h;
        QCOMPARE(noUsualText(report), QStringLiteral("no usual yet: 3 day(s) of history"));
        QCOMPARE(usualText(UsualTopic::errors, report).usual, QStringLiteral("no usual yet: 3 day(s) of history"));
        QVERIFY(usualText(UsualTopic::errors, report).tone == Tone::idle);
        report.oldest.reset();
        QCOMPARE(noUsualText(report), QStringLiteral("no usual yet: no history"));
    }

    void theWorstIsNamedWithItsSample() {
        UsualReport report = quiet();
        report.teams["blue"].failed = 30;
        report.teams["tiny"] = traffic(3, 3);  // three of three may be chance
        report.endpoints["b:y"].failed = 90;
        const UsualText text = usualText(UsualTopic::errors, report);
        QCOMPARE(text.team, QStringLiteral("team blue: 10.0 % of 300"));
        QCOMPARE(text.endpoint, QStringLiteral("b:y: 30.0 % of 300"));
        QCOMPARE(text.worstEndpoint, std::string("b:y"));
        // A small part that fails a little more often does not beat a large one.
        report.teams["small"] = traffic(20, 3);
        QCOMPARE(rankUsual(UsualTopic::errors, report.teams, report.now.range).front().name, std::string("blue"));
        report.teams = {{"", traffic(600, 6)}};
        QVERIFY(usualText(UsualTopic::errors, report).team.isEmpty());  // nobody to tell apart
    }

    void theFigureOpensByMouseAndKeys() {
        UsualFigure figure(UsualTopic::errors);
        figure.set(usualText(UsualTopic::errors, quiet()));
        figure.resize(180, 120);
        figure.show();
        QVERIFY(figure.accessibleName().startsWith(QStringLiteral("Errors: 1.0 %")));
        QVERIFY(figure.accessibleDescription().contains(QStringLiteral("usual")));
        QSignalSpy opened(&figure, &UsualFigure::opened);
        QTest::mouseClick(figure.childAt(20, 60) != nullptr ? figure.childAt(20, 60) : &figure, Qt::LeftButton);
        QTest::keyClick(&figure, Qt::Key_Return);
        QTest::keyClick(&figure, Qt::Key_Space);
        QCOMPARE(opened.count(), 3);
    }

    // The name gives way: what it is worse by does not.
    void aLongEndpointLeavesItsFigureWhole() {
        UsualReport report = quiet();
        report.endpoints = {{"harrow-local:qwen3.5-35b-a3b-instruct", traffic(300, 90)}, {"a:x", traffic(300, 3)}};
        UsualFigure figure(UsualTopic::errors);
        figure.set(usualText(UsualTopic::errors, report));
        QStringList shown;
        for (const auto* label : figure.findChildren<ElidedLabel*>()) shown << label->shownIn(140);
        QVERIFY2(shown.filter(QStringLiteral(": 30.0 % of 300")).size() == 1, qPrintable(shown.join(QLatin1Char('|'))));
    }

    void theSheetLeadsToItsRequests() {
        UsualReport report = quiet();
        report.now.all.failed = 60;
        QVariantMap filter;
        const std::unique_ptr<QWidget> sheet(makeUsualSheet(UsualTopic::errors, report, [&filter](const QVariantMap& wanted) { filter = wanted; }, [](const QString&) {}));
        QStringList texts;
        for (const auto* label : sheet->findChildren<QLabel*>()) texts << label->text();
        QVERIFY(texts.contains(QStringLiteral("10.0 % of 600")));
        const auto button = [&sheet](const QString& text) -> QPushButton* {
            for (auto* one : sheet->findChildren<QPushButton*>())
                if (one->text() == text) return one;
            return nullptr;
        };
        QVERIFY(button(QStringLiteral("Show these requests")) != nullptr);
        button(QStringLiteral("Show these requests"))->click();
        QCOMPARE(filter, (QVariantMap{{QStringLiteral("outcome"), QStringLiteral("failed")}}));
        // A team leads to its part of them, by the keyboard too.
        QPushButton* red = button(QStringLiteral("red: 1.0 % of 300"));
        QVERIFY(red != nullptr && red->focusPolicy() == Qt::StrongFocus);
        QTest::keyClick(red, Qt::Key_Space);
        QCOMPARE(filter, (QVariantMap{{QStringLiteral("outcome"), QStringLiteral("failed")}, {QStringLiteral("team"), QStringLiteral("red")}}));
        QCOMPARE(usualFilter(UsualTopic::errors, "b:y").value(QStringLiteral("attempted")).toString(), QStringLiteral("b:y"));
    }

    void anEndpointLeadsToItsPage() {
        UsualReport report = quiet();
        report.endpoints["harrow-local:qwen3.5-35b-a3b-instruct"] = traffic(300, 90);
        QString wanted;
        const std::unique_ptr<QWidget> sheet(makeUsualSheet(UsualTopic::errors, report, [](const QVariantMap&) {}, [&wanted](const QString& endpoint) { wanted = endpoint; }));
        auto* button = sheet->findChild<QPushButton*>(QStringLiteral("endpoint.b:y"));
        QVERIFY(button != nullptr && button->focusPolicy() == Qt::StrongFocus);
        QVERIFY2(button->text().startsWith(QStringLiteral("b:y: ")), qPrintable(button->text()));
        QCOMPARE(button->accessibleName(), button->text());
        QCOMPARE(button->toolTip(), QStringLiteral("Show b:y on the Endpoints page"));
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(wanted, QStringLiteral("b:y"));
        // Beside its figures there is no room for a long name, whose both ends tell it from others.
        auto* far = sheet->findChild<QPushButton*>(QStringLiteral("endpoint.harrow-local:qwen3.5-35b-a3b-instruct"));
        QVERIFY(far != nullptr);
        QCOMPARE(far->text(), QStringLiteral("harrow-loc…-a3b-instruct: 30.0 % of 300"));
        QCOMPARE(far->accessibleName(), QStringLiteral("harrow-local:qwen3.5-35b-a3b-instruct: 30.0 % of 300"));
    }

    // Where both ends are alike they are cut elsewhere, or shown whole: no two links read the same.
    void noTwoEndpointsAreShortenedToTheSame() {
        const QStringList names = {QStringLiteral("harrow-local:qwen3.5-35b-a3b-instruct"), QStringLiteral("harrow-local-2:qwen3-30b-a3b-instruct"), QStringLiteral("north:north-large"),
                                   QStringLiteral("providers-of-our-lab-in-the-north-1-and-a-model-with-a-long-name"), QStringLiteral("providers-of-our-lab-in-the-north-2-and-a-model-with-a-long-name")};
        UsualReport report = quiet();
        report.endpoints.clear();
        for (const QString& name : names) report.endpoints[name.toStdString()] = traffic(300, 3);
        const std::unique_ptr<QWidget> sheet(makeUsualSheet(UsualTopic::errors, report, [](const QVariantMap&) {}, [](const QString&) {}));
        QSet<QString> texts;
        for (const QString& name : names) {
            const auto* button = sheet->findChild<QPushButton*>(QStringLiteral("endpoint.") + name);
            QVERIFY2(button != nullptr, qPrintable(name));
            QVERIFY2(button->text().endsWith(QStringLiteral(": 1.0 % of 300")), qPrintable(button->text()));
            for (const QString& line : button->text().split(QLatin1Char('\n'))) QVERIFY2(line.size() <= 24 + 14, qPrintable(line));  // there is no more room
            texts << button->text();
        }
        QVERIFY2(texts.size() == names.size(), qPrintable(texts.values().join(QLatin1Char('|'))));
        QVERIFY2(texts.contains(QStringLiteral("north:north-large: 1.0 % of 300")), qPrintable(texts.values().join(QLatin1Char('|'))));
    }

    // "10.0 of 600" is no sentence.
    void trafficIsToldAsARateAndItsNumber() {
        const std::unique_ptr<QWidget> sheet(makeUsualSheet(UsualTopic::traffic, quiet(), [](const QVariantMap&) {}, [](const QString&) {}));
        QStringList texts;
        for (const auto* label : sheet->findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.contains(QStringLiteral("10.0 a minute, 600 in all")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY2(texts.contains(QStringLiteral("10.0 a minute: usual 9.67 to 10.7")), qPrintable(texts.join(QLatin1Char('|'))));
    }

    void trafficOfNoTeamIsATeamToo() {
        UsualReport report = quiet();
        report.teams = {{"", traffic(300, 3)}, {"R&D", traffic(300, 3)}};
        QVariantMap filter;
        const std::unique_ptr<QWidget> sheet(makeUsualSheet(UsualTopic::traffic, report, [&filter](const QVariantMap& wanted) { filter = wanted; }, [](const QString&) {}));
        QStringList names;
        for (auto* button : sheet->findChildren<QPushButton*>()) {
            names << button->accessibleName();
            if (button->text().startsWith(QStringLiteral("no team"))) button->click();
        }
        QCOMPARE(filter, (QVariantMap{{QStringLiteral("team"), QString()}}));
        QVERIFY2(!names.filter(QStringLiteral("R&D: ")).isEmpty(), qPrintable(names.join(QLatin1Char('|'))));
    }

    void figuresTakeFewerColumnsWhereThereIsLittleRoom() {
        QList<QWidget*> figures;
        for (int i = 0; i < 6; ++i) {
            figures << new QWidget;
            figures.last()->setMinimumSize(100, 20);
        }
        FigureRow row(figures);
        row.resize(1000, 60);
        row.show();
        QCOMPARE(row.columns(), 6);
        row.resize(500, 60);
        QCOMPARE(row.columns(), 3);
        row.resize(240, 60);
        QCOMPARE(row.columns(), 2);
        QVERIFY(row.minimumSizeHint().width() <= 240);
        row.resize(1000, 60);
        QCOMPARE(row.columns(), 6);
    }
};

QTEST_MAIN(UsualTest)
#include "tst_usual.moc"
