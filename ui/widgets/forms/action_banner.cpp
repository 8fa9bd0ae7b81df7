// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/action_banner.h"

#include "ui/theme/tone_glyph.h"
#include "ui/widgets/basics.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

ActionBanner::ActionBanner(QWidget* parent)
    : QWidget(parent), m_message(makeLabel({})), m_detail(makeMuted({})), m_button(makeButton({}, {}, ButtonRole::primary)) {
    QFont strong = Theme::instance().font();
    strong.setWeight(QFont::DemiBold);
    m_message->setFont(strong);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_message);
    texts->addWidget(m_detail);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, Theme::kGap, Theme::kGapWide, Theme::kGap);
    layout->setSpacing(Theme::kGapWide);
    layout->addLayout(texts, 1);
    layout->addWidget(m_button, 0, Qt::AlignVCenter);
    connect(m_button, &QPushButton::clicked, this, &ActionBanner::triggered);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ActionBanner::set(Tone tone, const QString& message, const QString& detail, const QString& action) {
    m_tone = tone;
    m_message->setText(message);
    m_detail->setText(detail);
    m_detail->setVisible(!detail.isEmpty());
    m_button->setText(action);
    m_button->setAccessibleName(action);
    m_button->setVisible(!action.isEmpty());
    setAccessibleName(message);
    setAccessibleDescription(detail);
    update();
}

void ActionBanner::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.softColor(m_tone));
    painter.fillRect(QRect(0, 0, 3, height()), theme.color(m_tone));
    paintToneGlyph(painter, QRectF(17, 15, 10, 10), m_tone, theme.color(m_tone));
}

}  // namespace signalbox::ui
