// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/row_commands.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/forms/row_mover.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QPushButton>

namespace signalbox::ui {

RowCommands::RowCommands(QAbstractItemView* view, const QString& addText)
    : QObject(view), m_view(view), m_mover(new RowMover(view)), m_add(new QAction(addText, this)), m_duplicate(new QAction(tr("Duplicate"), this)),
      m_remove(new QAction(tr("Delete"), this)) {
    m_add->setShortcut(QKeySequence(Qt::Key_Insert));
    m_duplicate->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_D));
    m_remove->setShortcut(QKeySequence(Qt::Key_Delete));
    for (QAction* action : actions()) {
        // In a field of the form these keys mean something else.
        action->setShortcutContext(Qt::WidgetShortcut);
        view->addAction(action);
    }
    connect(m_add, &QAction::triggered, this, &RowCommands::addWanted);
    connect(m_duplicate, &QAction::triggered, this, [this] {
        if (const int row = selectedRow(); row >= 0) Q_EMIT duplicateWanted(row);
    });
    connect(m_remove, &QAction::triggered, this, [this] {
        if (const int row = selectedRow(); row >= 0) Q_EMIT removeWanted(row);
    });
    connect(m_mover, &RowMover::moved, this, &RowCommands::moveWanted);
}

void RowCommands::setEnabled(bool enabled) {
    m_enabled = enabled;
    for (QAction* action : actions()) action->setEnabled(enabled);
    m_mover->setEnabled(m_enabled && m_movable);
}

void RowCommands::setMovable(bool movable) {
    m_movable = movable;
    m_mover->setEnabled(m_enabled && m_movable);
}

int RowCommands::selectedRow() const {
    const QModelIndex current = m_view->currentIndex();
    const auto* selection = m_view->selectionModel();
    return current.isValid() && selection != nullptr && selection->isSelected(current) ? current.row() : -1;
}

QWidget* RowCommands::makeRowButtons() {
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* duplicate = makeButton(m_duplicate->text(), QStringLiteral("copy"));
    auto* remove = makeButton(m_remove->text(), QStringLiteral("close"), ButtonRole::danger);
    duplicate->setToolTip(tr("Ctrl+D in the list"));
    remove->setToolTip(tr("Del in the list; undo brings it back"));
    connect(duplicate, &QPushButton::clicked, m_duplicate, &QAction::trigger);
    connect(remove, &QPushButton::clicked, m_remove, &QAction::trigger);
    layout->addWidget(duplicate);
    layout->addWidget(remove);
    layout->addStretch();
    return bar;
}

}  // namespace signalbox::ui
