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
    setScene(log, snapshot);
    log.post(EventKind::apply, snapshot.hash, withOrigin(applyWords(snapshot.hash, before.hash, now.signedBy), by.from), by.name);
    if (wasKilled)
        log.post(EventKind::killSwitch, "off", killSwitchWords(false, snapshot.config->routing), by.name);
    const std::string words = modeWords(before.config->routing, snapshot.config->routing);
    if (!words.empty())
        log.post(EventKind::mode, config::toString(snapshot.config->routing.mode), words, by.name);
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
