// SPDX-License-Identifier: MIT
#include "ui/shell/command_palette.h"

#include "ui/shell/palette_match.h"
#include "ui/widgets/basics.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {

constexpr int kKindRole = Qt::UserRole, kShortcutRole = Qt::UserRole + 1;
constexpr qsizetype kShownLimit = 200;

class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override { return {200, 32}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.color(Surface::selection));
            painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 4, 4);
        }
        QRect room = option.rect.adjusted(14, 0, -14, 0);
        index.data(Qt::DecorationRole).value<QIcon>().paint(painter, QRect(room.left(), room.center().y() - 8, 16, 16));
        room.setLeft(room.left() + 26);
        const QString shortcut = index.data(kShortcutRole).toString();
        const QString side = shortcut.isEmpty() ? index.data(kKindRole).toString() : shortcut;
        painter->setFont(theme.smallFont());
        painter->setPen(theme.color(Surface::textMuted));
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, side);
        room.setRight(room.right() - QFontMetrics(theme.smallFont()).horizontalAdvance(side) - 12);
        painter->setFont(theme.font());
        painter->setPen(theme.color(Surface::text));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(theme.font()).elidedText(index.data().toString(), Qt::ElideMiddle, room.width()));
        painter->restore();
    }
};

}  // namespace

CommandPalette::CommandPalette(QWidget* parent)
    : QWidget(parent), m_input(new QLineEdit), m_list(new QListWidget), m_nothing(makeMuted(tr("Nothing of that name. Try fewer letters."))) {
    setObjectName(QStringLiteral("commandPalette"));
    setAccessibleName(tr("Command palette"));
    m_input->setPlaceholderText(tr("Go to a page, a preset, a decision id, or do something…"));
    m_input->setAccessibleName(tr("What to find or do"));
    m_input->installEventFilter(this);
    m_list->setAccessibleName(tr("Matches"));
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kGap, Theme::kGap, Theme::kGap, Theme::kGap);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(m_input);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_nothing, 1);
    connect(m_input, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    hide();
}

void CommandPalette::open(QList<Command> commands, std::function<QList<Command>(const QString&)> forText) {
    m_commands = std::move(commands);
    m_forText = std::move(forText);
    m_focusBefore = QApplication::focusWidget();
    const int width = qMin(640, parentWidget()->width() - 2 * Theme::kSection);
    const int height = qMin(440, parentWidget()->height() - 120);
    setGeometry((parentWidget()->width() - width) / 2, 64, width, height);
    m_input->clear();
    filter();
    show();
    raise();
    m_input->setFocus();
}

void CommandPalette::filter() {
    const QString query = m_input->text().trimmed();
    struct Ranked {
        PaletteFit fit;
        const Command* command;
    };
    std::vector<Ranked> ranked;
    const QList<Command> made = m_forText && !query.isEmpty() ? m_forText(query) : QList<Command>();
    for (const Command& command : std::as_const(m_commands))
        if (auto fit = paletteFit(query, command.label, command.otherNames)) ranked.push_back({std::move(*fit), &command});
    if (!query.isEmpty())
        std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.fit.score > b.fit.score; });
    m_shown = made;
    for (const auto& [fit, command] : ranked) {
        if (m_shown.size() >= kShownLimit) break;
        m_shown << *command;
        // Else nobody knows why it stands there.
        if (!fit.because.isEmpty() && fit.because != command->kind) m_shown.last().kind = tr("%1: %2").arg(command->kind, fit.because);
    }

    m_list->clear();
    for (const Command& command : std::as_const(m_shown)) {
        auto* item = new QListWidgetItem(Theme::instance().icon(command.icon), command.label, m_list);
        item->setData(kKindRole, command.kind);
        item->setData(kShortcutRole, command.shortcut);
        item->setData(Qt::AccessibleTextRole, QString(command.label + QStringLiteral(", ") + command.kind));
    }
    m_list->setCurrentRow(0);
    m_list->setVisible(!m_shown.isEmpty());
    m_nothing->setVisible(m_shown.isEmpty());
}

void CommandPalette::close() {
    hide();
    m_commands.clear();
    if (m_focusBefore) m_focusBefore->setFocus();
}

void CommandPalette::runCurrent() {
    const int row = m_list->currentRow();
    if (row < 0 || row >= m_shown.size()) return;
    const auto run = m_shown.at(row).run;
    close();
    run();
}

bool CommandPalette::handleKey(int key) {
    const int count = m_list->count(), row = m_list->currentRow();
    switch (key) {
    case Qt::Key_Down: m_list->setCurrentRow(count == 0 ? -1 : (row + 1) % count); return true;
    case Qt::Key_Up: m_list->setCurrentRow(count == 0 ? -1 : (row + count - 1) % count); return true;
    case Qt::Key_PageDown: m_list->setCurrentRow(qMin(row + 10, count - 1)); return true;
    case Qt::Key_PageUp: m_list->setCurrentRow(qMax(row - 10, 0)); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: runCurrent(); return true;
    case Qt::Key_Escape: close(); return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab: return true;  // one field: leaving it would leave the palette half open
    default: return false;
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_input && event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)->key())) return true;
    if (watched == m_input && event->type() == QEvent::FocusOut && isVisible() && !underMouse()) close();
    return QWidget::eventFilter(watched, event);
}

void CommandPalette::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Surface::accent), 1));
    painter.setBrush(theme.color(Surface::raised));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

}  // namespace signalbox::ui
