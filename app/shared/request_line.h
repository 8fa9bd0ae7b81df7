// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/gateway/admin_feed.h"
#include "router/gateway/refusal_feed.h"

#include <string>

namespace signalbox::app {

/// Whether a request is worth a warning: it failed, or the gateway refused it.
[[nodiscard]] bool isTrouble(const evidence::DecisionRecord& record);

/// One request as a line of the log. Nothing of what was asked or answered; names that clients choose (model, request id)
/// are bounded. `endpoint` is the one that answered or, where none did, the one that was tried last; `tried` says how each of
/// several came to nothing, `after` the same of a request that was served by a fallback.
[[nodiscard]] std::string requestLine(const evidence::DecisionRecord& record);

/// The same as one JSON object: `time`, `level` (info, or warning for trouble), `message` ("request"), `decision_id`,
/// `request_id`, `edge`, `principal`, `model`, `resolved_by`, `preset`, `mode`, `endpoint`, `outcome`, `status`, `error`,
/// `tried`, `after`, `attempts`, `ms`, `first_content_ms`, `input_tokens`, `output_tokens`. What is not known is left out.
[[nodiscard]] std::string requestObject(const evidence::DecisionRecord& record);

/// A request that was turned away before it became a decision, under the same names: `request outcome=refused request_id=...
/// edge=... status=... error=... peer=... more=... reason="..."`. `request_id` is the one that its answer named; `more` counts
/// others of that kind that got no line.
[[nodiscard]] std::string turnedAwayLine(const gateway::TurnedAway& refused);
/// The same as one JSON object: `time`, `level`, `message`, `request_id`, `edge`, `outcome`, `status`, `error`, `peer`, `more`, `reason`.
[[nodiscard]] std::string turnedAwayObject(const gateway::TurnedAway& refused);

/// Whether a call of the admin API is worth a warning: it was refused.
[[nodiscard]] bool isTrouble(const gateway::AdminEntry& entry);
/// A call of the admin API: `admin action=... subject=... outcome=... actor=... peer=... policy=... status=... error=... reason=...`.
/// `policy` is the hash that runs after it.
[[nodiscard]] std::string adminLine(const gateway::AdminEntry& entry);
/// The same as one JSON object: `time`, `level`, `message` ("admin") and these.
[[nodiscard]] std::string adminObject(const gateway::AdminEntry& entry);

}  // namespace signalbox::app
