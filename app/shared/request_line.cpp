// SPDX-License-Identifier: MIT
#include "app/shared/request_line.h"

#include "app/shared/redact.h"
#include "router/base/text.h"
#include "router/evidence/attempt_words.h"
#include "router/evidence/json_line.h"

#include <algorithm>
#include <cmath>

namespace signalbox::app {
namespace {

/// A log is for reading; the record holds the whole name.
constexpr std::size_t kMostNameBytes = 240;
constexpr std::size_t kMostReasonBytes = 300;

std::string whole(double ms) { return std::to_string(std::llround(ms)); }

/// `name=value`, quoted where the value holds what would end it; no line can be forged by a name with a line end.
void addWord(std::string& line, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    line.append(" ").append(name).append("=");
    const bool plain = value.find_first_of(" \"=\\") == std::string_view::npos &&
                       std::all_of(value.begin(), value.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
    if (plain) {
        line.append(value);
        return;
    }
    std::string array;
    evidence::JsonLine json(array);
    json.beginArray();
    json.putElement(value);
    json.endArray();
    line.append(array, 1, array.size() - 2);
}

/// Of a request that was not served, and so where it came to nothing; of one whose only attempt failed `endpoint` says it.
std::string triedWords(const evidence::DecisionRecord& record) {
    const bool several = record.outcome != evidence::Outcome::served && evidence::countOfUnanswered(record.attempts) > 1;
    return several ? evidence::unansweredBy(record.attempts, true) : std::string();
}

}  // namespace

bool isTrouble(const evidence::DecisionRecord& record) {
    return record.outcome == evidence::Outcome::failed || record.outcome == evidence::Outcome::refused;
}

std::string requestLine(const evidence::DecisionRecord& record) {
    std::string line = "request " + record.id.text();
    addWord(line, "request_id", record.clientRequestId);
    addWord(line, "edge", toString(record.edge));
    addWord(line, "model", elided(record.requestedModel, kMostNameBytes));
    addWord(line, "endpoint", elided(evidence::endpointConcerned(record), kMostNameBytes));
    addWord(line, "outcome", toString(record.outcome));
    addWord(line, "status", std::to_string(record.status));
    addWord(line, "error", record.errorCode);
    addWord(line, "tried", triedWords(record));
    addWord(line, "after", evidence::servedAfter(record));
    addWord(line, "ms", whole(record.totalMs));
    if (record.firstContentMs) addWord(line, "first_content_ms", whole(*record.firstContentMs));
    if (record.inputTokens) addWord(line, "input_tokens", std::to_string(*record.inputTokens));
    if (record.outputTokens) addWord(line, "output_tokens", std::to_string(*record.outputTokens));
    return line;
}

std::string requestObject(const evidence::DecisionRecord& record) {
    std::string text;
    evidence::JsonLine line(text);
    line.beginObject();
    line.put("time", toIso8601(record.createdAt));
    line.put("level", isTrouble(record) ? "warning" : "info");
    line.put("message", "request");
    line.put("decision_id", record.id.text());
    line.put("request_id", redacted(record.clientRequestId));
    line.put("edge", toString(record.edge));
    line.put("principal", record.principal);
    line.put("model", redacted(elided(record.requestedModel, kMostNameBytes)));
    line.put("resolved_by", record.resolvedBy);
    line.put("preset", record.presetKey);
    line.put("mode", record.mode);
    line.put("endpoint", redacted(elided(evidence::endpointConcerned(record), kMostNameBytes)));
    line.put("outcome", toString(record.outcome));
    line.put("status", record.status);
    line.put("error", redacted(record.errorCode));
    line.put("tried", redacted(triedWords(record)));
    line.put("after", redacted(evidence::servedAfter(record)));
    line.put("attempts", record.attempts.size());
    line.put("ms", record.totalMs);
    line.put("first_content_ms", record.firstContentMs);
    line.put("input_tokens", record.inputTokens);
    line.put("output_tokens", record.outputTokens);
    line.endObject();
    return text;
}

std::string turnedAwayLine(const gateway::TurnedAway& refused) {
    std::string line = "request outcome=refused";
    addWord(line, "request_id", refused.requestId);
    addWord(line, "edge", toString(refused.edge));
    addWord(line, "status", std::to_string(refused.status));
    addWord(line, "error", refused.code);
    addWord(line, "peer", refused.peer);
    if (refused.more > 0) addWord(line, "more", std::to_string(refused.more));
    addWord(line, "reason", elided(refused.message, kMostReasonBytes));
    return line;
}

std::string turnedAwayObject(const gateway::TurnedAway& refused) {
    std::string text;
    evidence::JsonLine line(text);
    line.beginObject();
    line.put("time", toIso8601(refused.at));
    line.put("level", "warning");
    line.put("message", "request");
    line.put("request_id", redacted(refused.requestId));
    line.put("edge", toString(refused.edge));
    line.put("outcome", "refused");
    line.put("status", refused.status);
    line.put("error", refused.code);
    line.put("peer", refused.peer);
    line.put("more", refused.more);
    line.put("reason", redacted(elided(refused.message, kMostReasonBytes)));
    line.endObject();
    return text;
}

bool isTrouble(const gateway::AdminEntry& entry) { return entry.outcome == gateway::AdminEntry::Outcome::refused; }

std::string adminLine(const gateway::AdminEntry& entry) {
    std::string line = "admin";
    addWord(line, "action", entry.action);
    addWord(line, "subject", elided(entry.subject, kMostNameBytes));
    addWord(line, "outcome", toString(entry.outcome));
    addWord(line, "actor", entry.actor);
    addWord(line, "peer", entry.peer);
    addWord(line, "policy", entry.policyHash);
    if (entry.status != 0) addWord(line, "status", std::to_string(entry.status));
    addWord(line, "error", entry.code);
    addWord(line, "reason", elided(entry.message, kMostReasonBytes));
    return line;
}

std::string adminObject(const gateway::AdminEntry& entry) {
    std::string text;
    evidence::JsonLine line(text);
    line.beginObject();
    line.put("time", toIso8601(entry.at));
    line.put("level", isTrouble(entry) ? "warning" : "info");
    line.put("message", "admin");
    line.put("action", entry.action);
    line.put("subject", redacted(elided(entry.subject, kMostNameBytes)));
    line.put("outcome", toString(entry.outcome));
    line.put("actor", redacted(entry.actor));
    line.put("peer", entry.peer);
    line.put("policy", entry.policyHash);
    line.putUnless(0, "status", entry.status);
    line.put("error", entry.code);
    line.put("reason", redacted(elided(entry.message, kMostReasonBytes)));
    line.endObject();
    return text;
}

}  // namespace signalbox::app
