// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/classify/peculiar_words.h"
#include "router/evidence/record.h"

#include <array>
#include <limits>
#include <simdjson.h>

namespace signalbox::evidence {
namespace {

using simdjson::dom::element;

bool read(element value, std::string& out) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) return false;
    out = text;
    return true;
}
bool read(element value, bool& out) { return value.get(out) == simdjson::SUCCESS; }
bool read(element value, double& out) { return value.get(out) == simdjson::SUCCESS; }
bool read(element value, std::uint64_t& out) { return value.get(out) == simdjson::SUCCESS; }
bool read(element value, std::uint32_t& out) {
    std::uint64_t wide = 0;
    if (value.get(wide) != simdjson::SUCCESS || wide > std::numeric_limits<std::uint32_t>::max()) return false;
    out = static_cast<std::uint32_t>(wide);
    return true;
}
bool read(element value, int& out) {
    std::int64_t wide = 0;
    if (value.get(wide) != simdjson::SUCCESS || wide < std::numeric_limits<int>::min() ||
        wide > std::numeric_limits<int>::max())
        return false;
    out = static_cast<int>(wide);
    return true;
}
bool read(element value, std::vector<std::string>& out) {
    simdjson::dom::array items;
    if (value.get(items) != simdjson::SUCCESS) return false;
    out.clear();
    for (const element item : items)
        if (!read(item, out.emplace_back())) return false;
    return true;
}
template <std::size_t N>
bool read(element value, std::array<double, N>& out) {
    simdjson::dom::array items;
    if (value.get(items) != simdjson::SUCCESS || items.size() != N) return false;
    std::size_t i = 0;
    for (const element item : items)
        if (!read(item, out[i++])) return false;
    return true;
}
template <class T>
bool read(element value, std::optional<T>& out) {
    return read(value, out.emplace());
}
bool read(element value, DecisionId& out) {
    std::string text;
    if (!read(value, text)) return false;
    const auto id = DecisionId::parse(text);
    if (id) out = *id;
    return id.has_value();
}
bool read(element value, Timestamp& out) {
    std::string text;
    if (!read(value, text)) return false;
    const auto at = parseIso8601(text);
    if (at) out = *at;
    return at.has_value();
}

/// Reads members by name into variables and remembers the first that has a wrong value. Absent and null members
/// leave the default: older records lack what newer ones have.
class Members {
public:
    Members(simdjson::dom::object object, std::string& firstBad)
        : m_object(object), m_next(object.begin()), m_firstBad(firstBad) {
        for (const auto field : object) m_present |= bitOf(field.key);
    }

    template <class T>
    void get(std::string_view name, T& out) {
        if (const auto value = find(name); value && !read(*value, out)) bad(name);
    }
    template <class E, class Parse>
    void getWord(std::string_view name, E& out, const Parse& parse) {
        const auto value = find(name);
        std::string_view text;
        if (!value) return;
        if (value->get(text) != simdjson::SUCCESS) return bad(name);
        const auto parsed = parse(text);
        if (!parsed) return bad(name);
        out = *parsed;
    }
    template <class With>
    void getObject(std::string_view name, const With& with) {
        const auto value = find(name);
        simdjson::dom::object object;
        if (!value) return;
        if (value->get(object) != simdjson::SUCCESS) return bad(name);
        Members members(object, m_firstBad);
        with(members);
    }
    template <class Each>
    void forEach(std::string_view name, const Each& each) {
        const auto value = find(name);
        simdjson::dom::array items;
        if (!value) return;
        if (value->get(items) != simdjson::SUCCESS) return bad(name);
        for (const element item : items) {
            simdjson::dom::object object;
            if (item.get(object) != simdjson::SUCCESS) return bad(name);
            Members members(object, m_firstBad);
            each(members);
        }
    }
    [[nodiscard]] bool has(std::string_view name) { return find(name).has_value(); }
    void bad(std::string_view name) {
        if (m_firstBad.empty()) m_firstBad = name;
    }

private:
    /// Names that may be there: most are absent, and looking through all members for each of those would take longest.
    [[nodiscard]] static std::uint64_t bitOf(std::string_view name) {
        if (name.empty()) return 1;
        const auto mixed = name.size() * 7 + static_cast<unsigned char>(name.front()) * 3U +
                           static_cast<unsigned char>(name.back()) * 5U + static_cast<unsigned char>(name[name.size() / 2]);
        return std::uint64_t{1} << (mixed & 63);
    }
    /// Members are asked for in the order in which they were written, so the next one is nearly always the right one.
    [[nodiscard]] std::optional<element> find(std::string_view name) {
        element value;
        if (m_next != m_object.end() && m_next.key() == name) {
            value = m_next.value();
            ++m_next;
        } else if ((m_present & bitOf(name)) == 0 || m_object.at_key(name).get(value) != simdjson::SUCCESS) {
            return std::nullopt;
        }
        return value.is_null() ? std::nullopt : std::optional(value);
    }
    simdjson::dom::object m_object;
    simdjson::dom::object::iterator m_next;
    std::string& m_firstBad;
    std::uint64_t m_present = 0;
};

std::optional<classify::FoundBy> parseFoundBy(std::string_view text) {
    using classify::FoundBy;
    for (const FoundBy by : {FoundBy::header, FoundBy::metadata, FoundBy::principal, FoundBy::body, FoundBy::estimate,
                             FoundBy::fallback})
        if (classify::toString(by) == text) return by;
    return std::nullopt;
}

std::optional<classify::OutputCapField> parseCapField(std::string_view text) {
    if (text == "none") return classify::OutputCapField::none;
    if (text == "max_tokens") return classify::OutputCapField::maxTokens;
    if (text == "max_completion_tokens") return classify::OutputCapField::maxCompletionTokens;
    return std::nullopt;
}

void getOrigin(Members& in, DecisionRecord& record) {
    in.get("id", record.id);
    in.get("created_at", record.createdAt);
    if (!in.has("id")) in.bad("id");
    if (!in.has("created_at")) in.bad("created_at");
    in.getWord("origin", record.origin, parseOrigin);
    in.get("target", record.target);
    in.get("environment", record.environment);
    in.get("client_request_id", record.clientRequestId);
    in.get("principal", record.principal);
    in.get("team", record.team);
    in.getWord("edge", record.edge, parseEdge);
    in.get("requested_model", record.requestedModel);
    in.get("resolved_by", record.resolvedBy);
    in.get("policy_hash", record.policyHash);
    in.get("table_sha256", record.tableSha256);
    in.get("policy_version", record.policyVersion);
    in.get("mode", record.mode);
}

void getFeatures(Members& in, classify::RequestFeatures& features) {
    in.get("requested_model", features.model);
    in.get("stream", features.stream);
    in.get("include_usage", features.includeUsage);
    in.getWord("workload_class", features.cell.workload, table::parseWorkloadClass);
    in.getWord("expected_output_length", features.cell.length, table::parseLengthBucket);
    in.getWord("concurrency_mode", features.cell.concurrency, table::parseConcurrencyMode);
    in.getWord("workload_found_by", features.workloadFoundBy, parseFoundBy);
    in.getWord("length_found_by", features.lengthFoundBy, parseFoundBy);
    in.get("input_tokens_estimate", features.inputTokens);
    in.getWord("input_tokens_found_by", features.inputTokensFoundBy, parseFoundBy);
    in.get("output_cap", features.outputCap);
    in.getWord("output_cap_field", features.outputCapField, parseCapField);
    in.get("in_flight", features.inFlight);
    in.get("tools_offered", features.toolsOffered);
    in.get("functions_offered", features.functionsOffered);
    in.get("parallel_tools", features.parallelTools);
    in.get("structured_output", features.structuredOutput);
    in.get("vision", features.vision);
    std::vector<std::string> peculiar;
    in.get("peculiarities", peculiar);
    features.peculiarities = classify::peculiaritiesNamed(peculiar);
}

void getDecision(Members& in, DecisionRecord& record) {
    in.get("family", record.family);
    in.get("rule_index", record.ruleIndex);
    in.get("preset", record.presetKey);
    in.get("reason", record.reason);
    in.get("null_cause", record.nullCause);
    in.get("natural_by", record.naturalBy);
    in.get("coverage", record.coverage);
    in.get("gap_index", record.gapIndex);
    in.forEach("rules", [&](Members& item) {
        RecordedRule& rule = record.rules.emplace_back();
        item.get("rule_index", rule.ruleIndex);
        item.get("preset", rule.presetKey);
        item.get("verdict", rule.verdict);
    });
}

void getPool(Members& in, RecordedPool& pool) {
    in.get("id", pool.poolId);
    in.get("router", pool.router);
    in.get("drawn", pool.drawn);
    in.get("affinity", pool.affinity);
    in.get("mix", pool.mixStatus);
    in.get("budget_usd", pool.budgetUsd);
    in.get("expected_usd", pool.expectedCostUsd);
    in.get("objective_s", pool.objectiveS);
    in.get("predicted_tokens", pool.predictedOutputTokens);
    in.get("hedge", pool.hedge);
    in.get("hedge_ms", pool.hedgeAtMs);
    in.get("admission", pool.admission);
    in.get("ttft_ms", pool.predictedTtftMs);
    in.get("tpot_ms", pool.predictedTpotMs);
    in.get("total", pool.candidatesTotal);
    in.forEach("candidates", [&](Members& item) {
        RecordedPoolCandidate& candidate = pool.candidates.emplace_back();
        item.get("endpoint", candidate.endpointId);
        item.get("excluded", candidate.excluded);
        item.get("usd", candidate.costUsd);
        item.get("ms", candidate.meanTtftMs);
        item.get("share", candidate.share);
    });
}

void getGroup(Members& in, RecordedGroup& group) {
    in.get("id", group.groupId);
    in.get("profile", group.profile);
    in.get("selected", group.selected);
    in.get("recommended", group.recommended);
    in.get("eligible", group.candidateCount);
    in.get("selected_score", group.selectedScore);
    in.get("recommended_score", group.recommendedScore);
    in.get("reasons", group.reasons);
    in.get("session_affinity", group.sessionAffinity);
    in.get("disagreement", group.shadowDisagreement);
    in.get("affinity", group.affinity);
    in.get("favourite", group.affinityFavourite);
    in.get("deciding_term", group.decidingTerm);
    in.get("bucket", group.bucket);
    in.get("percent", group.activationPercent);
    in.get("weights", group.weights);
    in.get("min_ms", group.minLatencyMs);
    in.get("max_ms", group.maxLatencyMs);
    in.get("min_usd", group.minCostUsd);
    in.get("max_usd", group.maxCostUsd);
    in.get("input_tokens", group.inputTokens);
    in.get("output_tokens", group.outputTokens);
    in.get("total", group.candidatesTotal);
    in.forEach("candidates", [&](Members& item) {
        RecordedCandidate& candidate = group.candidates.emplace_back();
        item.get("endpoint", candidate.endpointId);
        item.get("cut", candidate.cut);
        item.get("quality", candidate.quality);
        item.get("ms", candidate.latencyMs);
        item.get("usd", candidate.costUsd);
        item.get("reliability", candidate.reliability);
        item.get("affinity", candidate.affinity);
        item.get("score", candidate.score);
        item.get("missing", candidate.missing);
    });
}

void getOutcome(Members& in, DecisionRecord& record) {
    in.get("endpoint", record.endpointId);
    in.forEach("attempts", [&](Members& item) {
        Attempt& attempt = record.attempts.emplace_back();
        item.get("endpoint", attempt.endpointId);
        item.getWord("role", attempt.role, parseAttemptRole);
        item.getWord("outcome", attempt.outcome, parseAttemptOutcome);
        item.get("status", attempt.status);
        item.get("reason", attempt.reason);
        item.get("started_ms", attempt.startedMs);
        item.get("first_content_ms", attempt.firstContentMs);
        item.get("ended_ms", attempt.endedMs);
        item.get("input_tokens", attempt.inputTokens);
        item.get("output_tokens", attempt.outputTokens);
        item.get("cost_usd", attempt.costUsd);
        item.get("left_out", attempt.leftOut);
    });
    in.get("why_no_fallback", record.whyNoFallback);
    in.getWord("outcome", record.outcome, parseOutcome);
    in.get("status", record.status);
    in.get("error_code", record.errorCode);
    in.get("queue_ms", record.queueMs);
    in.get("decide_us", record.decideUs);
    in.get("first_content_ms", record.firstContentMs);
    in.get("total_ms", record.totalMs);
    in.get("input_tokens", record.inputTokens);
    in.get("cached_tokens", record.cachedTokens);
    in.get("output_tokens", record.outputTokens);
    in.get("cost_usd", record.costUsd);
    in.get("tools_called", record.toolsCalled);
    in.get("tools_valid_json", record.toolsValidJson);
    in.get("tools_fit_schema", record.toolsFitSchema);
    in.get("tools_unchecked", record.toolsUnchecked);
    // Earlier versions counted calls and did not judge them.
    if (!in.has("tools_valid_json")) record.toolsUnchecked = record.toolsCalled;
    in.get("simulated", record.simulated);
}

}  // namespace

Result<DecisionRecord> decodeRecord(std::string_view json) {
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(json.data(), json.size()).get(object) != simdjson::SUCCESS)
        return fail(ErrorKind::badInput, "this is not a decision record: not one JSON object", {},
                    "A record is one line as `signalboxctl history --json` prints it.");
    std::string firstBad;
    Members in(object, firstBad);
    DecisionRecord record;
    getOrigin(in, record);
    getFeatures(in, record.features);
    if (record.edge == Edge::anthropic) record.features.dialect = classify::Dialect::anthropic;
    getDecision(in, record);
    in.getObject("group", [&](Members& members) { getGroup(members, record.group.emplace()); });
    in.getObject("pool", [&](Members& members) { getPool(members, record.pool.emplace()); });
    getOutcome(in, record);
    if (!firstBad.empty())
        return fail(ErrorKind::badInput, "the decision record has no usable \"" + firstBad + "\"", "/" + firstBad,
                    "It may come from another version of Signalbox.");
    return record;
}

}  // namespace signalbox::evidence
