// SPDX-License-Identifier: MIT
// What a page shows of one of its things: whether it stands in the inspector, and where its thing is after an edit.
#include "tests/support/leaving_inspector.h"
#include "tests/support/page_harness.h"
#include "ui/pages/page_sheet.h"
#include "ui/pages/place_after.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/forms/record_form.h"

#include <QLineEdit>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

namespace {

/// Of one field, which counts what it tells.
class OneField : public RecordForm {
public:
    explicit OneField(int* told) : m_line(new QLineEdit) {
        addField(QStringLiteral("line"), QStringLiteral("Line"), m_line);
        connect(m_line, &QLineEdit::editingFinished, this, [this] { Q_EMIT windowTitleChanged({}); });
        connect(this, &QWidget::windowTitleChanged, this, [told] { ++*told; });
    }

private:
    QLineEdit* m_line;
};

}  // namespace

class PageSheetTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEntryIsKnownByWhatItSaysAndElseByItsPlace_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("places");  // of each entry by then; - for gone
        QTest::newRow("nothing happened") << "abc" << "abc" << "012";
        QTest::newRow("one came in front") << "abc" << "xabc" << "123";
        QTest::newRow("one came between") << "abc" << "abxc" << "013";
        QTest::newRow("one came behind") << "abc" << "abcx" << "012";
        QTest::newRow("the first is gone") << "abc" << "bc" << "-01";
        QTest::newRow("all are gone") << "abc" << "" << "---";
        QTest::newRow("one went down") << "abcd" << "acdb" << "0312";
        QTest::newRow("two changed places") << "ab" << "ba" << "10";
        QTest::newRow("one was changed") << "abc" << "axc" << "012";
        QTest::newRow("all were changed") << "abc" << "xyz" << "012";
        QTest::newRow("one was changed to what the next one says") << "ab" << "bb" << "01";
        QTest::newRow("one was changed and went where another was") << "ab" << "bx" << "-0";
        QTest::newRow("a copy") << "ab" << "aab" << "02";
        QTest::newRow("a copy is taken back") << "aab" << "ab" << "0-1";
        QTest::newRow("one was changed and another came") << "abc" << "xbyc" << "-13";
    }
    void anEntryIsKnownByWhatItSaysAndElseByItsPlace() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, places);
        const auto list = [](const QString& text) { return std::vector<QChar>(text.begin(), text.end()); };
        QString found;
        for (std::size_t i = 0; i < list(before).size(); ++i) {
            const auto place = placeAfter(list(before), list(after), i);
            found += place ? QString::number(*place) : QStringLiteral("-");
        }
        QCOMPARE(found, places);
        QVERIFY(!placeAfter(list(before), list(after), list(before).size()));
    }

    void itIsShownUntilSomethingElseIs() {
        test::PageHarness harness;
        PageContext context = harness.context();
        PageSheet sheet(context);
        QVERIFY(!sheet.isShown());
        auto* facts = new FactList;
        sheet.show(facts, QStringLiteral("Thing"), facts);
        QVERIFY(sheet.isShown() && sheet.facts() == facts && harness.inspectedTitle == QStringLiteral("Thing"));
        // What the page puts there that is of no thing, as the form of a new one.
        auto* other = new QWidget;
        context.inspect(other, QStringLiteral("New thing"));
        QVERIFY(!sheet.isShown() && sheet.facts() == nullptr);
        sheet.drop();
        QVERIFY(harness.inspected.get() == other);
        sheet.show(new QWidget, QStringLiteral("Thing"));
        QVERIFY(sheet.isShown() && sheet.facts() == nullptr);
        // The window's own.
        harness.context().inspect(new QWidget, QStringLiteral("Other"));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!sheet.isShown());
        sheet.show(new QWidget, QStringLiteral("Thing"));
        sheet.drop();
        QVERIFY(!sheet.isShown() && harness.inspected == nullptr);
    }

    void aFormThatIsTakenOutTellsNothingMore() {
        test::PageHarness harness;
        PageContext context = test::leavingInspector(harness);
        PageSheet sheet(context);
        int told = 0;
        const auto form = [&told] { return new OneField(&told); };
        const auto onASheet = [](QWidget* made) {
            auto* outer = new QWidget;
            made->setParent(outer);
            return outer;
        };
        // Typed and not left yet: the field tells of it when it loses the focus.
        const auto type = [&harness] { QTest::keyClicks(harness.inspected->findChild<QLineEdit*>(), QStringLiteral("typed")); };
        sheet.show(form(), QStringLiteral("Thing"));
        type();
        sheet.show(onASheet(form()), QStringLiteral("Another"));
        type();
        context.inspect(form(), QStringLiteral("New thing"));
        type();
        sheet.show(form(), QStringLiteral("Thing"));
        type();
        sheet.drop();
        QCOMPARE(told, 0);
        // One that stays does.
        sheet.show(form(), QStringLiteral("Thing"));
        Q_EMIT harness.inspected->findChild<QLineEdit*>()->editingFinished();
        QCOMPARE(told, 1);
    }
};

QTEST_MAIN(PageSheetTest)
#include "tst_page_sheet.moc"
