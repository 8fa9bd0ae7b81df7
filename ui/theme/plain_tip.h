// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace signalbox::ui {

/// For setToolTip and Qt::ToolTipRole, which guess whether they are given HTML: text that came from clients or other
/// gateways is shown as it is written, whatever it looks like.
[[nodiscard]] QString plainTip(const QString& text);

}  // namespace signalbox::ui
