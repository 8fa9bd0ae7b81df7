// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/edge_error.h"
#include "router/gateway/serving.h"

#include <string_view>
#include <tl/expected.hpp>

namespace signalbox::gateway {

/// One of our model objects as Anthropic's API shows it: `{"type":"model","id","display_name","created_at"}`.
[[nodiscard]] std::string anthropicModel(const std::string& openAiObject);

/// `{"data":[…],"has_more","first_id","last_id"}`. The target's query may page as that API does, with `limit`, `after_id`
/// and `before_id`; without a limit everything is on one page. Error: 400 for a limit or an id that means nothing.
[[nodiscard]] tl::expected<std::string, EdgeError> anthropicModelList(const ModelCatalogue& models,
                                                                      std::string_view target);

} // namespace signalbox::gateway
