// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"

namespace signalbox::classify {

/// `classify` for a body in either dialect: of chat completions, completions and embeddings, or of Anthropic's Messages
/// API. The rules are the same; only the members' names differ.
[[nodiscard]] Result<ClassifiedRequest> classifyBody(Dialect dialect, std::string_view body, const CallerHints& headerHints,
                                                     const CallerHints& principalHints,
                                                     std::optional<std::uint32_t> inFlight);

}  // namespace signalbox::classify
