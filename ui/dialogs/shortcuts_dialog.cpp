// SPDX-License-Identifier: MIT
#include "ui/dialogs/shortcuts_dialog.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"

#include <QAction>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {
struct ShortcutsDialogWords {
    Q_DECLARE_TR_FUNCTIONS(ShortcutsDialog)
};
}  // namespace

static void addKey(FactList* list, const QString& keys, const QString& meaning) {
    auto* label = makeLabel(meaning);
    list->addWidget(keys, label);
}

void showShortcuts(QWidget* parent, const QList<QAction*>& actions) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("shortcutsDialog"));
    dialog->setWindowTitle(ShortcutsDialogWords::tr("Keyboard shortcuts"));
    dialog->setModal(true);

    auto* list = new FactList;
    for (const QAction* action : actions)
        if (!action->shortcut().isEmpty())
            addKey(list, action->shortcut().toString(QKeySequence::NativeText), QString(action->text()).remove(QLatin1Char('&')));
    addKey(list, ShortcutsDialogWords::tr("Tab"), ShortcutsDialogWords::tr("Next control; in a table it leaves the table"));
    addKey(list, ShortcutsDialogWords::tr("Arrow keys"), ShortcutsDialogWords::tr("Move in the navigation, a table or the matrix"));
    addKey(list, ShortcutsDialogWords::tr("Enter"), ShortcutsDialogWords::tr("Go deeper: open what is selected"));
    addKey(list, ShortcutsDialogWords::tr("Ctrl+C"), ShortcutsDialogWords::tr("Copy the selected rows or the focused id"));
    addKey(list, ShortcutsDialogWords::tr("Escape"), ShortcutsDialogWords::tr("Dismiss a message, leave the palette"));

    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(ShortcutsDialogWords::tr("All shortcuts"));
    list->setProperty("role", QStringLiteral("canvas"));
    area->setWidget(list);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(Theme::kSection, Theme::kSection, Theme::kSection, Theme::kMargin);
    layout->addWidget(area, 1);
    layout->addWidget(buttons);
    dialog->resize(480, 560);
    dialog->open();
}

}  // namespace signalbox::ui
