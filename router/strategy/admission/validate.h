// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/admission/types.h"

#include <span>

namespace signalbox::strategy::admission {

/// Token counts above this are refused, so that no sum over a queue can overflow.
inline constexpr std::int64_t kMostTokens = 1'000'000'000'000;

/// The first value that makes no sense, as a finding `bad_value` whose pointer is `profile.FIELD`, `snapshot.FIELD`
/// or `candidate.FIELD`; two requests with one id give `duplicate_request_id`. nullopt when all is well.
[[nodiscard]] std::optional<Finding> firstFault(const Profile& profile);
[[nodiscard]] std::optional<Finding> firstFault(const Load& load);
[[nodiscard]] std::optional<Finding> firstFault(std::span<const Request> requests);

}  // namespace signalbox::strategy::admission
