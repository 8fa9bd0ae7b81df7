// SPDX-License-Identifier: MIT
#include "ui/shell/range_button.h"

#include "ui/pages/page.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/theme/format.h"

#include <QMenu>

namespace signalbox::ui {

using namespace std::chrono_literals;

RangeButton::RangeButton(ViewState* view, QWidget* parent) : QToolButton(parent), m_view(view) {
    setObjectName(QStringLiteral("timeRange"));
    setPopupMode(InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setFocusPolicy(Qt::StrongFocus);
    setThemedIcon(this, QStringLiteral("clock"));
    auto* menu = new QMenu(this);
    const std::pair<std::chrono::seconds, QString> spans[] = {{15min, tr("Last 15 minutes")}, {1h, tr("Last hour")},
                                                              {6h, tr("Last 6 hours")},       {24h, tr("Last 24 hours")},
                                                              {24h * 7, tr("Last 7 days")},   {24h * 28, tr("Last 28 days")}};
    for (const auto& [span, label] : spans) menu->addAction(label, this, [this, span = span] { m_view->setLive(span); });
    setMenu(menu);
    connect(m_view, &ViewState::rangeChanged, this, &RangeButton::render);
    render();
}

void RangeButton::setPart(const QString& part) {
    m_part = part;
    render();
}

void RangeButton::render() {
    const auto range = m_view->range();
    const bool oneDay = format::local(range.from).date() == format::local(range.to).date();
    const QString span = format::seconds(m_view->span());
    const QString fixed = tr("%1 to %2").arg(format::dateTime(range.from), oneDay ? format::clockTime(range.to) : format::dateTime(range.to));
    const QString exact = tr("%1 to %2").arg(format::utc(range.from), format::utc(range.to));
    if (m_part.isEmpty()) {
        setText(m_view->isLive() ? tr("Live: last %1").arg(span) : fixed);
        setToolTip(plainTip(exact));
    } else {
        setText(m_view->isLive() ? tr("%1: last %2").arg(m_part, span) : tr("%1: %2").arg(m_part, fixed));
        setToolTip(plainTip(tr("%1. The other numbers of this page say of which time they are.").arg(exact)));
    }
    setAccessibleName(tr("Time range: %1").arg(text()));
}

}  // namespace signalbox::ui
