// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"
#include "tests/visual/contrast_probe.h"
#include "ui/pages/simulator/path_view.h"
#include "ui/pages/simulator/result_panel.h"
#include "ui/pages/simulator/simulator_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/terms/term_bar.h"
#include "ui/widgets/terms/term_chart.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>

#include <future>

using namespace signalbox;
using namespace signalbox::ui;

/// The demo's group "auto": lab_b:qwen3.5-9b first, deepseek:deepseek-v4-flash second.
class SimulatorPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_harness = std::make_unique<test::PageHarness>(); }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void answersAtOnce() {
        openDemo();
        QCOMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
        QVERIFY(find<QLabel>("smallestChange")->text().contains(QStringLiteral("deepseek:deepseek-v4-flash")));
        QCOMPARE(m_page->findChild<TermChart*>()->decision().rows.size(), std::size_t{2});
        QVERIFY(!m_page->findChild<PathView*>()->stages().empty());
    }

    void suppositionsAreLiveAndCanBeReset() {
        openDemo();
        answerAfter([&] { choose("mode", QStringLiteral("active")); });
        answerAfter([&] { find<QSlider>("percent")->setValue(100); });
        answerAfter([&] { find<QSlider>("weight_quality")->setValue(100); });
        QCOMPARE(result(), QStringLiteral("deepseek:deepseek-v4-flash"));
        answerAfter([&] { find<QSlider>("weight_quality")->setValue(0); });
        answerAfter([&] { find<QSlider>("weight_cost")->setValue(0); });
        QCOMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
        QVERIFY(find<QPushButton>("reset")->isEnabled());
        answerAfter([&] { m_page->pageActions().front()->trigger(); });
        QVERIFY(!find<QPushButton>("reset")->isEnabled());
        QCOMPARE(find<QComboBox>("mode")->currentText(), QStringLiteral("shadow"));
        // The draft itself was never touched.
        QVERIFY(!m_harness->document.isDirty());
    }

    void oneCandidateCanCool() {
        openDemo();
        answerAfter([&] { find<QCheckBox>("cooling")->setChecked(true); });
        QCOMPARE(result(), QStringLiteral("deepseek:deepseek-v4-flash"));
        QCOMPARE(m_page->findChild<TermChart*>()->decision().rows[0].cut, QStringLiteral("provider_cooldown"));
        // A click on a bar brings its controls.
        Q_EMIT m_page->findChild<TermChart*>()->rowChosen(1);
        QCOMPARE(find<QComboBox>("candidate")->currentText(), QStringLiteral("deepseek:deepseek-v4-flash"));
        QVERIFY(!find<QCheckBox>("cooling")->isChecked());
    }

    void whatTheGatewayMeasuresCounts() {
        openDemo();
        engine::EndpointHealth health;
        health.endpointId = "lab_b:qwen3.5-9b";
        health.signals = {.cooling = true, .providerAttempts = 50, .providerSuccesses = 20, .attempts = 50, .latencyEwmaMs = 3'900};
        m_harness->target->setEndpoints({health});
        QVERIFY(m_harness->target->start({m_harness->document.workspace()->snapshot, {}}));
        QTRY_COMPARE_WITH_TIMEOUT(result(), QStringLiteral("deepseek:deepseek-v4-flash"), 10'000);
        answerAfter([&] { find<QComboBox>("health")->setCurrentIndex(1); });
        QCOMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
    }

    // F74: however often it is asked, nothing was decided.
    void neverCountsAsTraffic() {
        openDemo();
        QVERIFY(m_harness->target->start({m_harness->document.workspace()->snapshot, {}}));
        for (int i = 0; i < 20; ++i) answerAfter([&] { find<QSpinBox>("inFlight")->setValue(2 + i); });
        QVERIFY(m_harness->bridge.recent().empty());
        QCOMPARE(m_harness->target->status().inFlight, 0U);
    }

    void barsKeepTheirHeightInANarrowWindow() {
        openDemo();
        m_page->resize(860, 600);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        const auto bars = m_page->findChildren<TermBar*>();
        QVERIFY(bars.size() >= 2);
        for (const auto* bar : bars)
            if (bar->isVisible()) QTRY_VERIFY2(bar->height() >= bar->heightForWidth(bar->width()), QByteArray::number(bar->height()).constData());
    }

    /// The result takes what it needs: a model's router stands right below it.
    void roomToSpareIsBelowTheResult() {
        openDemo();
        m_page->resize(1180, 1600);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        const auto* result = m_page->findChild<ResultPanel*>();
        for (const QString& model : {QStringLiteral("gemma-4-26b"), QStringLiteral("auto"), QStringLiteral("assistant")}) {
            answerAfter([&] { m_page->open({{QStringLiteral("model"), model}}); });
            const auto needed = [result] { return result->hasHeightForWidth() ? result->heightForWidth(result->width()) : result->sizeHint().height(); };
            QTRY_COMPARE(result->height(), needed());
            QVERIFY(result->height() < 1000);
        }
    }

    void whatIsCopiedSaysThatItWasTyped() {
        openDemo();
        for (auto* one : m_page->findChildren<QPushButton*>())
            if (one->text() == QStringLiteral("Copy as text")) one->click();
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.contains(QStringLiteral("Input: 1000 tokens, as the form says.")) && !copied.contains(QStringLiteral("client")), qPrintable(copied));
    }

    void aBodyIsReadAsTheGatewayReadsIt() {
        openDemo();
        answerAfter([&] { m_page->open({{QStringLiteral("body"), QStringLiteral("{\"model\": \"gemma-4-26b\"")}}); });
        QVERIFY(find<QLabel>("bodyProblem")->isVisibleTo(m_page.get()));
        QVERIFY(find<QPlainTextEdit>("body")->property("invalid").toBool());  // refused as any other field is
        answerAfter([&] { find<QPlainTextEdit>("body")->setPlainText(QStringLiteral("{\"model\": \"fast\", \"messages\": []}")); });
        QVERIFY(!find<QPlainTextEdit>("body")->property("invalid").toBool());
        QVERIFY(!find<QLabel>("bodyProblem")->isVisibleTo(m_page.get()));
        QCOMPARE(result(), QStringLiteral("deepseek:deepseek-v4-flash"));
        QVERIFY(m_page->state().isEmpty());  // content is no part of the way back
        answerAfter([&] { find<QComboBox>("dialect")->setCurrentIndex(1); });
        QCOMPARE(result(), QStringLiteral("deepseek:deepseek-v4-flash"));
        answerAfter([&] { find<QPlainTextEdit>("body")->setPlainText(QStringLiteral("{\"model\": \"fast\", \"model\": \"auto\"}")); });
        QVERIFY(find<QLabel>("bodyProblem")->isVisibleTo(m_page.get()));
    }

    void aDecisionOfHistoryIsAskedAgain() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        evidence::DecisionRecord record;
        record.id = *DecisionId::parse("rtd_0193774f4c6d00000000000000000001");
        record.createdAt = format::now();
        record.features.model = record.requestedModel = "auto";
        record.policyVersion = "builtin-v1";
        record.group.emplace();
        record.group->groupId = "auto";
        record.group->bucket = 63;
        record.group->inputTokens = 1'000;
        record.group->outputTokens = 4'096;
        record.group->selected = record.group->recommended = "lab_b:qwen3.5-9b";
        record.group->weights = {0.35, 0.30, 0.20, 0.15};
        record.group->candidatesTotal = record.group->candidateCount = 2;
        record.group->maxLatencyMs = record.group->minLatencyMs = 1'000;
        record.group->maxCostUsd = 0.01;
        const auto candidate = [&record](const char* endpoint, double quality, double cost) {
            evidence::RecordedCandidate one;
            one.endpointId = endpoint;
            one.quality = quality;
            one.latencyMs = 1'000;
            one.costUsd = cost;
            one.reliability = 0.9;
            record.group->candidates.push_back(std::move(one));
        };
        candidate("lab_b:qwen3.5-9b", 0.7, 0);
        candidate("deepseek:deepseek-v4-flash", 0.9, 0.01);
        records->push_back(record);
        m_harness->target->setHistory(records);
        openDemo();
        answerAfter([&] { m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_0193774f4c6d00000000000000000001")}}); });
        QTRY_VERIFY2(find<QLabel>("smallestChange")->text().contains(QStringLiteral("bucket 63")),
                     qPrintable(find<QLabel>("smallestChange")->text() + result() + find<QLabel>("recorded")->text()));
        QCOMPARE(m_page->state().value(QStringLiteral("decision")).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000001"));
        QVERIFY(shows(QStringLiteral("Under quality")));

        find<QLineEdit>("decision")->setText(QStringLiteral("rtd_nonsense"));
        Q_EMIT find<QLineEdit>("decision")->editingFinished();
        QTRY_VERIFY(find<QLabel>("recorded")->text().contains(QStringLiteral("no decision id")));
    }

    void aDecisionThatComesLateLeavesTheOneThatWasChosenSince() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        records->push_back(decision("rtd_0193774f4c6d00000000000000000001"));
        m_harness->target->setHistory(records);
        openDemo();
        m_page->open({{QStringLiteral("model"), QStringLiteral("auto")}});
        m_harness->target->decide(decision("rtd_0193774f4c6d00000000000000000002"));
        auto* recent = find<QComboBox>("recent");
        QTRY_COMPARE(recent->itemData(1).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000002"));
        std::promise<void> release;
        const auto blocked = m_harness->bridge.ask<int>(
            [done = release.get_future().share()](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> {
                done.wait();
                return 0;
            },
            [](const Result<int>&) {});
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_0193774f4c6d00000000000000000001")}});
        Q_EMIT recent->activated(1);
        release.set_value();
        bool idle = false;
        const auto last = m_harness->bridge.ask<int>([](evidence::HistoryReader&, const evidence::CancelToken&) -> Result<int> { return 0; }, [&idle](const Result<int>&) { idle = true; });
        QTRY_VERIFY(idle);
        QCOMPARE(m_page->state().value(QStringLiteral("decision")).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000002"));
    }

    void aSessionThatHasDecidedLittleOffersTheHistory() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (const char* id : {"rtd_0193774f4c6d00000000000000000001", "rtd_0193774f4c6d00000000000000000002"}) records->push_back(decision(id));
        m_harness->target->setHistory(records);
        openDemo();
        auto* recent = find<QComboBox>("recent");
        QTRY_COMPARE(recent->count(), 3);
        QVERIFY(recent->isEnabled());
        QCOMPARE(recent->itemData(1).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000002"));
        m_harness->target->decide(decision("rtd_0193774f4c6d00000000000000000003"));
        QTRY_COMPARE(recent->count(), 4);  // those from before stay below
        QCOMPARE(recent->itemData(1).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000003"));
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_0193774f4c6d00000000000000000009")}});
        Q_EMIT recent->activated(3);
        QTRY_COMPARE(m_page->state().value(QStringLiteral("decision")).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000001"));
        m_harness->bridge.lookAt(std::make_shared<test::FakeTarget>());  // whose history is not read here
        QCOMPARE(recent->count(), 1);
    }

    /// Decisions arrive up to ten times a second: a list that is open stays as it is.
    void theListOfRecentDecisionsStaysWhileItIsOpen() {
        openDemo();
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_0193774f4c6d00000000000000000009")}});
        m_harness->target->decide(decision("rtd_0193774f4c6d00000000000000000001"));
        auto* recent = find<QComboBox>("recent");
        QTRY_COMPARE(recent->count(), 2);
        QSignalSpy arrived(&m_harness->bridge, &Bridge::decisionsArrived);
        recent->showPopup();
        m_harness->target->decide(decision("rtd_0193774f4c6d00000000000000000002"));
        QTRY_VERIFY(!arrived.isEmpty());
        QCOMPARE(recent->count(), 2);
        recent->hidePopup();
        m_harness->target->decide(decision("rtd_0193774f4c6d00000000000000000003"));
        QTRY_COMPARE(recent->count(), 4);
    }

    void theListIsOfTheGatewayLookedAtAndAnOwnDecisionIsFoundAllTheSame() {
        openDemo();
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_0193774f4c6d00000000000000000009")}});
        m_harness->target->decide(decision("rtd_0193774f4c6d00000000000000000001"));
        auto* recent = find<QComboBox>("recent");
        QTRY_COMPARE(recent->count(), 2);
        m_harness->bridge.lookAt(std::make_shared<test::FakeTarget>());
        QCOMPARE(recent->count(), 1);
        m_page->open({{QStringLiteral("decision"), QStringLiteral("rtd_0193774f4c6d00000000000000000001")}});
        QCOMPARE(m_page->state().value(QStringLiteral("decision")).toString(), QStringLiteral("rtd_0193774f4c6d00000000000000000001"));
        m_harness->bridge.lookAt(nullptr);
        QCOMPARE(recent->count(), 2);
    }

    void runningAndDraftStandBesideEachOther() {
        openDemo();
        QVERIFY(m_harness->target->start({m_harness->document.workspace()->snapshot, {}}));
        QTRY_VERIFY(m_harness->bridge.running() != nullptr);
        answerAfter([&] { find<QSpinBox>("inFlight")->setValue(3); });
        QVERIFY(!find<QWidget>("runningResult")->isVisibleTo(m_page.get()));  // it is the draft
        auto changed = std::make_shared<config::GatewayConfig>(*m_harness->document.workspace()->snapshot->config);
        changed->routing.groups[0].candidates[0].enabled = false;
        const auto& draft = *m_harness->document.workspace()->snapshot;
        QVERIFY(m_harness->target->apply({policy::makeSnapshot(draft.table, draft.tableSha256, changed), {}}));
        QTRY_VERIFY(find<QWidget>("runningResult")->isVisibleTo(m_page.get()));
        QCOMPARE(find<ElidedLabel>("runningResult")->text(), QStringLiteral("deepseek:deepseek-v4-flash"));
        QCOMPARE(result(), QStringLiteral("lab_b:qwen3.5-9b"));
    }

    void unknownNamesSayWhatToDo() {
        openDemo();
        answerAfter([&] { m_page->open({{QStringLiteral("model"), QStringLiteral("gemma-4-26x")}}); });
        QVERIFY(result().contains(QStringLiteral("no model")));
        QVERIFY(find<QLabel>("smallestChange")->text().contains(QStringLiteral("gemma-4-26b")));
    }

    void everyControlHasAName() {
        openDemo();
        int controls = 0;
        for (const auto* widget : m_page->findChildren<QWidget*>()) {
            const bool isControl = qobject_cast<const QComboBox*>(widget) || qobject_cast<const QSlider*>(widget) || qobject_cast<const QSpinBox*>(widget) ||
                                   (qobject_cast<const QLineEdit*>(widget) && !qobject_cast<const QSpinBox*>(widget->parentWidget()) && !qobject_cast<const QComboBox*>(widget->parentWidget()));
            if (!isControl) continue;
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
            if (widget->isEnabled()) QVERIFY2(widget->focusPolicy() != Qt::NoFocus, qPrintable(widget->objectName()));
        }
        QVERIFY(controls > 15);
    }

    void withoutAPolicyItTeaches() {
        makePage();
        QVERIFY(shows(QStringLiteral("No policy is open")));
    }

    void pictures_data() {
        QTest::addColumn<Scheme>("scheme");
        QTest::newRow("light") << Scheme::light;
        QTest::newRow("dark") << Scheme::dark;
    }
    void pictures() {
        QFETCH(Scheme, scheme);
        Theme::instance().setScheme(scheme);
        openDemo();
        m_page->setAutoFillBackground(true);
        answerAfter([&] { choose("kind", QStringLiteral("tool call")); });
        save(scheme, QStringLiteral("page"));
        answerAfter([&] { m_page->open({{QStringLiteral("model"), QStringLiteral("gemma-4-26b")}}); });
        save(scheme, QStringLiteral("table"));
        answerAfter([&] { m_page->open({{QStringLiteral("body"), QStringLiteral("{\"model\": \"auto\"")}}); });
        save(scheme, QStringLiteral("problem"));
    }

private:
    void makePage() {
        m_page = std::make_unique<SimulatorPage>(m_harness->context());
        m_page->resize(1180, 860);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void openDemo() {
        makePage();
        QSignalSpy answered(m_page.get(), &SimulatorPage::answered);
        QVERIFY(m_harness->open(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo")));
        QTRY_VERIFY(!answered.isEmpty());
    }
    [[nodiscard]] static evidence::DecisionRecord decision(const char* id) {
        evidence::DecisionRecord record;
        record.id = *DecisionId::parse(id);
        record.createdAt = format::now();
        record.features.model = record.requestedModel = "auto";
        return record;
    }
    template <class Act>
    void answerAfter(Act act) {
        QSignalSpy answered(m_page.get(), &SimulatorPage::answered);
        act();
        QTRY_VERIFY(!answered.isEmpty());
    }
    template <class T>
    [[nodiscard]] T* find(const char* name) const {
        return m_page->findChild<T*>(QLatin1String(name));
    }
    [[nodiscard]] QString result() const { return find<ElidedLabel>("draftResult")->text(); }
    [[nodiscard]] bool shows(const QString& text) const {
        for (const auto* label : m_page->findChildren<QLabel*>())
            if (label->isVisible() && label->text() == text) return true;
        return false;
    }
    void choose(const char* name, const QString& text) {
        auto* box = find<QComboBox>(name);
        box->setCurrentText(text);
        Q_EMIT box->activated(box->currentIndex());
    }
    void save(Scheme scheme, const QString& state) {
        const QString folder = QStringLiteral(SIGNALBOX_BINARY_DIR "/visual");
        QVERIFY(QDir().mkpath(folder));
        const QImage picture = m_page->grab().toImage();
        QVERIFY(picture.save(QStringLiteral("%1/simulator-%2-%3.png").arg(folder, state, scheme == Scheme::light ? QStringLiteral("light") : QStringLiteral("dark"))));
        QCOMPARE(test::clippedTexts(*m_page), QStringList());
        QCOMPARE(test::faintTexts(*m_page, picture), QStringList());
    }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<SimulatorPage> m_page;
};

QTEST_MAIN(SimulatorPageTest)
#include "tst_simulator_page.moc"
