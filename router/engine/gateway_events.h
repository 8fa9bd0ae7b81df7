// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/admin_actions.h"
#include "router/engine/event_log.h"
#include "router/engine/event_words.h"
#include "router/policy/snapshot.h"

namespace signalbox::engine {

/// What an embedded gateway posts of itself. The first three also say what runs from here on.

/// One event for the start, and one for each variable (`NAME=value`, no secrets) that overrides the file.
void postStarted(EventLog& log, const Policy& policy, const std::vector<std::string>& overrides, const Actor& by);
/// One event for the change of policy, one more when mode or share differ, one more when it released the kill switch.
/// `before` is what ran without the kill switch. Where `before` kept evidence and `now` does not, these are the last events.
void postApplied(EventLog& log, const policy::PolicySnapshot& before, bool wasKilled, const Policy& now, const Actor& by);
/// `running` has mode off while the switch is on; `policy` is in force without it.
void postKillSwitch(EventLog& log, bool on, const policy::PolicySnapshot& running, const policy::PolicySnapshot& policy, const Actor& by);
/// Mode or share by hand.
void postMode(EventLog& log, const policy::PolicySnapshot& before, const policy::PolicySnapshot& running, const Actor& by);
void postStopped(EventLog& log, const policy::PolicySnapshot& ran, const Actor& by);
/// Nothing for what was done by hand.
void postCircuit(EventLog& log, const capacity::CircuitChange& change, const Clock& clock);

} // namespace signalbox::engine
