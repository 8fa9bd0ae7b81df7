// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <QBrush>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

class QAreaSeries;
class QCategoryAxis;
class QChart;
class QChartView;
class QValueAxis;
class QXYSeries;

namespace signalbox::ui {

/// How a line is told from the others: what fills its swatch, and an edge where the filling is no plain colour.
struct LineLook {
    QBrush fill;
    std::optional<QColor> edge;
};

/// Everything that a chart says about one time.
struct PlotReading {
    struct Row {
        QString name;
        QString figure;
        LineLook look;
        bool quiet = false;  ///< has nothing at this time
    };
    QString head;
    std::vector<Row> rows;     ///< one per line, in the plot's order
    bool lastFirst = true;     ///< a stack is read from its top, which its last line is
    std::optional<Row> total;  ///< where lines can be added up
    QStringList happened;      ///< events of this time, one line each
    QString sentence;          ///< the same for screen readers
};

/// The name of a line beside its end.
struct EndLabel {
    QString name;
    QString figure;
    QString tip;
    LineLook look;
    double y = 0;  ///< where the line ends, in the plot's coordinates
    bool strong = false, faded = false;
};

/// A drawn chart over time on Qt Charts: thin grid, no legend, no animation. It takes no input; hover, brush and labels
/// are widgets above and beside it, which ask this for its geometry, in this widget's coordinates.
class TimePlot : public QWidget {
    Q_OBJECT
public:
    explicit TimePlot(QWidget* parent = nullptr);
    ~TimePlot() override;

    /// Fades all other lines; nullopt fades none.
    void setEmphasis(const std::optional<QString>& entity);
    [[nodiscard]] const std::optional<QString>& emphasis() const { return m_emphasis; }

    [[nodiscard]] std::size_t points() const { return m_starts.size(); }
    [[nodiscard]] evidence::TimeRange rangeOf(std::size_t index) const { return {m_starts[index], m_starts[index] + m_bucket}; }
    [[nodiscard]] std::chrono::seconds bucket() const { return m_bucket; }
    [[nodiscard]] evidence::TimeRange span() const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(Timestamp at) const;
    [[nodiscard]] double yOf(double value) const;
    [[nodiscard]] double valueAtY(double y) const;
    [[nodiscard]] std::optional<std::size_t> indexAtX(double x) const;

    [[nodiscard]] virtual std::size_t lineCount() const = 0;
    /// Line under a height at one time; nullopt for none.
    [[nodiscard]] virtual std::optional<std::size_t> lineAt(std::size_t index, double y) const = 0;
    [[nodiscard]] virtual PlotReading reading(std::size_t index) const = 0;
    /// One per line, in the plot's order.
    [[nodiscard]] virtual std::vector<EndLabel> endLabels() const = 0;
    /// False where the lines end too close to each other to be pointed at.
    [[nodiscard]] virtual bool endsCanBePointedAt() const { return true; }
    /// What a click at one time on a line (-1: none) asks about.
    [[nodiscard]] virtual evidence::TimeRange rangeBehind(std::size_t index, int line) const;

Q_SIGNALS:
    /// Its geometry is that of its new size.
    void resized();

protected:
    void resizeEvent(QResizeEvent* event) override;

    /// Draws everything again.
    void rebuild();
    void setTimes(std::vector<Timestamp> starts, std::chrono::seconds bucket);
    /// Highest value that the scale must hold; the format of its labels, "%.0f".
    [[nodiscard]] virtual double highest() const = 0;
    [[nodiscard]] virtual QString labelFormat() const = 0;
    virtual void addSeries() = 0;
    void add(QXYSeries* series);
    /// The area between two polylines; takes no ownership of anything but what it makes.
    QAreaSeries* addArea(const QList<QPointF>& lower, const QList<QPointF>& upper, const QBrush& brush, const QPen& pen);
    /// The time axis' unit.
    [[nodiscard]] static double millis(Timestamp at) { return static_cast<double>(at.time_since_epoch().count()) / 1000.0; }

private:
    void scaleAxes();
    void paintAxes();

    std::vector<Timestamp> m_starts;
    std::chrono::seconds m_bucket{60};
    std::optional<QString> m_emphasis;
    double m_top = 1;
    double m_left = 0;  ///< room for the labels of the value scale
    QChart* m_chart;
    QChartView* m_view;
    QCategoryAxis* m_times;
    QValueAxis* m_values;
};

}  // namespace signalbox::ui
