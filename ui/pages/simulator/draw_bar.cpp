// SPDX-License-Identifier: MIT
#include "ui/pages/simulator/draw_bar.h"

#include "ui/models/pool_words.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace signalbox::ui {

DrawBar::DrawBar(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Shares of the draw"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DrawBar::set(const evidence::RecordedPool& pool, double u) {
    m_pool = pool;
    m_u = u;
    std::vector<double> shares;
    for (const auto& candidate : pool.candidates) shares.push_back(candidate.share);
    const auto percents = words::percents(shares);
    QStringList parts;
    for (std::size_t i = 0; i < percents.size(); ++i)
        if (percents[i] > 0) parts << tr("%1 %2 %").arg(format::text(pool.candidates[i].endpointId)).arg(percents[i]);
    setToolTip(plainTip(parts.join(QLatin1Char('\n'))));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
    update();
}

void DrawBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const QRectF bar(0, 7, width(), 12);
    painter.fillRect(bar, theme.color(Surface::hairline));
    double sum = 0;
    for (const auto& candidate : m_pool.candidates) sum += candidate.share;
    if (sum <= 0) return;
    double x = 0;
    for (const auto& candidate : m_pool.candidates) {
        const double width = candidate.share / sum * bar.width();
        if (width > 0) painter.fillRect(QRectF(x, bar.top(), std::max(1.0, width - 1), bar.height()), theme.seriesColor(format::text(candidate.endpointId)));
        x += width;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Surface::text));
    const double at = m_u * bar.width();
    const QPointF mark[] = {{at - 5, 0}, {at + 5, 0}, {at, 7}};
    painter.drawPolygon(mark, 3);
    painter.fillRect(QRectF(at - 0.75, 7, 1.5, 14), theme.color(Surface::text));
}

}  // namespace signalbox::ui
