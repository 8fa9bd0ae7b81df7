// SPDX-License-Identifier: MIT
#include "tests/support/page_harness.h"
#include "tests/ui/pages/groups/group_samples.h"
#include "ui/pages/groups/alias_chips.h"
#include "ui/pages/groups/candidate_form.h"
#include "ui/pages/groups/candidates_model.h"
#include "ui/widgets/forms/field_message.h"
#include "ui/pages/groups/groups_page.h"
#include "ui/pages/groups/preview_panel.h"
#include "ui/pages/groups/weights_bar.h"
#include "ui/pages/groups/weights_panel.h"
#include "ui/document/config_edits.h"
#include "ui/theme/format.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/terms/term_chart.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTest>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

class GroupsPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_policy = test::kGroupToml;
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    void groupsStandInTheListAndCandidatesInOrder() {
        show();
        const auto* cards = list()->cards();
        QCOMPARE(cards->rowCount(), 1);
        QCOMPARE(cards->at(0)->title, QStringLiteral("auto"));
        QCOMPARE(cards->at(0)->status, QStringLiteral("shadow"));
        QCOMPARE(model()->rowCount(), 2);
        QCOMPARE(cell(0, CandidatesModel::Endpoint), QStringLiteral("lab:small"));
        QCOMPARE(cell(1, CandidatesModel::Endpoint), QStringLiteral("cloud:flash"));
    }

    void measuredStandsBesideThePriorAndCanBeTaken() {
        measure(3900, 120);
        show();
        QTRY_COMPARE(cell(0, CandidatesModel::Measured), QStringLiteral("3,900"));
        QCOMPARE(model()->index(0, CandidatesModel::Measured).data(ToneRole).toInt(), int(Tone::caution));
        auto* use = button(QStringLiteral("Use measured: 3,900 ms"));
        QVERIFY(use != nullptr && use->isEnabled());
        use->click();
        QCOMPARE(group().candidates[0].latencyHintMs, std::uint32_t{3900});
        QCOMPARE(stack()->count(), 1);
        QVERIFY(!model()->index(0, CandidatesModel::Measured).data(ToneRole).isValid());
        stack()->undo();
        QCOMPARE(group().candidates[0].latencyHintMs, std::uint32_t{1200});
    }

    void coolingShowsByItself() {  // F58
        show();
        engine::EndpointHealth health;
        health.endpointId = "cloud:flash";
        health.circuit = "open";
        health.cause = "status_429";
        health.coolsFor = std::chrono::seconds(24);
        m_harness->target->setEndpoints({health});
        QTRY_COMPARE(cell(1, CandidatesModel::State), QStringLiteral("cooling 24 s"));
    }

    void refusedModelStaysInItsFieldWithTheMessageUnderIt() {
        show();
        auto* field = form()->findChild<QLineEdit*>();
        field->setFocus();
        field->setText(QStringLiteral("smal"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(group().candidates[0].model, std::string("small"));
        QCOMPARE(field->text(), QStringLiteral("smal"));
        const FieldMessage* shown = messageIn(form());
        QVERIFY(shown != nullptr);
        QVERIFY2(shown->text().contains(QStringLiteral("small")), qPrintable(shown->text()));  // F68: the nearest name
        QCOMPARE(stack()->count(), 0);
        // What is measured meanwhile leaves the field alone.
        engine::EndpointHealth health;
        health.endpointId = "lab:small";
        health.signals.attempts = 5;
        m_harness->target->setEndpoints({health});
        QTRY_COMPARE(cell(0, CandidatesModel::Calls), QStringLiteral("5"));
        QCOMPARE(field->text(), QStringLiteral("smal"));
        field->setText(QStringLiteral("large"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(group().candidates[0].model, std::string("large"));
        QVERIFY(messageIn(form()) == nullptr);
    }

    void freeTextIsTakenWhereTheProviderAcceptsIt() {
        show();
        table()->selectSourceRow(1);
        auto* field = form()->findChild<QLineEdit*>();
        field->setText(QStringLiteral("deep-thought"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(group().candidates[1].model, std::string("deep-thought"));
    }

    void aliasIsJudgedWhileItIsTyped() {
        show();
        auto* field = m_page->findChild<QLineEdit*>(QStringLiteral("alias"));
        auto* chips = m_page->findChild<AliasChips*>();
        QTest::keyClicks(field, QStringLiteral("fast"));  // a static alias
        QTRY_VERIFY(chips->message()->isShown());
        QVERIFY2(chips->message()->text().contains(QStringLiteral("static alias")), qPrintable(chips->message()->text()));
        QTest::keyClicks(field, QStringLiteral("er"));
        QTRY_VERIFY(!chips->message()->isShown());
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(group().aliases, (std::vector<std::string>{"auto", "faster"}));
        QVERIFY(field->text().isEmpty());
        for (const auto& [text, part] : {std::pair("a:b", "colon"), std::pair("large", "provider"), std::pair("auto", "taken")}) {
            field->setText(QString::fromLatin1(text));
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY2(chips->message()->text().contains(QString::fromLatin1(part)), qPrintable(chips->message()->text()));
            QCOMPARE(field->text(), QString::fromLatin1(text));
        }
        field->setText(QString(161, QLatin1Char('x')));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(chips->message()->text().contains(QStringLiteral("160")));
        QCOMPARE(group().aliases.size(), std::size_t{2});
    }

    void chipsAreEditedAndRemovedByKey() {
        show();
        auto* field = m_page->findChild<QLineEdit*>(QStringLiteral("alias"));
        field->setText(QStringLiteral("second"));
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClick(focusedChip(QStringLiteral("Alias second")), Qt::Key_F2);
        QCOMPARE(field->text(), QStringLiteral("second"));
        field->setText(QStringLiteral("third"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(group().aliases, (std::vector<std::string>{"auto", "third"}));
        QTest::keyClick(focusedChip(QStringLiteral("Alias third")), Qt::Key_Delete);
        QCOMPARE(group().aliases, std::vector<std::string>{"auto"});
        QTest::keyClick(focusedChip(QStringLiteral("Alias auto")), Qt::Key_Delete);  // the last one is needed
        QCOMPARE(group().aliases, std::vector<std::string>{"auto"});
        QVERIFY(m_page->findChild<AliasChips*>()->message()->isShown());
    }

    /// What is typed for an alias of one group never reaches another, nor another alias of the same.
    void anAliasThatIsTypedBelongsToItsGroupAndItsAlias() {
        show();
        QVERIFY(m_harness->document.editConfig(QStringLiteral("test"), [](std::string_view text) -> Result<std::string> {
            return std::string(text) + "\n[routing.groups.other]\naliases = [\"other\", \"second\"]\ncandidates = [{ provider = \"cloud\", model = \"flash\" }]\n";
        }).has_value());
        auto* field = m_page->findChild<QLineEdit*>(QStringLiteral("alias"));
        QTest::keyClick(focusedChip(QStringLiteral("Alias auto")), Qt::Key_F2);
        field->setText(QStringLiteral("renamed"));
        m_page->open({{QStringLiteral("group"), QStringLiteral("other")}});
        QCOMPARE(field->text(), QString());
        QTest::keyClick(field, Qt::Key_Return);
        const auto aliases = [this] { return m_harness->document.workspace()->config.config->routing.groups[1].aliases; };
        QCOMPARE(aliases(), (std::vector<std::string>{"other", "second"}));

        // The first alias goes, on disk or by undo, while the second is typed: it is still the second that is renamed.
        QTest::keyClick(focusedChip(QStringLiteral("Alias second")), Qt::Key_F2);
        field->setText(QStringLiteral("renamed"));
        const auto with = [](const char* list) {
            return [list](std::string_view text) -> Result<std::string> {
                std::string changed(text);
                const auto at = changed.rfind("aliases = ");
                return changed.replace(at, changed.find('\n', at) - at, list);
            };
        };
        QVERIFY(m_harness->document.editConfig(QStringLiteral("test"), with("aliases = [\"second\", \"third\"]")).has_value());
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(aliases(), (std::vector<std::string>{"renamed", "third"}));
        // And when that is gone itself, what was typed goes with it.
        QTest::keyClick(focusedChip(QStringLiteral("Alias third")), Qt::Key_F2);
        field->setText(QStringLiteral("lost"));
        QVERIFY(m_harness->document.editConfig(QStringLiteral("test"), with("aliases = [\"renamed\", \"fourth\"]")).has_value());
        QCOMPARE(field->text(), QString());
        // A new one is of the group, too, for which it was begun.
        field->setText(QStringLiteral("added"));
        m_page->open({{QStringLiteral("group"), QStringLiteral("auto")}});
        QCOMPARE(field->text(), QString());
    }

    void keysMoveToggleAndDeleteCandidates() {
        show();
        table()->setFocus();
        table()->selectSourceRow(0);
        QTest::keyClick(table(), Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(group().candidates[1].model, std::string("small"));
        QCOMPARE(table()->currentSourceRow(), 1);
        QTest::keyClick(table(), Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(group().candidates[0].model, std::string("small"));
        QTest::keyClick(table(), Qt::Key_Space);
        QCOMPARE(group().candidates[0].enabled, false);
        QCOMPARE(cell(0, CandidatesModel::State), QStringLiteral("disabled"));
        QTest::keyClick(table(), Qt::Key_Space);
        QTest::keyClick(table(), Qt::Key_Delete);
        QCOMPARE(group().candidates.size(), std::size_t{1});
        QTest::keyClick(table(), Qt::Key_Delete);  // the last enabled one is refused, with the reason
        QCOMPARE(group().candidates.size(), std::size_t{1});
        QVERIFY(m_harness->sayings.last().contains(QStringLiteral("enabled candidate")));
        while (stack()->canUndo()) stack()->undo();
        QCOMPARE(m_harness->document.configText(), m_text);
    }

    void copyWaitsInTheFormForAnotherModel() {
        show();
        table()->setFocus();
        table()->selectSourceRow(0);
        QTest::keyClick(table(), Qt::Key_D, Qt::ControlModifier);
        QVERIFY(form()->isNew());
        auto* add = button(QStringLiteral("Add to the group"));
        add->click();
        QVERIFY(messageIn(form()) != nullptr);  // stands in the group already
        QCOMPARE(group().candidates.size(), std::size_t{2});
        form()->findChild<QLineEdit*>()->setText(QStringLiteral("large"));
        add->click();
        QCOMPARE(group().candidates.size(), std::size_t{3});
        QCOMPARE(group().candidates[1].model, std::string("large"));
        QCOMPARE(group().candidates[1].latencyHintMs, std::uint32_t{1200});
        QCOMPARE(table()->currentSourceRow(), 1);
        QVERIFY(!form()->isNew());
    }

    void groupsAreMadeDuplicatedRenamedAndDeleted() {
        show();
        button(QStringLiteral("New group"))->click();
        QCOMPARE(groups().size(), std::size_t{2});
        auto* name = m_page->findChild<QLineEdit*>(QStringLiteral("groupName"));
        QCOMPARE(name->text(), QStringLiteral("auto-2"));
        name->setText(QStringLiteral("auto"));
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(name->text(), QStringLiteral("auto"));  // taken: it stays in the field
        QVERIFY(messageIn(m_page.get()) != nullptr);
        name->setText(QStringLiteral("chat"));
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(groups().back().id, std::string("chat"));
        list()->setFocus();
        QTest::keyClick(list(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(groups().size(), std::size_t{3});
        QTest::keyClick(list(), Qt::Key_Delete);
        QCOMPARE(groups().size(), std::size_t{2});
        while (stack()->canUndo()) stack()->undo();
        QCOMPARE(m_harness->document.configText(), m_text);
    }

    void handEditsShowUpAtOnce() {
        show();
        QVERIFY(m_harness->writePolicy(QByteArray(test::kGroupToml).replace("0.72", "0.11")));
        QTRY_COMPARE_WITH_TIMEOUT(cell(0, CandidatesModel::Quality), QStringLiteral("0.11"), 10'000);
    }

    void f82OddNumberStaysWholeThroughOtherEdits() {
        m_policy = QByteArray(test::kGroupToml).replace("0.72", "0.7234567");
        show();
        auto* quality = form()->findChild<QDoubleSpinBox*>();
        QCOMPARE(quality->text(), QStringLiteral("0.7234567"));
        form()->findChild<QSpinBox*>()->setValue(1300);
        QCOMPARE(group().candidates[0].quality, 0.7234567);
        QVERIFY(m_harness->document.configText().find("0.7234567") != std::string::npos);
    }

    void f82NumberTooLongForTheFieldIsNotEditable() {
        m_policy = QByteArray(test::kGroupToml).replace("0.72", "0.7200000000000004");
        show();
        QVERIFY(!form()->findChild<QDoubleSpinBox*>()->isEnabled());
        QVERIFY(messageIn(form()) != nullptr);
    }

    // F82: a candidate that a pool serves stands in the form as it is, through other edits, and one can be chosen there.
    void f82PoolStaysWholeAndCanBeChosen() {
        const QByteArray pool = "\n[models.chat]\n[[models.chat.route]]\nprovider = \"lab\"\nmodel = \"large\"\n"
                                "[[models.chat.route]]\nprovider = \"cloud\"\nmodel = \"flash\"\n";
        m_policy = QByteArray(test::kGroupToml) + "\n[[routing.groups.auto.candidates]]\npool = \"chat\"\nquality = 0.8\n" + pool;
        show();
        QCOMPARE(model()->rowCount(), 3);
        QCOMPARE(cell(2, CandidatesModel::Endpoint), QStringLiteral("pool:chat"));
        QCOMPARE(cell(2, CandidatesModel::Price), QStringLiteral("0.64 / 2.21"));  // between the assumed 1 / 4 and 0.28 / 0.42
        table()->selectSourceRow(2);
        auto* provider = form()->findChildren<QComboBox*>().first();
        auto* field = form()->findChild<QLineEdit*>();
        QCOMPARE(provider->currentText(), QStringLiteral("A pool of [models]"));
        QCOMPARE(field->text(), QStringLiteral("chat"));
        form()->findChild<QSpinBox*>()->setValue(1300);
        QCOMPARE(group().candidates[2].pool, std::optional<std::string>("chat"));
        QCOMPARE(group().candidates[2].latencyHintMs, std::uint32_t{1300});
        field->setText(QStringLiteral("chit"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(messageIn(form()) != nullptr && messageIn(form())->text().contains(QStringLiteral("chat")));  // the nearest name
        // An endpoint becomes a pool and nothing of it stays; undo brings back the same bytes.
        QTest::keyClick(field, Qt::Key_Escape);
        while (stack()->canUndo()) stack()->undo();
        m_page->findChild<TableView*>()->setFocus();
        QTest::keyClick(table(), Qt::Key_Delete);
        QCOMPARE(group().candidates.size(), std::size_t{2});
        table()->selectSourceRow(0);
        provider->setCurrentIndex(provider->count() - 1);
        Q_EMIT provider->activated(provider->count() - 1);
        QCOMPARE(group().candidates[0].pool, std::optional<std::string>("chat"));
        QVERIFY(group().candidates[0].provider.empty());
        QCOMPARE(group().candidates[0].quality, 0.72);
        QCOMPARE(cell(0, CandidatesModel::Endpoint), QStringLiteral("pool:chat"));
        while (stack()->canUndo()) stack()->undo();
        QCOMPARE(m_harness->document.configText(), m_text);
    }

    void sliderIsOneStepHoweverFarItIsDragged() {
        show();
        auto* slider = form()->findChild<QSlider*>();
        for (int step = 60; step <= 70; ++step) slider->setValue(step);
        QCOMPARE(group().candidates[0].quality, 0.7);
        QCOMPARE(stack()->count(), 1);
    }

    void weightsBelongToTheVersion() {
        show();
        auto* panel = m_page->findChild<WeightsPanel*>();
        QVERIFY(button(QStringLiteral("Make an own version"))->isVisible());
        const auto builtin = panel->bar()->weights();
        auto* name = m_page->findChild<QLineEdit*>(QStringLiteral("policyName"));
        name->setText(QStringLiteral("builtin-v1"));
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(messageIn(panel) != nullptr);  // F66, contract B: read-only
        name->setText(QStringLiteral("own-v1"));
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(stack()->count(), 1);
        QVERIFY(!button(QStringLiteral("Make an own version"))->isVisible());
        QVERIFY(std::abs(panel->bar()->weights().quality - builtin.quality) < 1e-12);
        const auto parts = panel->findChildren<QDoubleSpinBox*>();
        QCOMPARE(parts.size(), 4);
        parts.at(1)->setValue(0);
        parts.at(2)->setValue(0);
        parts.at(3)->setValue(0);
        QCOMPARE(panel->bar()->weights().quality, 1.0);
        parts.at(0)->setValue(0);  // refused: all zero
        QCOMPARE(panel->bar()->weights().quality, 1.0);
        QVERIFY(messageIn(panel) != nullptr);
        QVERIFY(panel->bar()->accessibleName().contains(QStringLiteral("quality 100")));
    }

    void previewFollowsTheDraft() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (std::uint64_t i = 0; i < 30; ++i) records->push_back(decision(i));
        m_harness->target->setHistory(records);
        show();
        auto* preview = m_page->findChild<PreviewPanel*>();
        QTRY_VERIFY2(preview->sentence().contains(QStringLiteral("same recommendation")), qPrintable(preview->sentence()));
        QCOMPARE(preview->findChild<TermChart*>()->decision().rows.size(), std::size_t{2});
        form()->findChild<QSlider*>()->setValue(100);
        table()->selectSourceRow(1);
        form()->findChild<QSlider*>()->setValue(0);
        QVERIFY2(preview->sentence().contains(QStringLiteral("30")) && preview->sentence().contains(QStringLiteral("100.0 %")), qPrintable(preview->sentence()));
        QVERIFY(preview->findChild<TermChart*>()->decision().rows[0].isRecommended);
    }

    void thePreviewCountsNothingOfAnotherGateway() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (std::uint64_t i = 0; i < 30; ++i) records->push_back(decision(i));
        m_harness->target->setHistory(records);
        show();
        auto* preview = m_page->findChild<PreviewPanel*>();
        QTRY_VERIFY2(preview->sentence().contains(QStringLiteral("30")), qPrintable(preview->sentence()));
        const auto theirs = std::make_shared<test::FakeTarget>();
        m_harness->bridge.lookAt(theirs);
        theirs->decide(decision(77));
        QTRY_COMPARE(m_harness->bridge.recent().size(), std::size_t{1});
        form()->findChild<QSlider*>()->setValue(100);
        table()->selectSourceRow(1);
        form()->findChild<QSlider*>()->setValue(0);
        QVERIFY2(preview->sentence().contains(QStringLiteral("30")) && !preview->sentence().contains(QStringLiteral("31")), qPrintable(preview->sentence()));
    }

    /// Recorded decisions were made by the own gateway's policy, whichever is looked at, and not by what the files say.
    void thePreviewComparesWithTheOwnGatewayWhereverYouLook() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (std::uint64_t i = 0; i < 30; ++i) records->push_back(decision(i));
        m_harness->target->setHistory(records);
        show();
        auto& document = m_harness->document;
        QVERIFY(edits::setLatencyHint(document, "auto", 0, 9'200).has_value());  // the file says 1,200
        QVERIFY(m_harness->target->start({document.workspace()->snapshot, {}}));
        QTRY_VERIFY(m_harness->bridge.running() != nullptr);
        const auto latency = [this] { return m_page->findChild<PreviewPanel*>()->findChild<TermChart*>()->decision().rows.at(0).terms.latencyMs; };
        auto drawAgain = [&, hint = 1'900U]() mutable { return edits::setLatencyHint(document, "auto", 1, ++hint).has_value(); };
        QVERIFY(drawAgain());
        QTRY_COMPARE(latency(), 3000.0);  // as recorded: nothing has changed since
        const auto theirs = std::make_shared<test::FakeTarget>();
        theirs->tellHashOnly();
        QVERIFY(theirs->start({document.workspace()->snapshot, {}}));
        m_harness->bridge.lookAt(theirs);
        QVERIFY(m_harness->bridge.running() == nullptr);
        QVERIFY(drawAgain());
        QCOMPARE(latency(), 3000.0);
        // While nothing runs here they are compared with what the files say.
        QVERIFY(m_harness->target->stop(std::chrono::seconds(0)));
        QVERIFY(drawAgain());
        QCOMPARE(latency(), 11000.0);
    }

    void emptyStateMakesTheFirstGroup() {
        const QByteArray text(test::kGroupToml);
        m_policy = text.left(text.indexOf("[routing]"));
        show();
        auto* empty = m_page->findChild<EmptyState*>();
        QVERIFY(empty->isVisible());
        button(QStringLiteral("Make the first group"))->click();
        QCOMPARE(groups().size(), std::size_t{1});
        QCOMPARE(group().candidates.size(), std::size_t{2});
        QVERIFY(!empty->isVisible());
        stack()->undo();
        QVERIFY(empty->isVisible());
    }

    void wayBackHoldsGroupAndCandidate() {
        show();
        m_page->open({{QStringLiteral("group"), QStringLiteral("auto")}, {QStringLiteral("candidate"), QStringLiteral("cloud:flash")}});
        QCOMPARE(m_page->state().value(QStringLiteral("candidate")).toString(), QStringLiteral("cloud:flash"));
        QCOMPARE(m_harness->inspectedTitle, QStringLiteral("Candidate"));
        QCOMPARE(m_page->findables().first().label, QStringLiteral("auto"));
    }

    // The way back may name what an edit took away: no candidate of another one stands for it.
    void aLinkToAGroupThatIsGoneSaysSo() {
        show();
        const QVariantMap flash{{QStringLiteral("group"), QStringLiteral("auto")}, {QStringLiteral("candidate"), QStringLiteral("cloud:flash")}};
        const auto isNoneChosen = [this] {
            showHealthAgain();
            return m_harness->inspected == nullptr && !table()->currentIndex().isValid() && !form()->isVisible() && !m_page->state().contains(QStringLiteral("candidate"));
        };
        m_page->open(flash);
        QVERIFY(m_harness->inspected != nullptr && form()->isVisible());
        m_page->open({{QStringLiteral("group"), QStringLiteral("gone")}});
        QVERIFY(isNoneChosen());
        QCOMPARE(m_harness->sayings, QStringList{QStringLiteral("There is no smart group gone in what is open")});
        m_page->open(flash);
        QVERIFY(m_harness->inspected != nullptr && form()->isVisible());
        m_page->open({{QStringLiteral("group"), QStringLiteral("auto")}, {QStringLiteral("candidate"), QStringLiteral("old:model")}});
        QCOMPARE(m_harness->sayings.last(), QStringLiteral("auto has no candidate old:model"));
        QVERIFY(isNoneChosen());
        QCOMPARE(m_page->state().value(QStringLiteral("group")).toString(), QStringLiteral("auto"));
        m_page->open(m_page->state());
        QCOMPARE(m_harness->sayings.size(), 2);
        button(QStringLiteral("Add candidate"))->click();  // its form was away
        QVERIFY(form()->isNew() && form()->isVisible());
    }

private:
    void show() {
        m_harness->view.follow(format::now() + std::chrono::hours(1));
        QString why;
        connect(&m_harness->document, &PolicyDocument::loadFailed, this, [&why](const Error& error) { why = QString::fromStdString(error.text()); });
        QVERIFY2(m_harness->openPolicy(m_policy), qPrintable(why));
        m_text = m_harness->document.configText();
        m_page = std::make_unique<GroupsPage>(m_harness->context());
        m_page->resize(1000, 900);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    /// What is measured meanwhile chooses nothing.
    void showHealthAgain() { Q_EMIT m_harness->bridge.endpointsChanged(); }
    static evidence::DecisionRecord decision(std::uint64_t number) {
        evidence::DecisionRecord record = test::groupDecision(number);
        record.createdAt = format::now() - std::chrono::seconds(number);
        return record;
    }
    /// So many served calls of lab:small, each of so many milliseconds.
    void measure(double milliseconds, int calls) {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        for (int i = 0; i < calls; ++i) {
            evidence::DecisionRecord record = decision(std::uint64_t(i));
            record.endpointId = "lab:small";
            record.attempts = {{.endpointId = "lab:small", .outcome = evidence::AttemptOutcome::served, .status = 200, .startedMs = 0, .endedMs = milliseconds}};
            record.totalMs = milliseconds;
            records->push_back(record);
        }
        m_harness->target->setHistory(records);
    }
    [[nodiscard]] CandidatesModel* model() const { return m_page->findChild<CandidatesModel*>(); }
    [[nodiscard]] TableView* table() const { return m_page->findChild<TableView*>(); }
    [[nodiscard]] CardList* list() const { return m_page->findChild<CardList*>(); }
    [[nodiscard]] CandidateForm* form() const { return m_page->findChild<CandidateForm*>(); }
    [[nodiscard]] QUndoStack* stack() const { return m_harness->document.undoStack(); }
    [[nodiscard]] QString cell(int row, int column) const { return model()->index(row, column).data().toString(); }
    [[nodiscard]] const std::vector<config::SmartGroup>& groups() const { return m_harness->document.workspace()->config.config->routing.groups; }
    [[nodiscard]] const config::SmartGroup& group() const { return groups().front(); }
    [[nodiscard]] QPushButton* button(const QString& text) const {
        for (auto* one : m_page->findChildren<QPushButton*>())
            if (one->text() == text) return one;
        return nullptr;
    }
    [[nodiscard]] QWidget* focusedChip(const QString& name) const {
        for (auto* one : m_page->findChildren<QPushButton*>())
            if (one->accessibleName() == name && one->isVisible()) {
                one->setFocus();  // keys are for what has the focus: a shortcut of another part would take them
                return one;
            }
        return nullptr;
    }
    static const FieldMessage* messageIn(const QWidget* root) {
        for (const auto* one : root->findChildren<FieldMessage*>())
            if (one->isShown()) return one;
        return nullptr;
    }

    std::unique_ptr<test::PageHarness> m_harness;
    QByteArray m_policy;
    std::unique_ptr<GroupsPage> m_page;
    std::string m_text;
};

QTEST_MAIN(GroupsPageTest)
#include "tst_groups_page.moc"
