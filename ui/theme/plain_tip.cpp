// SPDX-License-Identifier: MIT
#include "ui/theme/plain_tip.h"

#include <QTextDocument>

namespace signalbox::ui {

// About as wide as a line may be on a small screen: Qt wraps a tip only when it takes it for HTML.
static constexpr qsizetype kLongestLine = 160;

static bool hasLongLine(const QString& text) {
    qsizetype start = 0;
    for (qsizetype end = 0; end >= 0; start = end + 1) {
        end = text.indexOf(QLatin1Char('\n'), start);
        if ((end < 0 ? text.size() : end) - start > kLongestLine) return true;
    }
    return false;
}

QString plainTip(const QString& text) {
    if (hasLongLine(text)) return Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal);
    return Qt::mightBeRichText(text) ? Qt::convertFromPlainText(text) : text;
}

}  // namespace signalbox::ui
