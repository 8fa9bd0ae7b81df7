// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

namespace signalbox::ui {

/// For tool tips and message boxes, which guess whether they are given HTML: text that came from clients, files or other
/// gateways is shown as it is written, whatever it looks like, and long lines are wrapped. tst_plain_texts holds the sources to it.
[[nodiscard]] QString plainTip(const QString& text);

}  // namespace signalbox::ui
