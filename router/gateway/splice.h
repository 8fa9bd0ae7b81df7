// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"
#include "router/config/types.h"

#include <string>
#include <string_view>

namespace signalbox::gateway {

/// What one target needs of the body.
struct SpliceWish {
    std::string_view upstreamModel;
    config::TokensField tokensField = config::TokensField::asSent;
    bool askForUsage = false; ///< streaming, and the provider may be asked
};

/// The client's body with the closed list of changes of contract D and every other byte as it came: the model
/// value, an empty `tools` with its `tool_choice` and `parallel_tool_calls`, the token-limit field's name,
/// `stream_options.include_usage`, and the members of `metadata` that we consumed. Error: the text is not a
/// well-formed JSON object.
[[nodiscard]] Result<std::string>
spliceBody(std::string_view body, const classify::ClassifiedRequest& request, const SpliceWish& wish);

} // namespace signalbox::gateway
