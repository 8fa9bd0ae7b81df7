// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "ui/charts/time_series.h"

class QAbstractItemModel;
class QWidget;

namespace signalbox::ui {

/// What a chart looks like on paper: its question, its unit, the drawing and its labels side by side.
struct ChartSheet {
    QString title;
    QString note;
    QWidget* drawing = nullptr;
    QWidget* labels = nullptr;  ///< may stay away

    [[nodiscard]] QSize size() const;
    void paint(class QPainter& painter) const;
};

/// All of them replace the file at once or leave it alone. Errors: cannot be written, with the path.
[[nodiscard]] Result<void> savePng(const ChartSheet& sheet, const QString& path);
[[nodiscard]] Result<void> saveSvg(const ChartSheet& sheet, const QString& path);
[[nodiscard]] Result<void> saveText(const QString& text, const QString& path);
[[nodiscard]] Result<void> saveCsv(const TimeSeries& series, const QString& path);

/// Titles and raw values of a table, RFC 4180.
[[nodiscard]] QString toCsv(const QAbstractItemModel& table);

}  // namespace signalbox::ui
