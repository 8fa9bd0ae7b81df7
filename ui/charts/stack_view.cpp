// SPDX-License-Identifier: MIT
#include "ui/charts/stack_view.h"

#include "ui/charts/ticks.h"
#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

static constexpr int kLeft = 58, kRight = 6, kTop = 8, kBottom = 26;

static double millis(Timestamp at) { return static_cast<double>(at.time_since_epoch().count()) / 1000.0; }

StackView::StackView(QWidget* parent)
    : QWidget(parent), m_chart(new QChart), m_view(new QChartView(m_chart)), m_times(new QCategoryAxis), m_counts(new QValueAxis) {
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setPlotAreaBackgroundVisible(false);
    m_chart->setLocalizeNumbers(true);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMargins({});
    m_times->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_times->setGridLineVisible(false);
    m_counts->setTickType(QValueAxis::TicksDynamic);
    m_counts->setLabelFormat(QStringLiteral("%.0f"));
    m_counts->setLineVisible(false);
    m_chart->addAxis(m_times, Qt::AlignBottom);
    m_chart->addAxis(m_counts, Qt::AlignLeft);

    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_view->setStyleSheet(QStringLiteral("background: transparent"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    connect(&Theme::instance(), &Theme::changed, this, &StackView::rebuild);
    rebuild();
}

StackView::~StackView() = default;

void StackView::setSeries(const TimeSeries& series) {
    m_series = series;
    rebuild();
}

void StackView::setEmphasis(const std::optional<QString>& entity) {
    if (entity == m_emphasis) return;
    m_emphasis = entity;
    rebuild();
}

QColor StackView::colorOf(const TimeSeries::Line& line) const {
    const Theme& theme = Theme::instance();
    QColor color = theme.seriesColor(line.entity);
    if (line.kind == TimeSeries::Kind::rest) color = colors::mix(theme.color(Surface::panel), theme.color(Surface::textMuted), 0.45);
    const bool faded = m_emphasis && (line.kind == TimeSeries::Kind::rest || line.entity != *m_emphasis);
    return faded ? colors::mix(theme.color(Surface::panel), color, 0.22) : color;
}

QBrush StackView::brushOf(const TimeSeries::Line& line) const {
    // What no preset served is hatched: it stands apart from every series colour.
    return QBrush(colorOf(line), line.kind == TimeSeries::Kind::none ? Qt::BDiagPattern : Qt::SolidPattern);
}

void StackView::addArea(std::size_t index, std::vector<double>& stacked) {
    const auto& line = m_series.lines[index];
    QList<QPointF> lower, upper;
    for (std::size_t i = 0; i < m_series.starts.size(); ++i) {
        const double from = millis(m_series.starts[i]), to = millis(m_series.starts[i] + m_series.bucket);
        const double below = stacked[i];
        stacked[i] += static_cast<double>(line.counts[i]);
        lower << QPointF(from, below) << QPointF(to, below);
        upper << QPointF(from, stacked[i]) << QPointF(to, stacked[i]);
    }
    auto* top = new QLineSeries;
    auto* bottom = new QLineSeries;
    top->replace(upper);
    bottom->replace(lower);
    auto* area = new QAreaSeries(top, bottom);
    top->setParent(area);
    bottom->setParent(area);
    area->setName(line.label);
    area->setBrush(brushOf(line));
    // A hairline in the colour of the ground keeps neighbouring bands apart without relying on hue.
    const bool hatched = line.kind == TimeSeries::Kind::none;
    area->setPen(hatched ? QPen(colorOf(line), 0.8) : QPen(Theme::instance().color(Surface::panel), 0.8));
    m_chart->addSeries(area);
    area->attachAxis(m_times);
    area->attachAxis(m_counts);
}

void StackView::rebuild() {
    m_chart->removeAllSeries();
    scaleAxes();
    paintAxes();
    std::vector<double> stacked(m_series.starts.size(), 0.0);
    for (std::size_t i = 0; i < m_series.lines.size(); ++i) addArea(i, stacked);
}

void StackView::scaleAxes() {
    const double highest = static_cast<double>(m_series.highest());
    const double step = countStep(highest, std::max(2, height() / 48));
    m_top = std::max(1.0, std::ceil(highest / step) * step);
    m_counts->setRange(0, m_top);
    m_counts->setTickInterval(step);
    m_counts->setTickAnchor(0);

    for (const QString& label : m_times->categoriesLabels()) m_times->remove(label);
    if (m_series.starts.empty()) return;
    m_times->setStartValue(millis(m_series.from()));
    m_times->setRange(millis(m_series.from()), millis(m_series.to()));
    QStringList used;
    for (const TimeTick& tick : timeTicks({m_series.from(), m_series.to()}, std::max(2, width() / 96))) {
        // The axis wants labels that differ, and the same hour comes again every day.
        QString label = tick.label;
        while (used.contains(label)) label += QChar(0x200B);
        used << label;
        m_times->append(label, millis(tick.at));
    }
}

void StackView::paintAxes() {
    const Theme& theme = Theme::instance();
    const QPen thin(theme.color(Surface::hairline), 1);
    m_counts->setGridLinePen(thin);
    m_times->setLinePen(thin);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(m_times), static_cast<QAbstractAxis*>(m_counts)}) {
        axis->setLabelsFont(theme.smallFont());
        axis->setLabelsBrush(theme.color(Surface::textMuted));
    }
}

void StackView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_chart->setPlotArea(plot());
    scaleAxes();
}

QRectF StackView::plot() const {
    return QRectF(kLeft, kTop, std::max(1, width() - kLeft - kRight), std::max(1, height() - kTop - kBottom));
}

double StackView::xOf(Timestamp at) const {
    const double span = millis(m_series.to()) - millis(m_series.from());
    return span <= 0 ? plot().left() : plot().left() + (millis(at) - millis(m_series.from())) / span * plot().width();
}

double StackView::yOf(double count) const { return plot().bottom() - count / m_top * plot().height(); }

std::optional<std::size_t> StackView::indexAtX(double x) const {
    if (m_series.starts.empty() || x < plot().left() || x > plot().right()) return std::nullopt;
    const double share = (x - plot().left()) / plot().width();
    return std::min(m_series.starts.size() - 1, static_cast<std::size_t>(share * static_cast<double>(m_series.starts.size())));
}

double StackView::countAtY(double y) const { return (plot().bottom() - y) / plot().height() * m_top; }

}  // namespace signalbox::ui
