// SPDX-License-Identifier: MIT
#include "ui/widgets/terms/term_bar.h"

#include "ui/models/group_words.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/widgets/terms/term_paint.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

static constexpr int kPad = 6, kBar = 16, kGap = 10, kMark = 9;

static QFont nameFont(const TermRow& row) {
    QFont font = Theme::instance().font();
    if (row.isSelected || row.isRecommended) font.setWeight(QFont::DemiBold);
    return font;
}

static int lineHeight() { return QFontMetrics(Theme::instance().font()).height(); }
static int smallHeight() { return QFontMetrics(Theme::instance().smallFont()).height(); }
static int scoreWidth() { return QFontMetrics(Theme::instance().numberFont()).horizontalAdvance(scoreText(0.8888)) + 2; }

TermBar::TermBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("termBar"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TermBar::setRow(const TermRow& row, const policy::smart::Weights& weights) {
    m_row = row;
    const QString inputs = inputsOf(row, weights);
    setAccessibleName(sentenceOf(row));
    setAccessibleDescription(inputs);
    setToolTip(plainTip(inputs));
    updateGeometry();
    update();
}

void TermBar::setNameWidth(int width) {
    m_nameWidth = width;
    update();
}

int TermBar::wantedNameWidth() const {
    return QFontMetrics(nameFont(m_row)).horizontalAdvance(m_row.endpointId) + 2;
}

void TermBar::setCurrent(bool current) {
    m_current = current;
    update();
}

// Stacked, a row has a third line only when it has something to say there.
int TermBar::heightForWidth(int width) const {
    const bool marked = m_row.isSelected || m_row.isRecommended || m_row.isFavourite;
    if (width >= kWide) return 2 * 4 + lineHeight() + smallHeight();
    return 2 * 4 + lineHeight() + 3 + kBar + (marked ? smallHeight() + 2 : 0);
}

QSize TermBar::sizeHint() const { return {420, heightForWidth(std::max(width(), 1))}; }
QSize TermBar::minimumSizeHint() const { return {160, heightForWidth(std::max(width(), 1))}; }

QRectF TermBar::nameBox() const {
    const double width = isWide() ? m_nameWidth : this->width() - 2 * kPad - scoreWidth() - kGap;
    return {kPad, 4, width, static_cast<double>(lineHeight())};
}

QRectF TermBar::marksBox() const {
    if (isWide()) return {kPad, 4.0 + lineHeight(), static_cast<double>(m_nameWidth), static_cast<double>(smallHeight())};
    return {kPad, 4.0 + lineHeight() + 3 + kBar + 2, width() - 2.0 * kPad, static_cast<double>(smallHeight())};
}

QRectF TermBar::scoreBox() const {
    const double left = width() - kPad - scoreWidth();
    return isWide() ? QRectF(left, 0, scoreWidth(), height()) : QRectF(left, 4, scoreWidth(), lineHeight());
}

QRectF TermBar::track() const {
    if (!isWide()) return {kPad, 4.0 + lineHeight() + 3, width() - 2.0 * kPad, kBar};
    const double left = kPad + m_nameWidth + kGap;
    return {left, (height() - kBar) / 2.0, std::max(20.0, scoreBox().left() - kGap - left), kBar};
}

void TermBar::paintName(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    painter.setFont(nameFont(m_row));
    painter.setPen(theme.color(m_row.isEligible() ? Surface::text : Surface::textMuted));
    const QRectF box = nameBox();
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(painter.font()).elidedText(m_row.endpointId, Qt::ElideMiddle, box.width()));
}

// A filled triangle is what was tried, a star what has the best score, a ring where the session leans to.
static void paintMark(QPainter& painter, const QRectF& box, int kind, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(kind == 2 ? QPen(color, 1.4) : QPen(Qt::NoPen));
    painter.setBrush(kind == 2 ? QBrush(Qt::NoBrush) : QBrush(color));
    if (kind == 0) {
        const QPointF corners[] = {box.topLeft(), {box.right(), box.center().y()}, box.bottomLeft()};
        painter.drawPolygon(corners, 3);
    } else if (kind == 1) {
        QPolygonF star;
        for (int i = 0; i < 10; ++i) {
            const double radius = box.width() / 2 * (i % 2 == 0 ? 1.1 : 0.48), angle = (-90 + 36 * i) * 3.14159265358979 / 180;
            star << box.center() + QPointF(radius * std::cos(angle), radius * std::sin(angle));
        }
        painter.drawPolygon(star);
    } else {
        painter.drawEllipse(box.adjusted(1, 1, -1, -1));
    }
    painter.restore();
}

void TermBar::paintMarks(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    painter.setFont(theme.smallFont());
    const QFontMetricsF metrics(painter.font());
    QRectF box = marksBox();
    const auto add = [&](bool wanted, int kind, const QString& word, const QColor& color) {
        if (!wanted || box.width() < kMark + 4) return;
        paintMark(painter, {box.left(), box.center().y() - kMark / 2.0, kMark, kMark}, kind, color);
        box.setLeft(box.left() + kMark + 4);
        painter.setPen(theme.color(Surface::textMuted));
        const QString shown = metrics.elidedText(word, Qt::ElideRight, box.width());
        painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, shown);
        box.setLeft(box.left() + metrics.horizontalAdvance(shown) + 8);
    };
    add(m_row.isSelected, 0, tr("tried first"), theme.color(Surface::text));
    add(m_row.isRecommended, 1, tr("recommended"), theme.color(Surface::accent));
    add(m_row.isFavourite, 2, tr("favourite"), theme.color(Surface::textMuted));
}

void TermBar::paintParts(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const QRectF room = track();
    painter.fillRect(QRectF(room.left(), room.bottom() - 1, room.width(), 1), theme.color(Surface::hairline));
    double left = room.left();
    for (std::size_t i = 0; i < m_row.parts.size(); ++i) {
        const double width = std::max(0.0, m_row.parts[i]) / kLongestScore * room.width();
        const QRectF part(left, room.top(), std::min(width, room.right() - left), room.height());
        if (part.width() > 0) paintTerm(painter, part, kTerms[i]);
        left += width;
        if (part.width() >= 3) painter.fillRect(QRectF(part.right() - 1, part.top(), 1, part.height()), theme.color(Surface::panel));
    }
    painter.setFont(theme.numberFont());
    painter.setPen(theme.color(Surface::text));
    painter.drawText(scoreBox(), Qt::AlignRight | Qt::AlignVCenter, scoreText(m_row.terms.score));
}

void TermBar::paintCut(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    const QRectF room = track();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(room);
    QColor lines = theme.color(Tone::gap);
    lines.setAlphaF(0.45F);
    painter.setPen(QPen(lines, 1));
    for (double x = room.left() - room.height(); x < room.right(); x += 6)
        painter.drawLine(QPointF(x, room.bottom()), QPointF(x + room.height(), room.top()));
    painter.restore();
    painter.setFont(theme.smallFont());
    const QFontMetricsF metrics(painter.font());
    const QString word = metrics.elidedText(tr("cut: %1").arg(words::cut(format::utf8(m_row.cut))), Qt::ElideRight, room.width() - 12);
    const QRectF plate(room.left() + 6, room.top(), metrics.horizontalAdvance(word) + 10, room.height());
    painter.fillRect(plate, theme.color(Surface::panel));
    painter.setPen(theme.color(Surface::text));
    painter.drawText(plate, Qt::AlignCenter, word);
    painter.setFont(theme.numberFont());
    painter.setPen(theme.color(Surface::textMuted));
    painter.drawText(scoreBox(), Qt::AlignRight | Qt::AlignVCenter, format::none());
}

void TermBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    if (m_current) painter.fillRect(rect(), theme.color(Surface::selection));
    else if (m_hovered) painter.fillRect(rect(), theme.color(Surface::hover));
    paintName(painter);
    paintMarks(painter);
    if (m_row.isEligible()) paintParts(painter);
    else paintCut(painter);
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.color(Surface::accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void TermBar::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) Q_EMIT chosen();
}

void TermBar::keyPressEvent(QKeyEvent* event) {
    constexpr int kFar = 1'000'000;
    switch (event->key()) {
    case Qt::Key_Up: return Q_EMIT moveAsked(-1);
    case Qt::Key_Down: return Q_EMIT moveAsked(1);
    case Qt::Key_Home: return Q_EMIT moveAsked(-kFar);
    case Qt::Key_End: return Q_EMIT moveAsked(kFar);
    case Qt::Key_Return:
    case Qt::Key_Enter: return Q_EMIT chosen();
    default: QWidget::keyPressEvent(event);
    }
}

void TermBar::enterEvent(QEnterEvent*) {
    m_hovered = true;
    update();
}
void TermBar::leaveEvent(QEvent*) {
    m_hovered = false;
    update();
}
void TermBar::focusInEvent(QFocusEvent*) { update(); }
void TermBar::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace signalbox::ui
