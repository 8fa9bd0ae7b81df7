// SPDX-License-Identifier: MIT
#include "ui/widgets/terms/term_legend.h"

#include "ui/models/group_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/terms/term_paint.h"

#include <QLocale>
#include <QPainter>

#include <cmath>

namespace signalbox::ui {

static constexpr int kSwatch = 15, kLegendGap = 14, kLegendPad = 6;

TermLegend::TermLegend(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Terms of the score"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TermLegend::setWeights(const policy::smart::Weights& weights) {
    m_weights = weights;
    QStringList spoken;
    for (std::size_t i = 0; i < kTerms.size(); ++i) spoken << text(i);
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QString TermLegend::text(std::size_t term) const {
    const QString word = words::term(policy::smart::toString(kTerms[term]));
    const double shares[] = {m_weights.quality, m_weights.cost, m_weights.latency, m_weights.reliability};
    if (term >= std::size(shares)) return tr("%1 up to 0.02").arg(word);
    return tr("%1 %2 %").arg(word, QLocale().toString(100 * shares[term], 'f', shares[term] * 100 == std::round(shares[term] * 100) ? 0 : 1));
}

std::pair<std::vector<QPoint>, int> TermLegend::placed(int width) const {
    const QFontMetrics metrics(Theme::instance().smallFont());
    const int row = std::max(kSwatch, metrics.height()) + 4;
    std::vector<QPoint> out;
    QPoint at(kLegendPad, 2);
    for (std::size_t i = 0; i < kTerms.size(); ++i) {
        const int entry = kSwatch + 5 + metrics.horizontalAdvance(text(i));
        if (at.x() > kLegendPad && at.x() + entry > width - kLegendPad) at = {kLegendPad, at.y() + row};
        out.push_back(at);
        at.rx() += entry + kLegendGap;
    }
    return {out, at.y() + row};
}

QSize TermLegend::sizeHint() const { return {420, placed(std::max(width(), 160)).second}; }
int TermLegend::heightForWidth(int width) const { return placed(width).second; }

void TermLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    const auto places = placed(width()).first;
    const int line = std::max(kSwatch, QFontMetrics(theme.smallFont()).height());
    for (std::size_t i = 0; i < kTerms.size(); ++i) {
        paintTerm(painter, QRectF(places[i].x(), places[i].y() + (line - kSwatch) / 2.0, kSwatch, kSwatch), kTerms[i]);
        painter.setFont(theme.smallFont());
        painter.setPen(theme.color(Surface::textMuted));
        painter.drawText(QRect(places[i].x() + kSwatch + 5, places[i].y(), width(), line), Qt::AlignLeft | Qt::AlignVCenter, text(i));
    }
}

}  // namespace signalbox::ui
