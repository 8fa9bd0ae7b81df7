// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"

#include <QString>

#include <vector>

namespace signalbox::ui {

struct TimeTick {
    Timestamp at{};
    QString label;  ///< local; a date where a day starts or ticks are days apart
};
/// Round local times inside `range`, at most `most` of them.
[[nodiscard]] std::vector<TimeTick> timeTicks(const evidence::TimeRange& range, int most);

/// A step of 1, 2 or 5 times a power of ten, so that at most `most` steps reach `highest`. At least 1.
[[nodiscard]] double countStep(double highest, int most);

}  // namespace signalbox::ui
