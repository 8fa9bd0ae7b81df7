// SPDX-License-Identifier: MIT
// Whatever takes the keyboard's widget away, what is typed next goes where somebody works, not to the top of the window.
#include "tests/ui/shell/draft_window.h"
#include "ui/shell/inspector.h"
#include "ui/theme/theme.h"
#include "ui/widgets/error_banner.h"

#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

namespace {

/// Two fields, and two more in the inspector.
class WorkPage : public Page {
public:
    WorkPage(PageContext context, QWidget* parent) : Page(std::move(context), parent) {
        auto* layout = new QVBoxLayout(this);
        for (const char* name : {"page.first", "page.field"}) layout->addWidget(makeField(name));
    }
    QString id() const override { return QStringLiteral("work"); }
    QString name() const override { return QStringLiteral("Work"); }
    QString question() const override { return QStringLiteral("Where is the keyboard?"); }
    QString iconName() const override { return QStringLiteral("overview"); }
    void inspectForm() {
        auto* form = new QWidget;
        auto* layout = new QVBoxLayout(form);
        for (const char* name : {"form.first", "form.field"}) layout->addWidget(makeField(name));
        m_context.inspect(form, QStringLiteral("Form"));
    }

private:
    static QLineEdit* makeField(const char* name) {
        auto* field = new QLineEdit;
        field->setObjectName(QString::fromLatin1(name));
        return field;
    }
};

std::vector<PageEntry> workPage() {
    return {{PageGroup::now, [](PageContext context, QWidget* parent) -> Page* { return new WorkPage(std::move(context), parent); }}};
}

QString focused() { return QApplication::focusWidget() == nullptr ? QString() : QApplication::focusWidget()->objectName(); }

}  // namespace

class FocusKeeperTest : public QObject, private test::DraftWindow {
    Q_OBJECT
public:
    FocusKeeperTest() : DraftWindow(workPage()) {}

private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        makeWorld();
        m_window->resize(1440, 900);
        field("page.first")->setFocus();
        field("page.field")->setFocus();
        QCOMPARE(focused(), QStringLiteral("page.field"));
    }
    void cleanup() { dropWorld(); }

    void closingTheInspectorLeadsBackToThePage() {
        page()->inspectForm();
        field("form.field")->setFocus();
        auto* inspector = m_window->findChild<Inspector*>();
        auto* close = inspector->findChild<QToolButton*>();
        close->setFocus();
        QTest::keyClick(close, Qt::Key_Space);
        QVERIFY(!inspector->isVisible());
        QCOMPARE(focused(), QStringLiteral("page.field"));
        QCoreApplication::processEvents();
        QCOMPARE(focused(), QStringLiteral("page.field"));
    }

    void aQuestionThatIsTakenBackLeadsToWhereItWasAsked() {
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
        page()->inspectForm();
        field("form.field")->setFocus();
        m_gateway->stopAction()->trigger();
        auto* banner = m_window->findChild<ErrorBanner*>();
        QVERIFY(banner->isVisible() && banner->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!banner->isVisible());
        QCOMPARE(focused(), QStringLiteral("form.field"));
    }

    // As Ctrl+Z does it: the form is another one, and the field the same to the reader.
    void aFormThatIsBuiltAnewKeepsItsField() {
        page()->inspectForm();
        QLineEdit* before = field("form.field");
        before->setFocus();
        page()->inspectForm();
        QVERIFY(field("form.field") != before);
        QTRY_VERIFY(field("form.field")->hasFocus());
    }

    void whatIsDisabledForAWhileGetsItBack() {
        field("page.field")->setEnabled(false);
        QCOMPARE(focused(), QStringLiteral("page.first"));
        QCoreApplication::processEvents();
        field("page.field")->setEnabled(true);
        QTRY_COMPARE(focused(), QStringLiteral("page.field"));
    }

    void whoeverTypesMeanwhileStays() {
        field("page.field")->setEnabled(false);
        QCoreApplication::processEvents();
        QTest::keyClicks(field("page.first"), QStringLiteral("x"));
        field("page.field")->setEnabled(true);
        QCoreApplication::processEvents();
        QCOMPARE(focused(), QStringLiteral("page.first"));
    }

    void whatIsGoneForGoodIsFollowedByWhatWasBefore_data() {
        QTest::addColumn<bool>("deleted");
        QTest::newRow("hidden") << false;
        QTest::newRow("deleted") << true;
    }
    void whatIsGoneForGoodIsFollowedByWhatWasBefore() {
        QFETCH(bool, deleted);
        page()->inspectForm();
        field("form.first")->setFocus();
        field("page.field")->setFocus();
        if (deleted) delete field("page.field");
        else field("page.field")->hide();
        QTRY_COMPARE(focused(), QStringLiteral("form.first"));
    }

    void withNothingBeforeItIsTheBeginningOfThePage() {
        m_window.reset();
        m_gateway.reset();
        makeWindow();
        m_window->resize(1440, 900);
        field("page.field")->setFocus();
        field("page.field")->hide();
        QTRY_COMPARE(focused(), QStringLiteral("page.first"));
    }

    void whatGoesBehindADialogIsFollowedAsWell() {
        QDialog dialog(m_window.get());
        auto* answer = new QLineEdit(&dialog);
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        answer->setFocus();
        field("page.field")->hide();
        dialog.close();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTRY_COMPARE(focused(), QStringLiteral("page.first"));
    }

    void tabStillGoesOn() {
        field("page.first")->setFocus();
        QTest::keyClick(field("page.first"), Qt::Key_Tab);
        QCOMPARE(focused(), QStringLiteral("page.field"));
    }

private:
    [[nodiscard]] WorkPage* page() const { return static_cast<WorkPage*>(m_window->currentPage()); }
    /// The one that is shown: an old form waits for its end elsewhere.
    [[nodiscard]] QLineEdit* field(const char* name) const { return m_window->findChild<QLineEdit*>(QString::fromLatin1(name)); }
};

QTEST_MAIN(FocusKeeperTest)
#include "tst_focus_keeper.moc"
