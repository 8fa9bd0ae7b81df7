// SPDX-License-Identifier: MIT
#include "ui/models/speed_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace signalbox::ui::words {

namespace {
struct SpeedWords {
    Q_DECLARE_TR_FUNCTIONS(SpeedWords)
};
}  // namespace

QString streamSpeed(std::optional<std::uint64_t> outputTokens, std::optional<double> firstContentMs, double totalMs) {
    // The figures of the Overview leave out the same ones (router/evidence/usual_sql.cpp).
    constexpr double kLatestStart = 0.9;
    if (outputTokens.value_or(0) < 2 || !firstContentMs || *firstContentMs >= kLatestStart * totalMs) return {};
    const double perSecond = static_cast<double>(*outputTokens) * 1000.0 / (totalMs - *firstContentMs);
    return SpeedWords::tr("%1 tokens/s").arg(QLocale().toString(perSecond, 'f', 1));
}

}  // namespace signalbox::ui::words
