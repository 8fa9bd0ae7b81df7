// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/simulated_request.h"

namespace signalbox::upstream {

/// The `data` of an answer with embeddings, as JSON: of length 1, and the same for the same text and model, whatever else
/// stands in the request.
[[nodiscard]] std::string simulatedEmbeddings(const SimulatedOptions& options, std::string_view model);

}  // namespace signalbox::upstream
