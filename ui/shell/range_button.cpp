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

void RangeButton::render() {
    const auto range = m_view->range();
    const bool oneDay = format::local(range.from).date() == format::local(range.to).date();
    const QString text = m_view->isLive() ? tr("Live: last %1").arg(format::seconds(m_view->span()))
                                          : tr("%1 to %2").arg(format::dateTime(range.from), oneDay ? format::clockTime(range.to) : format::dateTime(range.to));
    setText(text);
    setAccessibleName(tr("Time range: %1").arg(text));
    setToolTip(plainTip(tr("%1 to %2").arg(format::utc(range.from), format::utc(range.to))));
}

}  // namespace signalbox::ui
