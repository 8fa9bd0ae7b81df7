// SPDX-License-Identifier: MIT
#pragma once

#include "ui/charts/time_series.h"

#include <QWidget>

#include <optional>

class QCategoryAxis;
class QChart;
class QChartView;
class QValueAxis;

namespace signalbox::ui {

/// The drawn chart: stepped areas on top of each other, thin grid, no legend, no animation. It takes no input; hover
/// and brush are an overlay that asks this for its geometry, in this widget's coordinates.
class StackView : public QWidget {
    Q_OBJECT
public:
    explicit StackView(QWidget* parent = nullptr);
    ~StackView() override;

    void setSeries(const TimeSeries& series);
    [[nodiscard]] const TimeSeries& series() const { return m_series; }
    /// Fades all other lines; nullopt fades none.
    void setEmphasis(const std::optional<QString>& entity);
    [[nodiscard]] const std::optional<QString>& emphasis() const { return m_emphasis; }

    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(Timestamp at) const;
    [[nodiscard]] double yOf(double count) const;
    [[nodiscard]] std::optional<std::size_t> indexAtX(double x) const;
    [[nodiscard]] double countAtY(double y) const;
    /// As drawn, faded or not.
    [[nodiscard]] QColor colorOf(const TimeSeries::Line& line) const;
    /// What fills a line's band and its swatch.
    [[nodiscard]] QBrush brushOf(const TimeSeries::Line& line) const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();
    void addArea(std::size_t line, std::vector<double>& stacked);
    void scaleAxes();
    void paintAxes();

    TimeSeries m_series;
    std::optional<QString> m_emphasis;
    double m_top = 1;
    QChart* m_chart;
    QChartView* m_view;
    QCategoryAxis* m_times;
    QValueAxis* m_counts;
};

}  // namespace signalbox::ui
