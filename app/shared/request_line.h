// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <string>

namespace signalbox::app {

/// Whether a request is worth a warning: it failed, or the gateway refused it.
[[nodiscard]] bool isTrouble(const evidence::DecisionRecord& record);

/// One request as a line of the log. Nothing of what was asked or answered; names that clients choose (model, request id)
/// are bounded.
[[nodiscard]] std::string requestLine(const evidence::DecisionRecord& record);

/// The same as one JSON object: `time`, `level` (info, or warning for trouble), `message` ("request"), `decision_id`,
/// `request_id`, `edge`, `principal`, `model`, `resolved_by`, `preset`, `mode`, `endpoint`, `outcome`, `status`, `error`,
/// `attempts`, `ms`, `first_content_ms`, `input_tokens`, `output_tokens`. What is not known is left out.
[[nodiscard]] std::string requestObject(const evidence::DecisionRecord& record);

}  // namespace signalbox::app
