// SPDX-License-Identifier: MIT
#include "ui/charts/chart_export.h"

#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/theme/format.h"

#include <QAbstractItemModel>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <QWidget>

#include <functional>

namespace signalbox::ui {

static constexpr int kHead = 56, kEdge = 16;

QSize ChartSheet::size() const {
    return {drawing->width() + (labels != nullptr ? labels->width() : 0) + 2 * kEdge, drawing->height() + kHead + kEdge};
}

void ChartSheet::paint(QPainter& painter) const {
    const Theme& theme = Theme::instance();
    painter.fillRect(QRect(QPoint(0, 0), size()), theme.color(Surface::panel));
    painter.setPen(theme.color(Surface::text));
    painter.setFont(theme.titleFont());
    painter.drawText(QRect(kEdge, 8, size().width() - 2 * kEdge, 24), Qt::AlignLeft | Qt::AlignVCenter, title);
    painter.setPen(theme.color(Surface::textMuted));
    painter.setFont(theme.smallFont());
    painter.drawText(QRect(kEdge, 32, size().width() - 2 * kEdge, 18), Qt::AlignLeft | Qt::AlignVCenter, note);
    drawing->render(&painter, QPoint(kEdge, kHead), {}, QWidget::DrawChildren);
    if (labels != nullptr) labels->render(&painter, QPoint(kEdge + drawing->width(), kHead), {}, QWidget::DrawChildren);
}

static Result<void> saveWith(const QString& path, const std::function<bool(QIODevice&)>& write) {
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && write(file) && file.commit()) return {};
    return fail(ErrorKind::unavailable, "The file could not be written: " + format::utf8(file.errorString()), format::utf8(path),
                "Choose a folder that you may write to.");
}

Result<void> savePng(const ChartSheet& sheet, const QString& path) {
    constexpr int kScale = 2;  // sharp on paper and on dense screens
    QImage image(sheet.size() * kScale, QImage::Format_RGB32);
    image.setDevicePixelRatio(kScale);
    QPainter painter(&image);
    sheet.paint(painter);
    painter.end();
    return saveWith(path, [&image](QIODevice& file) { return image.save(&file, "PNG"); });
}

Result<void> saveSvg(const ChartSheet& sheet, const QString& path) {
    return saveWith(path, [&sheet](QIODevice& file) {
        QSvgGenerator svg;
        svg.setOutputDevice(&file);
        svg.setSize(sheet.size());
        svg.setViewBox(QRect(QPoint(0, 0), sheet.size()));
        svg.setTitle(sheet.title);
        svg.setDescription(sheet.note);
        QPainter painter(&svg);
        sheet.paint(painter);
        return painter.end();
    });
}

Result<void> saveText(const QString& text, const QString& path) {
    const QByteArray bytes = text.toUtf8();
    return saveWith(path, [&bytes](QIODevice& file) { return file.write(bytes) == bytes.size(); });
}

Result<void> saveCsv(const TimeSeries& series, const QString& path) { return saveText(toCsv(series), path); }

QString toCsv(const QAbstractItemModel& table) {
    QString csv;
    const auto addLine = [&](auto&& cellOf) {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column) cells << csvCell(cellOf(column));
        csv += cells.join(QLatin1Char(',')) + QStringLiteral("\r\n");
    };
    addLine([&](int column) { return table.headerData(column, Qt::Horizontal).toString(); });
    for (int row = 0; row < table.rowCount(); ++row)
        addLine([&](int column) { return table.index(row, column).data(SortRole).toString(); });
    return csv;
}

}  // namespace signalbox::ui
