// SPDX-License-Identifier: MIT
#include "ui/widgets/error_banner.h"

#include "ui/theme/tone_glyph.h"
#include "ui/widgets/basics.h"
#include "ui/theme/format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace signalbox::ui {

ErrorBanner::ErrorBanner(QWidget* parent)
    : QWidget(parent), m_message(makeLabel({})), m_where(makeMuted({})), m_hint(makeLabel({})),
      m_retryButton(makeButton(tr("Try again"))) {
    QFont strong = Theme::instance().font();
    strong.setWeight(QFont::DemiBold);
    m_message->setFont(strong);
    m_where->setFont(Theme::instance().fixedFont());
    auto* close = makeIconButton(tr("Dismiss this message"), QStringLiteral("close"));
    connect(close, &QToolButton::clicked, this, &ErrorBanner::dismiss);
    connect(m_retryButton, &QPushButton::clicked, this, [this] {
        const auto retry = m_retry;
        dismiss();
        if (retry) retry();
    });

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(m_message);
    texts->addWidget(m_where);
    texts->addWidget(m_hint);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(40, Theme::kGapWide, Theme::kGap, Theme::kGapWide);
    layout->setSpacing(Theme::kGapWide);
    layout->addLayout(texts, 1);
    layout->addWidget(m_retryButton, 0, Qt::AlignVCenter);
    layout->addWidget(close, 0, Qt::AlignTop);
    setAccessibleName(tr("Error"));
    setVisible(false);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ErrorBanner::setTexts(const QString& message, const QString& where, const QString& hint) {
    m_message->setText(message);
    m_where->setText(where);
    m_where->setVisible(!where.isEmpty());
    m_hint->setText(hint);
    m_hint->setVisible(!hint.isEmpty());
}

void ErrorBanner::offer(const QString& verb, const QString& icon) {
    m_retryButton->setText(verb);
    m_retryButton->setAccessibleName(verb);
    setThemedIcon(m_retryButton, icon);
    m_retryButton->setVisible(static_cast<bool>(m_retry));
}

void ErrorBanner::show(const Error& error, std::function<void()> retry) {
    m_error = error;
    m_tone = Tone::danger;
    m_retry = std::move(retry);
    setTexts(format::sentence(error.message), format::text(error.where), format::text(error.hint));
    offer(tr("Try again"), QStringLiteral("refresh"));
    setAccessibleName(tr("Error"));
    setAccessibleDescription(format::text(error.text()));
    setVisible(true);
    update();
}

void ErrorBanner::notice(Tone tone, const QString& message, const QString& where, const QString& actionText, std::function<void()> action) {
    m_error = {};
    m_tone = tone;
    m_retry = std::move(action);
    setTexts(message, where, {});
    offer(actionText, {});
    setAccessibleName(tr("Notice"));
    setAccessibleDescription(message);
    setVisible(true);
    update();
}

void ErrorBanner::dismiss() {
    if (!isVisibleTo(parentWidget())) return;
    setVisible(false);
    m_retry = {};
    Q_EMIT dismissed();
}

void ErrorBanner::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) dismiss();
    else QWidget::keyPressEvent(event);
}

void ErrorBanner::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.softColor(m_tone));
    painter.fillRect(QRect(0, 0, 3, height()), theme.color(m_tone));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(Surface::hairline));
    paintToneGlyph(painter, QRectF(17, 17, 10, 10), m_tone, theme.color(m_tone));
}

}  // namespace signalbox::ui
