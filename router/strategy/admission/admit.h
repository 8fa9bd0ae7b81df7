// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/admission/types.h"

#include <span>

namespace signalbox::strategy::admission {

/// Which of the waiting requests a local server takes now, and why not the others. A pure function: the router, the
/// simulator and the tests call this one.
///
/// Requests are looked at by arrival, then id (by code point); those that arrive later than `nowS` wait. What is
/// admitted gets its first-token prediction in order of dispatch and its per-token prediction with the whole batch;
/// the others are judged as if appended after the batch (N7), and keep the first check they fail (N8).
/// Fails with the finding of the first senseless value; see validate.h.
[[nodiscard]] tl::expected<Admission, Finding> admit(Policy policy, const Profile& profile, const Load& load,
                                                     std::span<const Request> requests, double nowS);

}  // namespace signalbox::strategy::admission
