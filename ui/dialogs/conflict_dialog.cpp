// SPDX-License-Identifier: MIT
#include "ui/dialogs/conflict_dialog.h"

#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTextBlock>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

// In front of a line that differs, so that the colour does not stand alone.
static const QString kMark = QStringLiteral("~ "), kNoMark = QStringLiteral("  ");

ConflictDialog::ConflictDialog(const QString& file, const QString& base, const QString& theirs, const QString& ours, QWidget* parent)
    : QDialog(parent), m_counter(makeMuted({})) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("conflictDialog"));
    setWindowTitle(tr("Changed by somebody else"));
    setModal(true);
    const bool removed = theirs.isNull();
    auto* title = makeHeading(removed ? tr("This file was removed while you changed it") : tr("This file was changed while you changed it too"));
    auto* where = makeMuted(file);
    where->setFont(Theme::instance().fixedFont());

    auto* columns = new QHBoxLayout;
    columns->setSpacing(Theme::kGapWide);
    m_sides[baseSide] = addSide(baseSide, tr("Before"), tr("what both began with"), columns);
    m_sides[theirSide] = addSide(theirSide, tr("Theirs"), removed ? tr("removed from the disk") : tr("on disk now"), columns);
    m_sides[ourSide] = addSide(ourSide, tr("Ours"), tr("the draft, not saved"), columns);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, Theme::kMargin, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(title);
    layout->addWidget(where);
    layout->addLayout(columns, 1);
    layout->addWidget(makeButtons(removed));
    fill(compareThree(base, theirs, ours));
    keepTogether();
    resize(1180, 680);
    goToDifference(1);
}

QPlainTextEdit* ConflictDialog::addSide(Side side, const QString& title, const QString& note, QLayout* columns) {
    auto* text = new QPlainTextEdit;
    text->setObjectName(QStringLiteral("conflict.%1").arg(side));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(Theme::instance().fixedFont());
    text->setTabChangesFocus(true);
    text->setAccessibleName(tr("%1: %2").arg(title, note));
    auto* head = new QHBoxLayout;
    head->setSpacing(Theme::kGap);
    head->addWidget(makeHeading(title));
    auto* muted = makeMuted(note);
    muted->setWordWrap(false);
    head->addWidget(muted, 1, Qt::AlignBottom);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(text, 1);
    static_cast<QHBoxLayout*>(columns)->addLayout(column, 1);
    return text;
}

QWidget* ConflictDialog::makeButtons(bool removed) {
    const auto add = [this](QHBoxLayout* to, const char* name, const QString& text, const QString& tip, ButtonRole role, auto signal) {
        auto* button = makeButton(text, {}, role);
        button->setObjectName(QString::fromLatin1(name));
        button->setToolTip(plainTip(tip));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, signal] {
            Q_EMIT(this->*signal)();
            accept();
        });
        to->addWidget(button);
        return button;
    };
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    for (const int step : {-1, 1}) {
        auto* go = makeButton(step < 0 ? tr("Previous difference") : tr("Next difference"), {}, ButtonRole::quiet);
        go->setShortcut(step < 0 ? QKeySequence(Qt::SHIFT | Qt::Key_F3) : QKeySequence(Qt::Key_F3));
        go->setAutoDefault(false);
        connect(go, &QPushButton::clicked, this, [this, step] { goToDifference(step); });
        layout->addWidget(go);
    }
    m_counter->setWordWrap(false);
    layout->addWidget(m_counter, 1);
    auto* theirs = add(layout, "conflict.theirs", tr("Read theirs"), tr("Drops your changes; Undo brings them back"), ButtonRole::normal, &ConflictDialog::takeTheirs);
    theirs->setEnabled(!removed);
    add(layout, "conflict.copy", tr("Save ours as a copy…"), tr("Writes your text to another file and leaves this one alone"), ButtonRole::normal, &ConflictDialog::saveCopy);
    add(layout, "conflict.ours", tr("Write ours over theirs"), tr("What somebody else changed in this file is lost"), ButtonRole::danger, &ConflictDialog::writeOurs);
    auto* cancel = makeButton(tr("Cancel"));
    cancel->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    layout->addWidget(cancel);
    return bar;
}

static void mark(QPlainTextEdit* text, const std::vector<bool>& rows, Tone tone) {
    QList<QTextEdit::ExtraSelection> marks;
    for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
        if (!rows[static_cast<std::size_t>(row)]) continue;
        QTextEdit::ExtraSelection selection;
        selection.format.setBackground(Theme::instance().softColor(tone));
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        selection.cursor = QTextCursor(text->document()->findBlockByNumber(row));
        marks << selection;
    }
    text->setExtraSelections(marks);
}

void ConflictDialog::fill(const std::vector<ThreeWayRow>& rows) {
    QStringList texts[sideCount];
    std::vector<bool> marks[sideCount];
    bool inside = false;
    for (const ThreeWayRow& row : rows) {
        const bool differs = row.theirsDiffers || row.oursDiffers;
        if (differs && !inside) m_differences.push_back(static_cast<int>(marks[baseSide].size()));
        inside = differs;
        const auto put = [&](Side side, const std::optional<QString>& line, bool isMarked) {
            texts[side] << (line ? (isMarked ? kMark : kNoMark) + *line : QString());
            marks[side].push_back(isMarked);
        };
        put(baseSide, row.base, differs);
        put(theirSide, row.theirs, row.theirsDiffers);
        put(ourSide, row.ours, row.oursDiffers);
    }
    for (const auto& [side, tone] : {std::pair(baseSide, Tone::idle), std::pair(theirSide, Tone::caution), std::pair(ourSide, Tone::canary)}) {
        m_sides[side]->setPlainText(texts[side].join(QLatin1Char('\n')));
        mark(m_sides[side], marks[side], tone);
    }
}

void ConflictDialog::keepTogether() {
    for (QPlainTextEdit* from : m_sides)
        for (const auto orientation : {Qt::Vertical, Qt::Horizontal}) {
            const auto barOf = [orientation](QPlainTextEdit* text) { return orientation == Qt::Vertical ? text->verticalScrollBar() : text->horizontalScrollBar(); };
            connect(barOf(from), &QScrollBar::valueChanged, this, [this, from, barOf](int value) {
                if (std::exchange(m_scrolling, true)) return;
                for (QPlainTextEdit* to : m_sides)
                    if (to != from) barOf(to)->setValue(value);
                m_scrolling = false;
            });
        }
}

void ConflictDialog::goToDifference(int step) {
    const int count = static_cast<int>(m_differences.size());
    if (count == 0) return;
    m_at = m_at < 0 ? 0 : (m_at + step + count) % count;
    m_counter->setText(tr("difference %1 of %2").arg(m_at + 1).arg(count));
    for (QPlainTextEdit* side : m_sides) {
        side->setTextCursor(QTextCursor(side->document()->findBlockByNumber(m_differences[static_cast<std::size_t>(m_at)])));
        side->centerCursor();
    }
}

}  // namespace signalbox::ui
