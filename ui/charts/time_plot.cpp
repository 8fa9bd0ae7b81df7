// SPDX-License-Identifier: MIT
#include "ui/charts/time_plot.h"

#include "ui/charts/ticks.h"
#include "ui/theme/theme.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QCategoryAxis>
#include <QtCharts/QChart>
#include <QtCharts/QChartView>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

static constexpr int kLeft = 58, kLabelRoom = 16, kRight = 6, kTop = 8, kBottom = 26;

TimePlot::TimePlot(QWidget* parent)
    : QWidget(parent), m_chart(new QChart), m_view(new QChartView(m_chart)), m_times(new QCategoryAxis), m_values(new QValueAxis) {
    m_chart->setAnimationOptions(QChart::NoAnimation);
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setPlotAreaBackgroundVisible(false);
    m_chart->setLocalizeNumbers(true);
    m_chart->layout()->setContentsMargins(0, 0, 0, 0);
    m_chart->setMargins({});
    m_times->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_times->setGridLineVisible(false);
    m_values->setTickType(QValueAxis::TicksDynamic);
    m_values->setLineVisible(false);
    m_chart->addAxis(m_times, Qt::AlignBottom);
    m_chart->addAxis(m_values, Qt::AlignLeft);

    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_view->setStyleSheet(QStringLiteral("background: transparent"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_view);
    connect(&Theme::instance(), &Theme::changed, this, &TimePlot::rebuild);
}

TimePlot::~TimePlot() = default;

void TimePlot::setTimes(std::vector<Timestamp> starts, std::chrono::seconds bucket) {
    m_starts = std::move(starts);
    m_bucket = bucket;
}

void TimePlot::setEmphasis(const std::optional<QString>& entity) {
    if (entity == m_emphasis) return;
    m_emphasis = entity;
    rebuild();
}

evidence::TimeRange TimePlot::span() const {
    return m_starts.empty() ? evidence::TimeRange{} : evidence::TimeRange{m_starts.front(), m_starts.back() + m_bucket};
}

evidence::TimeRange TimePlot::rangeBehind(std::size_t index, int) const { return rangeOf(index); }

void TimePlot::add(QXYSeries* series) {
    m_chart->addSeries(series);
    series->attachAxis(m_times);
    series->attachAxis(m_values);
}

QAreaSeries* TimePlot::addArea(const QList<QPointF>& lower, const QList<QPointF>& upper, const QBrush& brush, const QPen& pen) {
    auto* top = new QLineSeries;
    auto* bottom = new QLineSeries;
    top->replace(upper);
    bottom->replace(lower);
    auto* area = new QAreaSeries(top, bottom);
    top->setParent(area);
    bottom->setParent(area);
    area->setBrush(brush);
    area->setPen(pen);
    m_chart->addSeries(area);
    area->attachAxis(m_times);
    area->attachAxis(m_values);
    return area;
}

void TimePlot::rebuild() {
    m_chart->removeAllSeries();
    scaleAxes();
    paintAxes();
    addSeries();
}

void TimePlot::scaleAxes() {
    const double step = countStep(highest(), std::max(2, height() / 48));
    m_top = std::max(1.0, std::ceil(highest() / step) * step);
    // Qt Charts would cut a label that is too long, and a count without its last digits is another one.
    const QString widest = labelFormat().replace(QStringLiteral("%.0f"), QLocale().toString(m_top, 'f', 0));
    m_left = std::max<double>(kLeft, QFontMetricsF(Theme::instance().smallFont()).horizontalAdvance(widest) + kLabelRoom);
    m_chart->setPlotArea(plot());
    m_values->setLabelFormat(labelFormat());
    m_values->setRange(0, m_top);
    m_values->setTickInterval(step);
    m_values->setTickAnchor(0);

    for (const QString& label : m_times->categoriesLabels()) m_times->remove(label);
    if (m_starts.empty()) return;
    m_times->setStartValue(millis(span().from));
    m_times->setRange(millis(span().from), millis(span().to));
    QStringList used;
    for (const TimeTick& tick : timeTicks(span(), std::max(2, width() / 96))) {
        // The axis wants labels that differ, and the same hour comes again every day.
        QString label = tick.label;
        while (used.contains(label)) label += QChar(0x200B);
        // One at the very end would be cut off.
        if (xOf(tick.at) + QFontMetricsF(Theme::instance().smallFont()).horizontalAdvance(tick.label) / 2 + 2 > width()) continue;
        used << label;
        m_times->append(label, millis(tick.at));
    }
}

void TimePlot::paintAxes() {
    const Theme& theme = Theme::instance();
    const QPen thin(theme.color(Surface::hairline), 1);
    m_values->setGridLinePen(thin);
    m_times->setLinePen(thin);
    for (QAbstractAxis* axis : {static_cast<QAbstractAxis*>(m_times), static_cast<QAbstractAxis*>(m_values)}) {
        axis->setLabelsFont(theme.smallFont());
        axis->setLabelsBrush(theme.color(Surface::textMuted));
    }
}

void TimePlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    scaleAxes();
    Q_EMIT resized();
}

QRectF TimePlot::plot() const {
    const double left = std::max<double>(kLeft, m_left);
    return QRectF(left, kTop, std::max(1.0, width() - left - kRight), std::max(1, height() - kTop - kBottom));
}

double TimePlot::xOf(Timestamp at) const {
    const double width = millis(span().to) - millis(span().from);
    return width <= 0 ? plot().left() : plot().left() + (millis(at) - millis(span().from)) / width * plot().width();
}

double TimePlot::yOf(double value) const { return plot().bottom() - value / m_top * plot().height(); }

double TimePlot::valueAtY(double y) const { return (plot().bottom() - y) / plot().height() * m_top; }

std::optional<std::size_t> TimePlot::indexAtX(double x) const {
    if (m_starts.empty() || x < plot().left() || x > plot().right()) return std::nullopt;
    const double share = (x - plot().left()) / plot().width();
    return std::min(m_starts.size() - 1, static_cast<std::size_t>(share * static_cast<double>(m_starts.size())));
}

}  // namespace signalbox::ui
