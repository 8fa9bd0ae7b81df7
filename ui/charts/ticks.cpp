// SPDX-License-Identifier: MIT
#include "ui/charts/ticks.h"

#include "ui/theme/format.h"

#include <QLocale>

#include <array>
#include <cmath>

namespace signalbox::ui {

static constexpr std::array<qint64, 14> kSteps{60,   120,  300,    600,    900,    1800,    3600,
                                               7200, 10'800, 21'600, 43'200, 86'400, 172'800, 604'800};

static Timestamp toTimestamp(const QDateTime& at) { return Timestamp(std::chrono::milliseconds(at.toMSecsSinceEpoch())); }

static QString labelOf(const QDateTime& at, qint64 step, bool startsDay) {
    const QLocale locale;
    if (step >= 86'400) return locale.toString(at, QStringLiteral("ddd d MMM"));
    if (startsDay) return locale.toString(at, QStringLiteral("ddd d"));
    return locale.toString(at, QStringLiteral("HH:mm"));
}

// Steps within a day are walked by wall clock, so that they stay round when the clocks change.
static std::vector<TimeTick> ticksEvery(const evidence::TimeRange& range, qint64 step, std::size_t most) {
    std::vector<TimeTick> ticks;
    const QDate last = format::local(range.to).date();
    for (QDate day = format::local(range.from).date(); day <= last && ticks.size() <= most; day = day.addDays(std::max<qint64>(1, step / 86'400))) {
        for (qint64 second = 0; second < 86'400 && ticks.size() <= most; second += step) {
            const QTime time = QTime(0, 0).addSecs(static_cast<int>(second));
            const Timestamp moment = toTimestamp(second == 0 ? day.startOfDay() : QDateTime(day, time));
            const QDateTime at = format::local(moment);
            if (second > 0 && at.time() != time) continue;  // clocks go forward: there is no such time that day
            if (moment >= range.from && moment <= range.to) ticks.push_back({moment, labelOf(at, step, second == 0)});
        }
    }
    return ticks;
}

std::vector<TimeTick> timeTicks(const evidence::TimeRange& range, int most) {
    const auto limit = static_cast<std::size_t>(std::max(1, most));
    const qint64 span = std::chrono::duration_cast<std::chrono::seconds>(range.to - range.from).count();
    for (const qint64 step : kSteps)
        if (span / step <= most + 1)
            if (auto ticks = ticksEvery(range, step, limit); ticks.size() <= limit) return ticks;
    return ticksEvery(range, std::max<qint64>(kSteps.back(), (span / std::max(1, most) / 86'400 + 1) * 86'400), limit);
}

double countStep(double highest, int most) {
    const double raw = std::max(1.0, highest / std::max(1, most));
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw) return factor * power;
    return 10.0 * power;
}

}  // namespace signalbox::ui
