// SPDX-License-Identifier: MIT
#include "ui/widgets/section.h"

#include "ui/widgets/basics.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent), m_title(makeHeading(title)), m_note(makeMuted({})), m_bar(new QHBoxLayout), m_body(new QVBoxLayout) {
    m_note->setFont(Theme::instance().smallFont());
    m_note->hide();
    m_bar->setSpacing(Theme::kGap);
    m_bar->setContentsMargins(0, 0, 0, 0);
    m_bar->addWidget(m_title, 0, Qt::AlignVCenter);
    m_bar->addWidget(m_note, 1, Qt::AlignVCenter);
    m_bar->addStretch(0);
    m_body->setSpacing(Theme::kGap);
    m_body->setContentsMargins(0, 4, 0, 0);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(m_bar);
    layout->addWidget(makeHairline());
    layout->addLayout(m_body, 1);
    setAccessibleName(title);
}

void Section::setTitle(const QString& title) {
    m_title->setText(title);
    setAccessibleName(title);
}

void Section::setNote(const QString& note) {
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void Section::addControl(QWidget* control) { m_bar->addWidget(control, 0, Qt::AlignVCenter); }

}  // namespace signalbox::ui
