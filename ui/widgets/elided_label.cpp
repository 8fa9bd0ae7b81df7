// SPDX-License-Identifier: MIT
#include "ui/widgets/elided_label.h"

#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>

namespace signalbox::ui {

static constexpr int kIcon = 14;

ElidedLabel::ElidedLabel(const QString& text, Qt::TextElideMode mode, QWidget* parent) : QWidget(parent), m_mode(mode) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setProperty("data", true);  // a value, not words of ours: nothing to translate
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    setText(text);
}

ElidedLabel* ElidedLabel::forId(const QString& id, QWidget* parent) {
    auto* label = new ElidedLabel(id, Qt::ElideMiddle, parent);
    label->setFont(Theme::instance().fixedFont());
    label->setCopyable(true);
    return label;
}

void ElidedLabel::setText(const QString& text, qsizetype kept) {
    if (text == m_text && kept == m_kept) return;  // live values are set again and again
    m_text = text;
    m_kept = qBound(qsizetype{0}, kept, text.size());
    setAccessibleName(text);
    setToolTip(plainTip(text));
    updateGeometry();
    update();
}

void ElidedLabel::setCopyable(bool copyable) {
    m_copyable = copyable;
    setFocusPolicy(copyable ? Qt::StrongFocus : Qt::NoFocus);
    setCursor(copyable ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setAccessibleDescription(copyable ? tr("Press Enter to copy") : QString());
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_text) + (m_copyable ? kIcon + 8 : 2), fontMetrics().height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const { return {qMin(sizeHint().width(), 48), sizeHint().height()}; }

QString ElidedLabel::shownIn(int room) const {
    const QFontMetrics metrics = fontMetrics();
    const QString end = m_text.right(m_kept);
    const int left = room - metrics.horizontalAdvance(end);
    if (m_kept > 0 && metrics.horizontalAdvance(m_text) <= room) return m_text;
    // Without room for a sign of the name the end alone would say nothing.
    if (m_kept == 0 || left < 3 * metrics.averageCharWidth()) return metrics.elidedText(m_text, m_mode, room);
    return metrics.elidedText(m_text.chopped(m_kept), m_mode, left) + end;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const bool showIcon = m_copyable && (m_hovered || hasFocus());
    const int room = width() - (m_copyable ? kIcon + 6 : 0);
    painter.setPen(theme.color(Surface::text));
    const QString shown = shownIn(room);
    painter.drawText(QRect(0, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (!showIcon) return;
    const QColor color = theme.color(m_justCopied ? Surface::accent : Surface::textMuted);
    const int x = qMin(fontMetrics().horizontalAdvance(shown) + 6, width() - kIcon);
    theme.icon(m_justCopied ? QStringLiteral("check") : QStringLiteral("copy"), color)
        .paint(&painter, QRect(x, (height() - kIcon) / 2, kIcon, kIcon));
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Surface::accent), 1));
        painter.drawLine(0, height() - 1, x - 4, height() - 1);
    }
}

void ElidedLabel::copy() {
    QGuiApplication::clipboard()->setText(m_text);
    m_justCopied = true;
    update();
    QTimer::singleShot(1200, this, [this] {
        m_justCopied = false;
        update();
    });
    Q_EMIT copied();
}

void ElidedLabel::mouseReleaseEvent(QMouseEvent* event) {
    if (m_copyable && event->button() == Qt::LeftButton && rect().contains(event->pos())) copy();
    else QWidget::mouseReleaseEvent(event);
}

void ElidedLabel::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (m_copyable && (enter || event->matches(QKeySequence::Copy))) copy();
    else QWidget::keyPressEvent(event);
}

void ElidedLabel::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
}

void ElidedLabel::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
}

}  // namespace signalbox::ui
