// SPDX-License-Identifier: MIT
#include "app/ctl/target_words.h"

#include "router/base/text.h"

#include <algorithm>
#include <ostream>
#include <sstream>

namespace signalbox::ctl {
namespace {

std::string orNone(const std::string& text) { return text.empty() ? "none" : text; }

std::string secondsText(std::chrono::milliseconds time) { return std::to_string((time.count() + 999) / 1000) + " s"; }

std::string millisText(double ms) { return std::to_string(static_cast<long long>(ms + 0.5)) + " ms"; }

/// Of an endpoint whose provider cannot be called. A gateway of an earlier version names no key.
std::string lackText(const std::string& key) {
    if (key.empty() || key == "api_key_env") return "no credential";
    return key == "settings" ? "cannot be called" : "no usable " + key;
}

std::string circuitText(const engine::EndpointHealth& endpoint) {
    if (endpoint.drained) return "drained";
    if (endpoint.circuit == "closed") return endpoint.credentialReady ? "ready" : lackText(endpoint.lacks);
    std::string text = endpoint.circuit == "open" ? "rests" : "is tried again";
    if (endpoint.coolsFor.count() > 0) text += " for " + secondsText(endpoint.coolsFor);
    return text + (endpoint.cause.empty() ? "" : " (" + endpoint.cause + ")");
}

void printEndpoint(std::ostream& out, const engine::EndpointHealth& endpoint) {
    out << "  endpoint     " << endpoint.endpointId << "  " << circuitText(endpoint) << "  " << endpoint.inFlight << " in flight";
    if (endpoint.ttftP50Ms && endpoint.ttftP95Ms)
        out << "  first token p50 " << millisText(*endpoint.ttftP50Ms) << ", p95 " << millisText(*endpoint.ttftP95Ms) << " (" << endpoint.ttftSamples << " samples)";
    out << '\n';
}

std::string evidenceText(const evidence::EvidenceStatus& evidence) {
    std::string text(toString(evidence.state));
    if (!evidence.where.empty()) text += ", " + evidence.where;
    text += ", " + std::to_string(evidence.stored) + " stored, " + std::to_string(evidence.backlogRecords) + " waiting";
    if (evidence.dropped > 0) text += ", " + std::to_string(evidence.dropped) + " LOST";
    if (evidence.damagedBytes > 0) text += ", " + std::to_string(evidence.damagedBytes) + " bytes of the journal DAMAGED";
    if (evidence.eventsDropped > 0) text += ", " + std::to_string(evidence.eventsDropped) + " events LOST";
    return evidence.lastError.empty() ? text : text + ": " + evidence.lastError;
}

std::string tokenText(const engine::TargetStatus& status) { return status.tokenRequired ? ", with a token" : ", without a token"; }

}  // namespace

std::string accessChange(const engine::TargetStatus& before, const engine::TargetStatus& after) {
    const bool moved = after.address != before.address;
    if (!moved && after.tokenRequired == before.tokenRequired) return {};
    const std::string was = moved ? "; before on " + orNone(before.address) + tokenText(before) : "; before" + tokenText(before).substr(1);
    return ", now on " + orNone(after.address) + tokenText(after) + was;
}

std::string modeText(const engine::TargetStatus& status) {
    if (status.killed) return "off, by the kill switch";
    std::string text = status.mode;
    if (status.mode == "active") text += " for " + std::to_string(status.activationPercent) + " % of the requests";
    return status.modeOverride.empty() ? text : text + ", set by hand until the next apply";
}

void printStatus(std::ostream& out, const engine::TargetStatus& status, const std::vector<engine::EndpointHealth>& endpoints) {
    out << status.name << "  " << toString(status.state) << " on " << orNone(status.address);
    if (status.startedAt != Timestamp{}) out << " since " << toIso8601(status.startedAt).substr(0, 19) << 'Z';
    out << '\n' << "  policy       " << orNone(status.runningHash) << ", version " << orNone(status.policyVersion) << '\n';
    out << "  table        " << orNone(status.tableSha256) << ", signed by " << (status.signedBy.empty() ? "nobody" : status.signedBy) << '\n';
    out << "  smart        " << modeText(status) << '\n';
    for (const std::string& one : status.overrides) out << "  override     " << one << '\n';
    out << "  requests     " << status.inFlight << " in flight, " << status.decided << " decided, " << status.dispatched << " sent, " << status.served << " served\n";
    out << "  evidence     " << evidenceText(status.evidence) << '\n';
    std::istringstream remarks(status.lastError);
    for (std::string one; std::getline(remarks, one);)
        if (!one.empty()) out << "  remark       " << one << '\n';
    for (const auto& endpoint : endpoints) printEndpoint(out, endpoint);
}

}  // namespace signalbox::ctl
