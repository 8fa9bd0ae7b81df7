// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/rate_series.h"
#include "ui/charts/time_plot.h"

#include <QHash>

namespace signalbox::ui {

/// Shares as lines with their confidence bands; the value scale is in per cent.
class RateView : public TimePlot {
    Q_OBJECT
public:
    explicit RateView(QWidget* parent = nullptr);

    /// Ready to draw.
    void setSeries(RateSeries series);
    [[nodiscard]] const RateSeries& series() const { return m_series; }

    [[nodiscard]] std::size_t lineCount() const override { return m_series.lines.size(); }
    [[nodiscard]] std::optional<std::size_t> lineAt(std::size_t index, double y) const override;
    [[nodiscard]] PlotReading reading(std::size_t index) const override;
    [[nodiscard]] std::vector<EndLabel> endLabels() const override;
    /// The whole stretch of the point that was clicked.
    [[nodiscard]] evidence::TimeRange rangeBehind(std::size_t index, int line) const override;

protected:
    [[nodiscard]] double highest() const override;
    [[nodiscard]] QString labelFormat() const override { return QStringLiteral("%.0f %"); }
    void addSeries() override;

private:
    [[nodiscard]] QColor colorOf(const RateSeries::Line& line) const;
    /// An entity keeps its colour, unless a larger one beside it has the same.
    void chooseColors();
    [[nodiscard]] bool isFaded(const RateSeries::Line& line) const { return emphasis() && (line.entity.isEmpty() || line.entity != *emphasis()); }
    void addBand(const RateSeries::Line& line);
    void addLine(const RateSeries::Line& line);

    RateSeries m_series;
    QHash<QString, std::size_t> m_others;  ///< series colours of the lines that had to give way
};

}  // namespace signalbox::ui
