// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_plot.h"
#include "ui/charts/time_series.h"

namespace signalbox::ui {

/// Stepped areas on top of each other: counts of several entities and their sum.
class StackView : public TimePlot {
    Q_OBJECT
public:
    explicit StackView(QWidget* parent = nullptr);

    void setSeries(const TimeSeries& series);
    [[nodiscard]] const TimeSeries& series() const { return m_series; }
    [[nodiscard]] double countAtY(double y) const { return valueAtY(y); }
    /// As drawn, faded or not.
    [[nodiscard]] QColor colorOf(const TimeSeries::Line& line) const;

    [[nodiscard]] std::size_t lineCount() const override { return m_series.lines.size(); }
    [[nodiscard]] std::optional<std::size_t> lineAt(std::size_t index, double y) const override;
    [[nodiscard]] PlotReading reading(std::size_t index) const override;
    [[nodiscard]] std::vector<EndLabel> endLabels() const override;
    [[nodiscard]] bool endsCanBePointedAt() const override;

protected:
    [[nodiscard]] double highest() const override { return static_cast<double>(m_series.highest()); }
    [[nodiscard]] QString labelFormat() const override { return QStringLiteral("%.0f"); }
    void addSeries() override;

private:
    /// What fills a line's band and its swatch.
    [[nodiscard]] LineLook lookOf(const TimeSeries::Line& line) const;
    /// The last bucket with anything in it.
    [[nodiscard]] std::optional<std::size_t> lastCounted() const;
    void addBand(std::size_t line, std::vector<double>& stacked);

    TimeSeries m_series;
};

}  // namespace signalbox::ui
