// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_view.h"
#include "router/strategy/routewise/pool.h"

namespace signalbox::strategy::routewise {

/// The choice as decision records hold it: at most `kMostCandidates`, the drawn one always among them.
[[nodiscard]] evidence::RecordedPool recorded(const Pool& pool, const Choice& choice);

/// The pool as it would weigh the reference request now. Members, mix and hedging; the rest is the router's.
[[nodiscard]] dispatch::PoolView viewOf(const Pool& pool, Steady now);

/// What a request would get now, and when a backup would be sent for it. Takes nothing and counts nothing.
[[nodiscard]] dispatch::PoolForecast forecastOf(const Pool& pool, const dispatch::PoolQuestion& question, Steady now);

}  // namespace signalbox::strategy::routewise
