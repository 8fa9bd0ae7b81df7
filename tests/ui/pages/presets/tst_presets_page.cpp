// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"

#include "ui/pages/presets/presets_model.h"
#include "ui/pages/presets/presets_page.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/table_view.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class PresetsPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_fixture = std::make_unique<test::PageFixture<PresetsPage>>();
        m_tester = std::make_unique<QAbstractItemModelTester>(model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        m_tester.reset();
        m_fixture.reset();
    }

    void everyPresetNamesItsEndpointAndRules() {
        QVERIFY(m_fixture->openDemo());
        QCOMPARE(model()->rowCount(), 5);
        QCOMPARE(row(QStringLiteral("g26-struct-multi")), QStringLiteral("g26-struct-multi|gemma4_moe_26b|4|8|structured||lab_a:gemma-4-26b-k4|2|–|gemma-4-26b-a4b-it-awq"));
        QCOMPARE(row(QStringLiteral("g26-default")), QStringLiteral("g26-default|gemma4_moe_26b|1|4|default|yes|lab_a:gemma-4-26b|–|–|gemma-4-26b-a4b-it-awq"));
    }

    void sharesFollowTheRange() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < 4; ++i) {
            evidence::DecisionRecord record;
            record.createdAt = format::now();
            record.presetKey = i < 3 ? "g26-default" : "g31-chat";
            records->push_back(record);
        }
        m_fixture->harness.target->setHistory(records);
        QVERIFY(m_fixture->openDemo());
        QTRY_VERIFY(cell(QStringLiteral("g26-default"), PresetsModel::Share).data().toString().startsWith(QStringLiteral("75.0")));
        QCOMPARE(cell(QStringLiteral("g26-struct-multi"), PresetsModel::Share).data().toString(), QStringLiteral("0"));
        QCOMPARE(cell(QStringLiteral("g26-default"), PresetsModel::Share).data(SortRole).toInt(), 3);
    }

    // What is counted is this console's own, whichever gateway is looked at.
    void sharesFollowTheOwnGatewayWhileAnotherIsLookedAt() {
        QVERIFY(m_fixture->openDemo());
        QTRY_COMPARE(cell(QStringLiteral("g26-default"), PresetsModel::Share).data().toString(), QStringLiteral("0"));
        m_fixture->harness.bridge.lookAt(std::make_shared<test::FakeTarget>());
        evidence::DecisionRecord record;
        record.createdAt = format::now();
        record.presetKey = "g26-default";
        m_fixture->harness.target->setHistory(std::make_shared<std::vector<evidence::DecisionRecord>>(1, record));
        m_fixture->harness.target->decide(record);
        QTRY_VERIFY(cell(QStringLiteral("g26-default"), PresetsModel::Share).data().toString().startsWith(QStringLiteral("100")));
    }

    void inspectorLeadsToRulesAndRequests() {
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open({{QStringLiteral("preset"), QStringLiteral("g26-struct-multi")}});
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Preset"));
        for (auto* button : m_fixture->harness.inspected->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Show rule 2")) button->click();
        QCOMPARE(m_fixture->harness.visits.size(), std::size_t{1});
        QCOMPARE(m_fixture->harness.visits.front().first, QStringLiteral("rules"));
        QCOMPARE(m_fixture->harness.visits.front().second.value(QStringLiteral("rule")).toInt(), 1);
        QCOMPARE(m_fixture->page->state().value(QStringLiteral("preset")).toString(), QStringLiteral("g26-struct-multi"));
    }

    // The way back may name what an edit took away: the sheet of another one does not stand for it.
    void aLinkToAPresetThatIsGoneSaysSo() {
        QVERIFY(m_fixture->openDemo());
        m_fixture->page->open({{QStringLiteral("preset"), QStringLiteral("g26-struct-multi")}});
        QVERIFY(m_fixture->harness.inspected != nullptr);
        m_fixture->page->open({{QStringLiteral("preset"), QStringLiteral("gone")}});
        QCOMPARE(m_fixture->harness.sayings, QStringList{QStringLiteral("There is no preset gone in what is open")});
        QVERIFY(m_fixture->harness.inspected == nullptr && m_fixture->page->state().isEmpty());
    }

    void theSheetOfANameGoesTheSameWay() {
        if (!m_fixture->hasGenesis()) QSKIP("The real emitted table does not stand beside this checkout.");
        QVERIFY(m_fixture->openGenesis());
        auto* names = m_fixture->view<CardList>(QStringLiteral("Names without a natural preset"));
        const auto chooseName = [&] {
            names->selectRow(0);
            return m_fixture->harness.inspected != nullptr && m_fixture->harness.inspectedTitle == QStringLiteral("Name without a natural preset");
        };
        QVERIFY(chooseName());
        m_fixture->page->open({{QStringLiteral("preset"), QStringLiteral("gone")}});
        QVERIFY(m_fixture->harness.inspected == nullptr && !names->currentIndex().isValid());
        // A preset that was the current one all the time is shown again.
        const QVariantMap preset{{QStringLiteral("preset"), QStringLiteral("prod-diffusiongemma-tp2")}};
        m_fixture->page->open(preset);
        QVERIFY(chooseName());
        m_fixture->page->open(preset);
        QCOMPARE(m_fixture->harness.inspectedTitle, QStringLiteral("Preset"));
    }

    void realTableIsListedWithWhatIsLeftToDo() {
        if (!m_fixture->hasGenesis()) QSKIP("The real emitted table does not stand beside this checkout.");
        QVERIFY(m_fixture->openGenesis());
        QCOMPARE(model()->rowCount(), 15);
        // The role that the emitter's own schema forbids is marked, not hidden.
        QCOMPARE(cell(QStringLiteral("prod-diffusiongemma-tp2"), PresetsModel::Role).data(ToneRole).toInt(), static_cast<int>(Tone::caution));
        // No configuration stands beside it, so nothing can be called, and the reason says what to add.
        const QModelIndex endpoint = cell(QStringLiteral("prod-gemma4-26b-default"), PresetsModel::Endpoint);
        QCOMPARE(endpoint.data(ToneRole).toInt(), static_cast<int>(Tone::danger));
        QVERIFY(endpoint.data(Qt::ToolTipRole).toString().contains(QStringLiteral("no endpoint")));
        QStringList names;
        const auto* cards = m_fixture->page->findChild<CardList*>()->cards();
        for (int i = 0; i < cards->rowCount(); ++i) names << cards->at(i)->title;
        QVERIFY(names.contains(QStringLiteral("qwen3.6-27b")));
        QVERIFY(names.contains(QStringLiteral("qwen3.6-35b-a3b")));
        QVERIFY(!names.contains(QStringLiteral("gemma-4-26b-a4b")));  // its family has a default
    }

    void withoutATableItTeaches() { QVERIFY(m_fixture->showsText(QStringLiteral("No presets yet"))); }

private:
    [[nodiscard]] PresetsModel* model() const { return m_fixture->page->findChild<PresetsModel*>(); }
    [[nodiscard]] QModelIndex cell(const QString& preset, int column) const { return model()->index(model()->rowOf(preset), column); }
    [[nodiscard]] QString row(const QString& preset) const {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column) cells << cell(preset, column).data().toString();
        return cells.join(QLatin1Char('|'));
    }

    std::unique_ptr<test::PageFixture<PresetsPage>> m_fixture;
    std::unique_ptr<QAbstractItemModelTester> m_tester;
};

QTEST_MAIN(PresetsPageTest)
#include "tst_presets_page.moc"
