// SPDX-License-Identifier: MIT
#include "ui/pages/groups/full_number.h"

#include <QDoubleSpinBox>
#include <QLocale>
#include <QSignalBlocker>
#include <QString>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kMostDecimals = 12;

int decimalsOf(double value, int least) {
    const QString digits = QString::number(value, 'f', QLocale::FloatingPointShortest);
    const auto point = digits.indexOf(QLatin1Char('.'));
    const int decimals = point < 0 ? 0 : static_cast<int>(digits.size() - point - 1);
    return decimals > kMostDecimals ? -1 : std::max(decimals, least);
}

bool showInFull(QDoubleSpinBox* box, double value, int leastDecimals) {
    const QSignalBlocker quiet(box);
    const int decimals = decimalsOf(value, leastDecimals);
    box->setDecimals(decimals < 0 ? kMostDecimals : decimals);
    box->setValue(value);
    const bool whole = decimals >= 0 && box->value() == value;
    box->setEnabled(whole);
    return whole;
}

}  // namespace signalbox::ui
