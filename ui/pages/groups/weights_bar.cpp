// SPDX-License-Identifier: MIT
#include "ui/pages/groups/weights_bar.h"

#include "ui/pages/groups/candidate_rows.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/widgets/terms/term_paint.h"

#include <QCoreApplication>
#include <QPainter>

namespace signalbox::ui {

namespace {
struct WeightsBarWords {
    Q_DECLARE_TR_FUNCTIONS(WeightsBar)
};
constexpr int kBar = 22, kLabelGap = 6;
}  // namespace

QString termName(std::size_t term) {
    switch (term) {
    case 0: return WeightsBarWords::tr("quality");
    case 1: return WeightsBarWords::tr("cost");
    case 2: return WeightsBarWords::tr("latency");
    case 3: return WeightsBarWords::tr("reliability");
    default: return {};
    }
}

WeightsBar::WeightsBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void WeightsBar::setWeights(const policy::smart::Weights& weights) {
    m_weights = weights;
    const auto shares = percentShares(weights);
    QStringList parts;
    for (std::size_t i = 0; i < shares.size(); ++i) parts << tr("%1 %2 %").arg(termName(i)).arg(shares[i]);
    setAccessibleName(tr("Weights: %1").arg(parts.join(QStringLiteral(", "))));
    setToolTip(plainTip(parts.join(QLatin1Char('\n'))));
    update();
}

void WeightsBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    const auto shares = percentShares(m_weights);
    QPainter painter(this);
    painter.setFont(theme.smallFont());
    const QFontMetrics metrics(theme.smallFont());
    double x = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double wide = width() * shares[i] / 100.0;
        const QRectF box(x, 0, std::max(0.0, wide - 1), kBar);
        x += wide;
        if (shares[i] == 0) continue;
        paintTerm(painter, box, static_cast<policy::smart::Term>(i));
        const QString full = tr("%1 %2 %").arg(termName(i)).arg(shares[i]), brief = tr("%1 %").arg(shares[i]);
        const QString text = metrics.horizontalAdvance(full) + kLabelGap <= box.width() ? full : metrics.horizontalAdvance(brief) + kLabelGap <= box.width() ? brief : QString();
        painter.setFont(theme.smallFont());
        painter.setPen(theme.color(Surface::text));
        painter.drawText(QRectF(box.left(), kBar + 2, box.width() + 1, height() - kBar - 2), Qt::AlignLeft | Qt::AlignTop, text);
    }
}

}  // namespace signalbox::ui
