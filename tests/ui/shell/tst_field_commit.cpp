// SPDX-License-Identifier: MIT
// What stands on the screen is what is saved, applied and asked about, also while it is still being typed.
#include "tests/support/held_workers.h"
#include "tests/ui/shell/draft_window.h"
#include "ui/shell/command_palette.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QUndoStack>
#include <QVBoxLayout>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

namespace {

/// One field of every kind for the same value; each gives it as the fields of our pages do.
class FieldsPage : public Page {
public:
    FieldsPage(PageContext context, QWidget* parent) : Page(std::move(context), parent) {
        auto* layout = new QVBoxLayout(this);
        auto* line = add(layout, new QLineEdit, "line");
        connect(line, &QLineEdit::editingFinished, this, [this, line] { give(line->text()); });
        auto* spin = add(layout, new QSpinBox, "spin");
        spin->setKeyboardTracking(false);
        connect(spin, &QSpinBox::valueChanged, this, [this](int value) { give(QString::number(value)); });
        auto* box = add(layout, new QComboBox, "box");
        box->setEditable(true);
        connect(box->lineEdit(), &QLineEdit::editingFinished, this, [this, box] { give(box->currentText()); });
        m_text = add(layout, new QPlainTextEdit, "text");
        m_text->installEventFilter(this);
    }
    QString id() const override { return QStringLiteral("fields"); }
    QString name() const override { return QStringLiteral("Fields"); }
    QString question() const override { return QStringLiteral("What is the share?"); }
    QString iconName() const override { return QStringLiteral("overview"); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == m_text && event->type() == QEvent::FocusOut) give(m_text->toPlainText());
        return Page::eventFilter(watched, event);
    }

private:
    template <class Field>
    static Field* add(QVBoxLayout* layout, Field* field, const char* name) {
        field->setObjectName(QString::fromLatin1(name));
        layout->addWidget(field);
        return field;
    }
    void give(const QString& percent) {
        if (percent.isEmpty()) return;
        const auto& routing = m_context.document->workspace()->writtenConfig->routing;
        const std::string from = "activation_percent = " + std::to_string(routing.activationPercent);
        QVERIFY(m_context.document->editConfig(QStringLiteral("share"), replacing(from, "activation_percent = " + percent.toStdString())));
    }
    QPlainTextEdit* m_text;
};

std::vector<PageEntry> fieldsPage() {
    return {{PageGroup::now, [](PageContext context, QWidget* parent) -> Page* { return new FieldsPage(std::move(context), parent); }}};
}

}  // namespace

class FieldCommitTest : public QObject, private test::DraftWindow {
    Q_OBJECT
public:
    FieldCommitTest() : DraftWindow(fieldsPage()) {}

private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        makeWorld();
    }
    void cleanup() { dropWorld(); }

    void ctrlSSavesWhatIsBeingTyped_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"line", "spin", "box", "text"}) QTest::addRow("%s", name) << QString::fromLatin1(name);
    }
    void ctrlSSavesWhatIsBeingTyped() {
        QFETCH(QString, name);
        QWidget* field = type(name);
        QVERIFY(!document().isDirty());
        QTest::keyClick(field, Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY2(m_world->get("gateway.toml").contains("activation_percent = 7"), m_world->get("gateway.toml").constData());
        QVERIFY(field->hasFocus());
    }

    void applyTakesWhatIsBeingTyped() {
        m_gateway->startAction()->trigger();
        QTRY_VERIFY(m_gateway->stopAction()->isEnabled());
        QVERIFY(!m_gateway->applyAction()->isEnabled());  // nothing else differs
        QTest::keyClick(type(QStringLiteral("line")), Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
        // It is not saved, so that it is asked about, and the answer has the focus.
        auto* answer = qobject_cast<QPushButton*>(QApplication::focusWidget());
        QVERIFY(answer != nullptr);
        QCOMPARE(answer->text(), QStringLiteral("Apply"));
        QTest::keyClick(answer, Qt::Key_Return);
        QTRY_COMPARE(m_bridge->running()->config->routing.activationPercent, std::uint8_t{7});
    }

    void anOpenedMenuKnowsWhatIsBeingTyped() {
        type(QStringLiteral("line"));
        QMenu* file = m_window->menuBar()->actions().constFirst()->menu();
        file->popup(m_window->mapToGlobal(QPoint(0, 0)));
        for (const QAction* action : file->actions())
            if (action->objectName() == QLatin1String("file.save")) QVERIFY(action->isEnabled());
        file->close();
        QVERIFY(document().isDirty());
    }

    void thePaletteOffersToSaveWhatIsBeingTyped() {
        QTest::keyClick(type(QStringLiteral("line")), Qt::Key_K, Qt::ControlModifier);
        const auto* list = m_window->findChild<CommandPalette*>()->findChild<QListWidget*>();
        QVERIFY(list->isVisible());
        QVERIFY(!list->findItems(QStringLiteral("Save"), Qt::MatchExactly).isEmpty());
    }

    void closingAsksAboutWhatIsBeingTyped() {
        type(QStringLiteral("spin"));
        m_window->close();
        QVERIFY(m_window->isVisible());
        auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("unsavedQuestion"));
        QVERIFY(box != nullptr);
        box->button(QMessageBox::Save)->click();
        QTRY_VERIFY(!m_window->isVisible());
        QVERIFY(m_world->get("gateway.toml").contains("activation_percent = 7"));
    }

    void anotherWorkspaceAsksAboutWhatIsBeingTyped() {
        type(QStringLiteral("text"));
        m_window->openPath(m_world->folder.path());
        QVERIFY(m_window->findChild<QMessageBox*>(QStringLiteral("unsavedQuestion")) != nullptr);
    }

    // A long policy is checked on a worker: what was typed is not in the draft yet.
    void ctrlSWaitsForWhatIsBeingChecked() {
        makeLongWorld();
        HeldWorkers workers;
        QTest::keyClick(type(QStringLiteral("line")), Qt::Key_S, Qt::ControlModifier);
        QVERIFY(document().isChecking() && !document().isDirty());
        workers.release();
        QTRY_VERIFY(m_world->get("gateway.toml").contains("activation_percent = 7"));
    }

    void closingWaitsForWhatIsBeingChecked() {
        makeLongWorld();
        HeldWorkers workers;
        type(QStringLiteral("line"));
        m_window->close();
        QVERIFY(document().isChecking() && m_window->isVisible());
        workers.release();
        QTRY_VERIFY(m_window->findChild<QMessageBox*>(QStringLiteral("unsavedQuestion")) != nullptr);
        QVERIFY(m_window->isVisible());
    }

    // As input methods send what they compose; "Revert" has no shortcut.
    void whatHasNoKeyIsNoShortcut() {
        QWidget* field = type(QStringLiteral("line"));
        QKeyEvent composed(QEvent::ShortcutOverride, 0, Qt::NoModifier, QStringLiteral("é"));
        QApplication::sendEvent(field, &composed);
        QVERIFY(!document().isDirty());
    }

    void fieldsKeepTheirOwnUndo() {
        QWidget* field = type(QStringLiteral("line"));
        QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(qobject_cast<QLineEdit*>(field)->text().isEmpty());
        QCOMPARE(document().undoStack()->count(), 0);
    }

private:
    QWidget* type(const QString& name) {
        auto* field = m_window->findChild<QWidget*>(name);
        field->setFocus(Qt::TabFocusReason);  // selects what is there
        QTest::keyClick(field, Qt::Key_7);
        return field;
    }
};

QTEST_MAIN(FieldCommitTest)
#include "tst_field_commit.moc"
