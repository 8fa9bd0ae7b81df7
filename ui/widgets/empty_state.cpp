// SPDX-License-Identifier: MIT
#include "ui/widgets/empty_state.h"

#include "ui/widgets/basics.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

EmptyState::EmptyState(const QString& icon, const QString& title, const QString& explanation, QWidget* parent)
    : QWidget(parent), m_picture(new QLabel), m_title(makeHeading(title)), m_explanation(makeMuted(explanation)),
      m_button(makeButton({}, {}, ButtonRole::primary)) {
    const auto draw = [picture = m_picture, icon] {
        const Theme& theme = Theme::instance();
        picture->setPixmap(theme.icon(icon, theme.color(Surface::textMuted)).pixmap(32, 32));
    };
    draw();
    connect(&Theme::instance(), &Theme::changed, m_picture, draw);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setWordWrap(true);
    m_explanation->setAlignment(Qt::AlignCenter);
    m_explanation->setMaximumWidth(460);
    m_button->hide();
    connect(m_button, &QPushButton::clicked, this, &EmptyState::triggered);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, Theme::kSection, Theme::kSection, Theme::kSection);
    layout->setSpacing(Theme::kGap);
    layout->addStretch();
    layout->addWidget(m_picture, 0, Qt::AlignHCenter);
    layout->addWidget(m_title);
    auto* line = new QHBoxLayout;
    line->addStretch();
    line->addWidget(m_explanation, 10);
    line->addStretch();
    layout->addLayout(line);
    layout->addSpacing(4);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch();
    setAccessibleName(title);
    setAccessibleDescription(explanation);
}

void EmptyState::setTexts(const QString& title, const QString& explanation) {
    m_title->setText(title);
    m_explanation->setText(explanation);
    setAccessibleName(title);
    setAccessibleDescription(explanation);
}

void EmptyState::setAction(const QString& text) {
    m_button->setText(text);
    m_button->setAccessibleName(text);
    m_button->setVisible(!text.isEmpty());
}

}  // namespace signalbox::ui
