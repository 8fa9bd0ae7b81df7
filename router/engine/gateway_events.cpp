// SPDX-License-Identifier: MIT
#include "router/engine/gateway_events.h"

#include "router/engine/target.h"

namespace signalbox::engine {

using evidence::EventKind;
using evidence::kByGateway;
using evidence::kByOperator;

namespace {

void setScene(EventLog& log, const policy::PolicySnapshot& snapshot) {
    const config::Evidence& evidence = snapshot.config->evidence;
    log.setScene({evidence.enabled, evidence.target, evidence.environment, snapshot.hash});
}

} // namespace

void postStarted(EventLog& log, const Policy& policy, const std::vector<std::string>& overrides) {
    const policy::PolicySnapshot& snapshot = *policy.snapshot;
    setScene(log, snapshot);
    log.post(EventKind::start, snapshot.hash, startWords(snapshot.hash, policy.signedBy, snapshot.config->routing),
             kByOperator);
    for (const std::string& assignment : overrides) {
        log.post(EventKind::environmentOverride, assignment.substr(0, assignment.find('=')), overrideWords(assignment),
                 kByGateway);
    }
}

void postApplied(EventLog& log, const Policy& before, bool wasKilled, const Policy& now) {
    const policy::PolicySnapshot& snapshot = *now.snapshot;
    setScene(log, snapshot);
    log.post(EventKind::apply, snapshot.hash, applyWords(snapshot.hash, before.snapshot->hash, now.signedBy), kByOperator);
    if (wasKilled)
        log.post(EventKind::killSwitch, "off", killSwitchWords(false, snapshot.config->routing), kByOperator);
    const std::string words = modeWords(before.snapshot->config->routing, snapshot.config->routing);
    if (!words.empty())
        log.post(EventKind::mode, config::toString(snapshot.config->routing.mode), words, kByOperator);
}

void postKillSwitch(EventLog& log, bool on, const policy::PolicySnapshot& running, const Policy& policy) {
    setScene(log, running);
    log.post(EventKind::killSwitch, on ? "on" : "off", killSwitchWords(on, policy.snapshot->config->routing), kByOperator);
}

void postStopped(EventLog& log, const policy::PolicySnapshot& ran) {
    log.post(EventKind::stop, ran.hash, "The gateway stopped.", kByOperator);
}

void postCircuit(EventLog& log, const capacity::CircuitChange& change, const Clock& clock) {
    const std::string words = circuitWords(change, clock.now());
    if (!words.empty())
        log.post(change.opened ? EventKind::circuitOpened : EventKind::circuitClosed, change.endpointId, words, kByGateway);
}

} // namespace signalbox::engine
