// SPDX-License-Identifier: MIT
#include "ui/theme/plain_tip.h"

#include <QTextDocument>

namespace signalbox::ui {

QString plainTip(const QString& text) { return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text; }

}  // namespace signalbox::ui
