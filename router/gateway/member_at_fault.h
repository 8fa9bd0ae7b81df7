// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/dialect.h"
#include "router/gateway/edge_error.h"
#include "router/gateway/planning.h"

#include <string>
#include <string_view>

namespace signalbox::gateway {

/// The member of the body that planning, or a pool, found fault with, for OpenAI's `param`. `where` is that of the error:
/// a member, words of `classify::fieldOf` or `smart::fieldOf`, which may name several members, or a pointer. Empty when the body
/// has none of them.
[[nodiscard]] std::string memberAtFault(std::string_view where, classify::Dialect dialect, std::string_view body);

/// What a client hears where there is no plan: with the member in its words, too, since one protocol's errors have no `param`.
[[nodiscard]] EdgeError planningError(const PlanAnswer& answer, classify::Dialect dialect, std::string_view body);
/// The same of an attempt: a pool, or a translation, may find fault with the request, too.
[[nodiscard]] EdgeError attemptError(const dispatch::UpstreamFailure& failure, classify::Dialect dialect, std::string_view body);

} // namespace signalbox::gateway
