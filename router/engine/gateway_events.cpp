// SPDX-License-Identifier: MIT
#include "router/engine/gateway_events.h"

namespace signalbox::engine {

using evidence::EventKind;
using evidence::kByGateway;

namespace {

void setScene(EventLog& log, const policy::PolicySnapshot& snapshot) {
    const config::Evidence& evidence = snapshot.config->evidence;
    log.setScene({evidence.enabled, evidence.target, evidence.environment, snapshot.hash});
}

std::string appliedWords(const policy::PolicySnapshot& before, const Policy& now, bool endsEvidence, const Actor& by) {
    std::string words = applyWords(now.snapshot->hash, before.hash, now.signedBy);
    if (endsEvidence)
        words += " The gateway keeps no evidence from here on.";
    return withOrigin(std::move(words), by.from);
}

} // namespace

void postStarted(EventLog& log, const Policy& policy, const std::vector<std::string>& overrides, const Actor& by) {
    const policy::PolicySnapshot& snapshot = *policy.snapshot;
    setScene(log, snapshot);
    log.post(EventKind::start, snapshot.hash, startWords(snapshot.hash, policy.signedBy, snapshot.config->routing),
             by.name);
    for (const std::string& assignment : overrides) {
        log.post(EventKind::environmentOverride, assignment.substr(0, assignment.find('=')), overrideWords(assignment),
                 kByGateway);
    }
}

void postApplied(EventLog& log, const policy::PolicySnapshot& before, bool wasKilled, const Policy& now, const Actor& by) {
    const policy::PolicySnapshot& snapshot = *now.snapshot;
    const config::Evidence& kept = before.config->evidence;
    const bool endsEvidence = kept.enabled && !snapshot.config->evidence.enabled;
    // What ends the evidence is its last entry, under the name that the history has so far.
    if (endsEvidence)
        log.setScene({true, kept.target, kept.environment, snapshot.hash});
    else
        setScene(log, snapshot);
    log.post(EventKind::apply, snapshot.hash, appliedWords(before, now, endsEvidence, by), by.name);
    if (wasKilled)
        log.post(EventKind::killSwitch, "off", killSwitchWords(false, snapshot.config->routing), by.name);
    const std::string words = modeWords(before.config->routing, snapshot.config->routing);
    if (!words.empty())
        log.post(EventKind::mode, config::toString(snapshot.config->routing.mode), words, by.name);
    if (endsEvidence)
        setScene(log, snapshot);
}

void postKillSwitch(EventLog& log, bool on, const policy::PolicySnapshot& running, const policy::PolicySnapshot& policy, const Actor& by) {
    setScene(log, running);
    log.post(EventKind::killSwitch, on ? "on" : "off", withOrigin(killSwitchWords(on, policy.config->routing), by.from), by.name);
}

void postMode(EventLog& log, const policy::PolicySnapshot& before, const policy::PolicySnapshot& running, const Actor& by) {
    setScene(log, running);
    const config::Routing& routing = running.config->routing;
    log.post(EventKind::mode, config::toString(routing.mode), withOrigin(overrideModeWords(before.config->routing, routing), by.from),
             by.name);
}

void postStopped(EventLog& log, const policy::PolicySnapshot& ran, const Actor& by) {
    log.post(EventKind::stop, ran.hash, "The gateway stopped.", by.name);
}

void postCircuit(EventLog& log, const capacity::CircuitChange& change, const Clock& clock) {
    const std::string words = circuitWords(change, clock.now());
    if (!words.empty())
        log.post(change.opened ? EventKind::circuitOpened : EventKind::circuitClosed, change.endpointId, words, kByGateway);
}

} // namespace signalbox::engine
