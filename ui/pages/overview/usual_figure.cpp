// SPDX-License-Identifier: MIT
#include "ui/pages/overview/usual_figure.h"

#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/tone_text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kPad = 6, kLeastWidth = 128;
static constexpr double kValueSize = 17;

UsualFigure::UsualFigure(UsualTopic topic, QWidget* parent)
    : QWidget(parent), m_topic(topic), m_value(new QLabel(format::none())), m_usual(new ToneText), m_team(new ElidedLabel({}, Qt::ElideMiddle)), m_endpoint(new ElidedLabel({}, Qt::ElideMiddle)) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setMinimumWidth(kLeastWidth);
    auto* title = makeMuted(usualName(topic));
    title->setFont(Theme::instance().smallFont());
    title->setTextInteractionFlags(Qt::NoTextInteraction);
    QFont large = Theme::instance().numberFont();
    large.setPointSizeF(kValueSize);
    large.setWeight(QFont::Medium);
    m_value->setFont(large);
    m_usual->setFont(Theme::instance().smallFont());
    m_usual->setTextInteractionFlags(Qt::NoTextInteraction);
    for (ElidedLabel* who : {m_team, m_endpoint}) {
        who->setFont(Theme::instance().smallFont());
        who->setAttribute(Qt::WA_TransparentForMouseEvents);  // the whole figure is one thing to click
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPad, 4, kPad, 4);
    layout->setSpacing(0);
    for (QWidget* part : QList<QWidget*>{title, m_value, m_usual, m_team, m_endpoint}) layout->addWidget(part);
    layout->addStretch();
    connect(&Theme::instance(), &Theme::changed, this, &UsualFigure::describe);
    describe();
}

/// Of "deepseek:flash: 6.1 % of 240": the colon and what stands behind it.
static qsizetype figureLength(const QString& text) {
    const qsizetype colon = text.lastIndexOf(QLatin1String(": "));
    return colon < 0 ? 0 : text.size() - colon;
}

void UsualFigure::set(const UsualText& text) {
    m_text = text;
    m_value->setText(text.value);
    m_usual->set(text.tone, text.usual);
    m_team->setText(text.team, figureLength(text.team));
    m_team->setVisible(!text.team.isEmpty());
    m_endpoint->setText(text.endpoint, figureLength(text.endpoint));
    m_endpoint->setVisible(!text.endpoint.isEmpty());
    describe();
}

void UsualFigure::describe() {
    setAccessibleName(tr("%1: %2").arg(usualName(m_topic), m_text.value.isEmpty() ? format::none() : m_text.value));
    QStringList more{m_text.usual, m_text.team, m_text.endpoint};
    more.removeAll(QString());
    setAccessibleDescription(more.join(QStringLiteral(". ")));
    setToolTip(plainTip((QStringList{tr("Open the weeks, teams and endpoints behind it")} + more).join(QLatin1Char('\n'))));
    const bool unusual = m_text.tone != Tone::idle && m_text.tone != Tone::clear;
    const Theme& theme = Theme::instance();
    m_value->setStyleSheet(QStringLiteral("color: %1;").arg((unusual ? theme.color(m_text.tone) : theme.color(Surface::text)).name()));
    update();
}

void UsualFigure::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) Q_EMIT opened();
    else QWidget::keyPressEvent(event);
}

void UsualFigure::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint())) Q_EMIT opened();
}

void UsualFigure::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void UsualFigure::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void UsualFigure::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
}

void UsualFigure::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
}

void UsualFigure::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_hovered) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Surface::hover));
        painter.drawRoundedRect(rect(), 4, 4);
    }
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Surface::accent), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

}  // namespace signalbox::ui
