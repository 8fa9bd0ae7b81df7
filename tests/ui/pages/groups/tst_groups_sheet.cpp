// SPDX-License-Identifier: MIT
// What stands in the inspector of the groups page is of the candidate that is chosen.
#include "tests/support/page_harness.h"
#include "tests/ui/pages/groups/group_samples.h"
#include "ui/document/config_edits.h"
#include "ui/pages/groups/groups_page.h"
#include "ui/theme/format.h"
#include "ui/widgets/cards/card_list.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/table_view.h"

#include <QLabel>
#include <QTest>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

/// As many candidates as `auto` has, none of them the same.
static constexpr auto kOtherGroup = R"(
[routing.groups.other]
aliases = ["other"]
candidates = [{ provider = "lab", model = "large" }, { provider = "cloud", model = "deep-one" }]
)";

class GroupsSheetTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_harness = std::make_unique<test::PageHarness>();
        m_harness->view.follow(format::now() + std::chrono::hours(1));
        QVERIFY(m_harness->openPolicy(QByteArray(test::kGroupToml) + kOtherGroup));
        m_page = std::make_unique<GroupsPage>(m_harness->context());
        m_page->resize(1000, 900);
    }
    void cleanup() {
        m_page.reset();
        m_harness.reset();
    }

    /// A page is opened by a link before it is shown.
    void aLinkFillsTheInspectorBeforeThePageIsSeen() {
        open("auto", "cloud:flash");
        QCOMPARE(shown(), QStringLiteral("cloud:flash"));
        open("auto", "lab:small");
        QCOMPARE(shown(), QStringLiteral("lab:small"));
        open("other", "lab:large");  // the first one of its group, as the last one was
        QCOMPARE(shown(), QStringLiteral("lab:large"));
    }

    void nobodyChoseTheFirstOneOfAPageThatIsOnlySeen() {
        show();
        QCOMPARE(shown(), QString());
    }

    void anotherGroupOfAsManyCandidatesShowsItsOwn() {
        show();
        open("auto", "lab:small");
        m_page->findChild<CardList*>()->selectRow(1);
        QCOMPARE(m_page->state().value(QStringLiteral("group")).toString(), QStringLiteral("other"));
        QCOMPARE(shown(), QStringLiteral("lab:large"));
    }

    void theCandidateStaysChosenWhereAMoveTakesIt() {
        show();
        open("auto", "lab:small");
        QVERIFY(edits::moveCandidate(m_harness->document, "auto", 0, 1).has_value());
        QVERIFY(isChosen("lab:small", 1));
        m_harness->document.undoStack()->undo();
        QVERIFY(isChosen("lab:small", 0));
    }

    void theOneInItsPlaceIsShownWhenItIsGone() {
        show();
        open("auto", "lab:small");
        QVERIFY(edits::removeCandidate(m_harness->document, "auto", 0).has_value());
        QVERIFY(isChosen("cloud:flash", 0));
        m_harness->document.undoStack()->undo();
        QVERIFY(isChosen("cloud:flash", 1));
    }

    void theSheetSaysWhatTheDraftSays() {
        show();
        open("auto", "lab:small");
        QVERIFY(says(QStringLiteral("1.20 s")));
        QVERIFY(edits::setLatencyHint(m_harness->document, "auto", 0, 4'321).has_value());
        QVERIFY(says(QStringLiteral("4.32 s")) && !says(QStringLiteral("1.20 s")));
    }

    void nothingStandsForAGroupThatIsGone() {
        show();
        open("other", "cloud:deep-one");
        QVERIFY(edits::removeGroup(m_harness->document, "other").has_value());
        QVERIFY(isChosen("lab:small", 0));
        QVERIFY(edits::setMode(m_harness->document, config::RoutingMode::off).has_value());
        QVERIFY(edits::removeGroup(m_harness->document, "auto").has_value());
        QCOMPARE(shown(), QString());
    }

private:
    void show() {
        m_page->show();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void open(const char* group, const char* candidate) {
        m_page->open({{QStringLiteral("group"), QString::fromLatin1(group)}, {QStringLiteral("candidate"), QString::fromLatin1(candidate)}});
    }
    /// The endpoint that the inspector says; empty: nothing is there.
    [[nodiscard]] QString shown() const { return m_harness->inspected ? m_harness->inspected->findChild<ElidedLabel*>()->text() : QString(); }
    [[nodiscard]] bool isChosen(const char* candidate, int row) const {
        return shown() == QString::fromLatin1(candidate) && m_page->state().value(QStringLiteral("candidate")).toString() == QString::fromLatin1(candidate) &&
               m_page->findChild<TableView*>()->currentSourceRow() == row;
    }
    [[nodiscard]] bool says(const QString& part) const {
        for (const auto* label : m_harness->inspected->findChildren<QLabel*>())
            if (label->text().contains(part)) return true;
        return false;
    }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<GroupsPage> m_page;
};

QTEST_MAIN(GroupsSheetTest)
#include "tst_groups_sheet.moc"
