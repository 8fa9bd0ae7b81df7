// SPDX-License-Identifier: MIT
#include "ui/charts/chart_readout.h"

#include "ui/theme/theme.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QPainter>

namespace signalbox::ui {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(ChartReadout)
};
constexpr int kRow = 18, kPad = 10, kSwatch = 9, kNameRoom = 190, kCursorGap = 14;
}  // namespace

static QFont bold(QFont font) {
    font.setWeight(QFont::DemiBold);
    return font;
}

QString ChartReadout::sentence() const {
    const TimeSeries& series = view.series();
    QStringList parts{Words::tr("%1: %2 %3").arg(rangeText(series.rangeOf(index)), format::count(series.totalAt(index)), series.unit)};
    for (std::size_t i = series.lines.size(); i-- > 0;)
        if (series.lines[i].counts[index] > 0) parts << Words::tr("%1 %2").arg(series.lines[i].label, format::count(series.lines[i].counts[index]));
    return parts.join(QStringLiteral(", "));
}

static int widthOf(const TimeSeries& series, const QString& head) {
    const Theme& theme = Theme::instance();
    int names = 60;
    for (const auto& line : series.lines) names = std::max(names, QFontMetrics(bold(theme.font())).horizontalAdvance(line.label));
    const int numbers = QFontMetrics(bold(theme.numberFont())).horizontalAdvance(format::count(std::max<quint64>(series.highest(), 100)));
    return std::max(std::min(names, kNameRoom) + numbers + kSwatch + 24, QFontMetrics(bold(theme.font())).horizontalAdvance(head)) + 2 * kPad;
}

static void paintLine(QPainter& painter, const QRectF& row, const QString& name, quint64 count, bool strong) {
    const Theme& theme = Theme::instance();
    const QFont text = strong ? bold(theme.font()) : theme.font();
    const QFont number = strong ? bold(theme.numberFont()) : theme.numberFont();
    const QString figure = format::count(count);
    const double figureWidth = QFontMetricsF(number).horizontalAdvance(figure);
    painter.setPen(theme.color(count == 0 ? Surface::textMuted : Surface::text));
    painter.setFont(text);
    const QRectF room = row.adjusted(0, 0, -figureWidth - 8, 0);
    painter.drawText(room, Qt::AlignVCenter, QFontMetricsF(text).elidedText(name, Qt::ElideMiddle, room.width()));
    painter.setFont(number);
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, figure);
}

void ChartReadout::paint(QPainter& painter, const QRectF& bounds) const {
    const Theme& theme = Theme::instance();
    const TimeSeries& series = view.series();
    const QString head = rangeText(series.rangeOf(index));
    const QSizeF size(widthOf(series, head), static_cast<double>(series.lines.size() + 2) * kRow + 2 * kPad - 4);
    const double cursor = view.xOf(series.starts[index] + series.bucket / 2);
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
    painter.drawText(row, Qt::AlignVCenter, head);
    // Top of the stack first, as it is drawn.
    for (std::size_t i = series.lines.size(); i-- > 0;) {
        row.translate(0, kRow);
        const auto& shown = series.lines[i];
        painter.setPen(shown.kind == TimeSeries::Kind::none ? QPen(view.colorOf(shown), 1) : QPen(Qt::NoPen));
        painter.setBrush(view.brushOf(shown));
        painter.drawRect(QRectF(row.left(), row.center().y() - kSwatch / 2.0, kSwatch, kSwatch));
        paintLine(painter, row.adjusted(kSwatch + 7, 0, 0, 0), shown.label, shown.counts[index], line == i);
    }
    row.translate(0, kRow + 2);
    painter.setPen(theme.color(Surface::hairline));
    painter.drawLine(row.topLeft(), row.topRight());
    paintLine(painter, row.adjusted(kSwatch + 7, 1, 0, 1), series.unit, series.totalAt(index), true);
}

}  // namespace signalbox::ui
