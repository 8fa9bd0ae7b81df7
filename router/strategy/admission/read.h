// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"
#include "router/strategy/admission/types.h"

namespace signalbox::strategy::admission {

/// Readers for the parts of an admission question as the simulator, a router's parameters and the vectors write them.
/// A missing required field, a wrong type (a fraction or boolean where a whole number belongs) and a value out of
/// range each give a finding `bad_value` with pointer `profile.FIELD`, `snapshot.FIELD` or `candidate.FIELD`.
/// Optional fields may be absent or null. Fields of other names are left alone.
[[nodiscard]] tl::expected<Profile, Finding> readProfile(const OrderedJson& json);
[[nodiscard]] tl::expected<Load, Finding> readLoad(const OrderedJson& json);
/// The requests of one queue; ids must differ.
[[nodiscard]] tl::expected<std::vector<Request>, Finding> readRequests(const OrderedJson& json);

}  // namespace signalbox::strategy::admission
