// SPDX-License-Identifier: MIT
#include "ui/shell/button_keys.h"

#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace signalbox::ui;

namespace {
struct Window : QWidget {
    Window() {
        auto* layout = new QVBoxLayout(this);
        layout->addWidget(push);
        layout->addWidget(tool);
        show();
        activateWindow();
    }
    QPushButton* push = new QPushButton(QStringLiteral("Drain it"));
    QToolButton* tool = new QToolButton;
};
}  // namespace

class ButtonKeysTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void returnPressesAsSpaceDoes() {
        const ButtonKeys keys(nullptr);
        const Window window;
        const QList<QAbstractButton*> buttons{window.push, window.tool};
        for (QAbstractButton* button : buttons) {
            const QSignalSpy clicked(button, &QAbstractButton::clicked);
            button->setFocus();
            QTest::keyClick(button, Qt::Key_Return);
            QCOMPARE(clicked.count(), 1);
            QTest::keyClick(button, Qt::Key_Enter, Qt::KeypadModifier);
            QCOMPARE(clicked.count(), 2);
            QTest::keyClick(button, Qt::Key_Return, Qt::ControlModifier);  // another key, which others may want
            QCOMPARE(clicked.count(), 2);
            QTest::keyClick(button, Qt::Key_Space);
            QCOMPARE(clicked.count(), 3);
            button->setEnabled(false);
            QTest::keyClick(button, Qt::Key_Return);
            QCOMPARE(clicked.count(), 3);
        }
    }

    void heldDownItPressesOnce() {
        const ButtonKeys keys(nullptr);
        const Window window;
        const QSignalSpy clicked(window.push, &QAbstractButton::clicked);
        QKeyEvent first(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
        QCoreApplication::sendEvent(window.push, &first);
        QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, QString(), true);
        QCoreApplication::sendEvent(window.push, &repeated);
        QCOMPARE(clicked.count(), 1);
    }

    // The press that opened the question is not its answer.
    void heldDownItConfirmsNoDialogThatItOpened_data() {
        QTest::addColumn<bool>("fromField");
        QTest::newRow("the focus on its default button") << false;
        QTest::newRow("the focus in a field of it") << true;
    }
    void heldDownItConfirmsNoDialogThatItOpened() {
        QFETCH(bool, fromField);
        const ButtonKeys keys(nullptr);
        QDialog dialog;
        auto* layout = new QVBoxLayout(&dialog);
        auto* field = new QLineEdit;
        auto* apply = new QPushButton(QStringLiteral("Apply"));
        layout->addWidget(field);
        layout->addWidget(apply);
        apply->setDefault(true);
        dialog.show();
        dialog.activateWindow();
        QWidget* focused = fromField ? static_cast<QWidget*>(field) : apply;
        focused->setFocus();
        const QSignalSpy clicked(apply, &QPushButton::clicked);
        QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, QString(), true);
        QCoreApplication::sendEvent(focused, &repeated);
        QCOMPARE(clicked.count(), 0);
        QTest::keyClick(focused, Qt::Key_Return);
        QCOMPARE(clicked.count(), 1);
    }

    // Many lines may be broken by a key that stays down.
    void heldDownItGoesOnInATextOfADialog() {
        const ButtonKeys keys(nullptr);
        QDialog dialog;
        auto* text = new QPlainTextEdit(&dialog);
        dialog.show();
        QKeyEvent repeated(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, QStringLiteral("\r"), true);
        QCoreApplication::sendEvent(text, &repeated);
        QCOMPARE(text->toPlainText(), QStringLiteral("\n"));
    }

    void withoutItNothingIsPressed() {
        const Window window;
        const QSignalSpy clicked(window.push, &QAbstractButton::clicked);
        QTest::keyClick(window.push, Qt::Key_Return);
        QCOMPARE(clicked.count(), 0);
    }
};

QTEST_MAIN(ButtonKeysTest)
#include "tst_button_keys.moc"
