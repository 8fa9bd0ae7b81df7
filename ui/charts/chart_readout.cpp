// SPDX-License-Identifier: MIT
#include "ui/charts/chart_readout.h"

#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kRow = 18, kPad = 10, kReadoutSwatch = 9, kNameRoom = 190, kEventRoom = 330, kCursorGap = 14;

static QFont bold(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

static int widthOf(const PlotReading& reading) {
    const Theme& theme = Theme::instance();
    const QFontMetrics words(bold(theme.font())), numbers(bold(theme.numberFont()));
    int names = 60, figures = 20;
    const auto measure = [&](const PlotReading::Row& row) {
        names = std::max(names, words.horizontalAdvance(row.name));
        figures = std::max(figures, numbers.horizontalAdvance(row.figure));
    };
    for (const auto& row : reading.rows) measure(row);
    if (reading.total) measure(*reading.total);
    int events = 0;
    for (const QString& line : reading.happened) events = std::max(events, QFontMetrics(theme.smallFont()).horizontalAdvance(line) + kReadoutSwatch + 7);
    return std::max({std::min(names, kNameRoom) + figures + kReadoutSwatch + 24, words.horizontalAdvance(reading.head), std::min(events, kEventRoom)}) + 2 * kPad;
}

static void paintRow(QPainter& painter, const QRectF& box, const PlotReading::Row& row, bool strong) {
    const Theme& theme = Theme::instance();
    const QFont text = strong ? bold(theme.font()) : theme.font();
    const QFont number = strong ? bold(theme.numberFont()) : theme.numberFont();
    const double figureWidth = QFontMetricsF(number).horizontalAdvance(row.figure);
    painter.setPen(theme.color(row.quiet ? Surface::textMuted : Surface::text));
    painter.setFont(text);
    const QRectF room = box.adjusted(0, 0, -figureWidth - 8, 0);
    painter.drawText(room, Qt::AlignVCenter, QFontMetricsF(text).elidedText(row.name, Qt::ElideMiddle, room.width()));
    painter.setFont(number);
    painter.drawText(box, Qt::AlignVCenter | Qt::AlignRight, row.figure);
}

static void paintRule(QPainter& painter, const QRectF& row) {
    painter.setPen(Theme::instance().color(Surface::hairline));
    painter.drawLine(row.topLeft(), row.topRight());
}

static void paintEvents(QPainter& painter, QRectF row, const QStringList& lines) {
    const Theme& theme = Theme::instance();
    paintRule(painter, row);
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(Surface::text));
    for (const QString& line : lines) {
        painter.drawText(row.adjusted(0, 1, 0, 1), Qt::AlignVCenter, QFontMetricsF(theme.smallFont()).elidedText(line, Qt::ElideRight, row.width()));
        row.translate(0, kRow);
    }
}

void paintReading(QPainter& painter, const PlotReading& reading, double cursor, std::optional<std::size_t> line, const QRectF& bounds) {
    const Theme& theme = Theme::instance();
    const double rows = static_cast<double>(reading.rows.size()) + (reading.total ? 2 : 1) + static_cast<double>(reading.happened.size());
    const QSizeF size(widthOf(reading), rows * kRow + 2 * kPad - 4);
    double left = cursor + kCursorGap;
    if (left + size.width() > bounds.right()) left = cursor - kCursorGap - size.width();
    const QRectF box(QPointF(std::max(bounds.left(), left), std::max(bounds.top(), bounds.top() + std::min(8.0, bounds.height() - size.height()))), size);

    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(Surface::hairline), 1));
    painter.setBrush(theme.color(Surface::raised));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QRectF row(box.left() + kPad, box.top() + kPad - 3, box.width() - 2 * kPad, kRow);
    painter.setFont(bold(theme.font()));
    painter.setPen(theme.color(Surface::text));
    painter.drawText(row, Qt::AlignVCenter, reading.head);
    for (std::size_t n = 0; n < reading.rows.size(); ++n) {
        const std::size_t i = reading.lastFirst ? reading.rows.size() - 1 - n : n;
        row.translate(0, kRow);
        const auto& shown = reading.rows[i];
        painter.setPen(shown.look.edge ? QPen(*shown.look.edge, 1) : QPen(Qt::NoPen));
        painter.setBrush(shown.look.fill);
        painter.drawRect(QRectF(row.left(), row.center().y() - kReadoutSwatch / 2.0, kReadoutSwatch, kReadoutSwatch));
        paintRow(painter, row.adjusted(kReadoutSwatch + 7, 0, 0, 0), shown, line == i);
    }
    if (reading.total) {
        row.translate(0, kRow + 2);
        paintRule(painter, row);
        paintRow(painter, row.adjusted(kReadoutSwatch + 7, 1, 0, 1), *reading.total, true);
    }
    if (!reading.happened.isEmpty()) paintEvents(painter, row.translated(0, kRow + 1), reading.happened);
}

}  // namespace signalbox::ui
