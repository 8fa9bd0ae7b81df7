// SPDX-License-Identifier: MIT
#include "ui/theme/tone_glyph.h"

#include <QPainter>
#include <QPainterPath>

namespace signalbox::ui {

static void paintHatch(QPainter& painter, const QRectF& box, const QColor& color) {
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setClipRect(box);
    painter.setPen(QPen(color, 1));
    for (double x = box.left() - box.height(); x < box.right(); x += 3)
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x + box.height(), box.top()));
}

void paintToneGlyph(QPainter& painter, const QRectF& box, Tone tone, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.4));
    painter.setBrush(color);
    const QPointF c = box.center();
    switch (tone) {
    case Tone::clear:
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(box);
        break;
    case Tone::caution: {
        const QPointF corners[] = {{c.x(), box.top()}, {box.right(), box.bottom()}, {box.left(), box.bottom()}};
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(corners, 3);
        break;
    }
    case Tone::danger: {
        const QPointF corners[] = {{c.x(), box.top() - 0.5}, {box.right() + 0.5, c.y()}, {c.x(), box.bottom() + 0.5}, {box.left() - 0.5, c.y()}};
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(corners, 4);
        break;
    }
    case Tone::info:
        painter.setPen(Qt::NoPen);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 1, 1);
        break;
    case Tone::canary: {
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(box.adjusted(0.7, 0.7, -0.7, -0.7));
        QPainterPath half(c);
        half.arcTo(box, 90, 180);
        painter.fillPath(half, color);
        break;
    }
    case Tone::gap:
        painter.setPen(QPen(color, 1));
        paintHatch(painter, box, color);
        break;
    case Tone::idle:
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(box.adjusted(0.7, 0.7, -0.7, -0.7));
        break;
    }
    painter.restore();
}

}  // namespace signalbox::ui
