// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/ids.h"
#include "router/classify/features.h"
#include "router/policy/resolve.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::evidence {

enum class Origin : std::uint8_t { traffic, probe, simulation, demo };
enum class Edge : std::uint8_t { openai, anthropic };
/// How the request ended for its client.
enum class Outcome : std::uint8_t { served, failed, refused, cancelled };
enum class AttemptRole : std::uint8_t { primary, retry, hedge, probe };
enum class AttemptOutcome : std::uint8_t { served, failed, refused, cancelled };

[[nodiscard]] std::string_view toString(Origin value);
[[nodiscard]] std::string_view toString(Edge value);
[[nodiscard]] std::string_view toString(Outcome value);
[[nodiscard]] std::string_view toString(AttemptRole value);
[[nodiscard]] std::string_view toString(AttemptOutcome value);
[[nodiscard]] std::optional<Origin> parseOrigin(std::string_view word);
[[nodiscard]] std::optional<Edge> parseEdge(std::string_view word);
[[nodiscard]] std::optional<Outcome> parseOutcome(std::string_view word);
[[nodiscard]] std::optional<AttemptRole> parseAttemptRole(std::string_view word);
[[nodiscard]] std::optional<AttemptOutcome> parseAttemptOutcome(std::string_view word);

/// One try at one endpoint. Times are milliseconds since the request was admitted.
struct Attempt {
    std::string endpointId;
    AttemptRole role = AttemptRole::primary;
    AttemptOutcome outcome = AttemptOutcome::failed;
    int status = 0;           ///< upstream's HTTP status, 0 when none came
    std::string reason;       ///< `connect_timeout`, `status_500`, `client_gone`, …; empty when served
    double startedMs = 0;
    std::optional<double> firstContentMs;
    double endedMs = 0;
    std::optional<std::uint64_t> inputTokens, outputTokens;  ///< as the upstream counted, also for a leg that lost
    std::optional<double> costUsd;  ///< estimate; a cancelled leg counts what it had been sent so far
    std::string leftOut{};  ///< field of the request that this upstream was not told although the answer may differ for it: `strict`
    bool operator==(const Attempt&) const = default;
};

/// Why one rule did or did not match, as recorded at the time (the table may have changed since).
struct RecordedRule {
    std::uint32_t ruleIndex = 0;
    std::string presetKey;
    std::string verdict;  ///< words of policy::RuleVerdict
    bool operator==(const RecordedRule&) const = default;
};

/// One candidate of a smart group as it stood when the decision was made: the raw inputs, so that a changed policy can
/// decide again. What was not measured, because the candidate was cut before, is 0.
struct RecordedCandidate {
    std::string endpointId;
    std::string cut;          ///< words of policy::smart::Cut; empty when eligible
    double quality = 0;       ///< prior in 0..1
    double latencyMs = 0;     ///< blended, estimate
    double costUsd = 0;       ///< of this request, estimate
    double reliability = 0;   ///< in 0..1
    double affinity = 0;      ///< weighted, in 0..0.02
    double score = 0;         ///< unrounded
    std::vector<std::string> missing;  ///< words of policy::smart::Capability that it lacks for this request
    bool operator==(const RecordedCandidate&) const = default;
};

/// What a smart group answered for one request.
struct RecordedGroup {
    static constexpr std::size_t kMostCandidates = 16;

    std::string groupId;
    std::string profile;       ///< that was used
    std::string selected;      ///< `provider:model` tried first; empty when the group refused
    std::string recommended;   ///< with the best score
    std::uint32_t candidateCount = 0;  ///< eligible ones
    double selectedScore = 0, recommendedScore = 0;  ///< four decimals
    std::vector<std::string> reasons;  ///< at most 16, words of policy::smart::Reason
    bool sessionAffinity = false;
    bool shadowDisagreement = false;
    std::string affinity;      ///< words of policy::smart::AffinityResult
    std::string affinityFavourite;     ///< endpoint that the session leans to; empty without a session
    std::string decidingTerm;  ///< quality, cost, latency, reliability or affinity: why the recommended one beat the selected one; empty when they are the same
    std::uint32_t bucket = 0;  ///< canary bucket, 0..99
    std::uint32_t activationPercent = 0;
    std::array<double, 4> weights{};   ///< quality, cost, latency, reliability
    double minLatencyMs = 0, maxLatencyMs = 0, minCostUsd = 0, maxCostUsd = 0;  ///< over the eligible ones
    std::uint64_t inputTokens = 0, outputTokens = 0;  ///< planning sizes, estimates
    std::uint32_t candidatesTotal = 0; ///< of the group; more than `candidates` holds when the list was cut
    std::vector<RecordedCandidate> candidates;        ///< in configured order, selected and recommended always among them
    bool operator==(const RecordedGroup&) const = default;
};

/// One endpoint of a pool as its router weighed it. What the strategy does not use is left at its default.
struct RecordedPoolCandidate {
    std::string endpointId;
    std::string excluded;             ///< why it could not take the request, in the strategy's words; empty when it could
    std::optional<double> costUsd;    ///< effective cost of this request, estimate
    std::optional<double> meanTtftMs; ///< of its latency profile, or what stands for none
    double share = 0;                 ///< chance of being drawn, 0..1
    bool operator==(const RecordedPoolCandidate&) const = default;
};

/// How a pool's router chose, for one request.
struct RecordedPool {
    static constexpr std::size_t kMostCandidates = 16;

    std::string poolId;      ///< the model of `[models]`
    std::string router;      ///< fixed, routewise, greedy, hybrid
    std::string drawn;       ///< endpoint that was to serve first; empty when none could
    std::vector<RecordedPoolCandidate> candidates;  ///< the drawn one always among them
    std::uint32_t candidatesTotal = 0;
    std::string affinity;    ///< none, kept, dropped:REASON, new: what a session's earlier endpoint meant (F63, F65)
    // RouteWise
    std::string mixStatus;   ///< words of strategy::routewise::MixStatus
    std::optional<double> budgetUsd, expectedCostUsd, objectiveS;
    double predictedOutputTokens = 0;
    std::string hedge;       ///< disabled, answered, not_acceptable, no_backup, spend_cap, refused, lost, won, failed
    std::optional<double> hedgeAtMs;  ///< when the backup was sent, after the primary
    // Greedy
    std::string admission;   ///< words of strategy::admission::Reason
    std::optional<double> predictedTtftMs, predictedTpotMs;
    bool operator==(const RecordedPool&) const = default;
};

/// Everything kept about one admitted request. Never content, never a raw session id, never a key.
struct DecisionRecord {
    DecisionId id;
    Timestamp createdAt{};
    Origin origin = Origin::traffic;
    std::string target;
    std::string environment;
    std::string clientRequestId;  ///< bounded; empty when the client sent none
    std::string principal;        ///< pseudonymous id
    std::string team;
    Edge edge = Edge::openai;

    std::string requestedModel;
    std::string resolvedBy;  ///< words of policy::ResolvedBy; empty when nothing resolved
    std::string policyHash;
    std::string tableSha256;
    std::string policyVersion;
    std::string mode;        ///< off_static, shadow, active, canary_control; empty for requests without a group

    classify::RequestFeatures features;  ///< `model` repeats requestedModel
    std::optional<std::string> family;
    std::optional<std::uint32_t> ruleIndex;
    std::optional<std::string> presetKey;  ///< preset that served, natural ones included
    std::string reason;                    ///< rule, default_for_family, unknown_family; empty when no table was asked
    std::string nullCause;
    std::string naturalBy;
    std::string coverage;                  ///< rule, default, gap, none
    std::optional<std::uint32_t> gapIndex;
    std::vector<RecordedRule> rules;
    std::optional<RecordedGroup> group;    ///< when a smart group was asked
    std::optional<RecordedPool> pool;      ///< when a pool's router chose the endpoint

    std::string endpointId;  ///< that answered; empty when none did
    std::vector<Attempt> attempts;
    std::string whyNoFallback;             ///< words of strategy::FallbackVerdict when the last attempt failed (F50)
    Outcome outcome = Outcome::served;
    int status = 200;        ///< what the client got
    std::string errorCode;   ///< our code when not served

    double queueMs = 0;
    double decideUs = 0;     ///< classification and decision, microseconds
    std::optional<double> firstContentMs;
    double totalMs = 0;
    std::optional<std::uint64_t> inputTokens, cachedTokens, outputTokens;  ///< as the upstream counted
    std::optional<double> costUsd;  ///< estimate
    std::uint32_t toolsCalled = 0;
    bool simulated = false;  ///< answered by the simulated adapter
    // Of `toolsCalled`: how many had arguments that are JSON, that the offered schema accepts, that could not be checked.
    std::uint32_t toolsValidJson = 0, toolsFitSchema = 0, toolsUnchecked = 0;
};

/// One line of JSON without newline, members always in the same order; what the journal, `history --json` and the
/// receipt's copy hold. Members that say no more than the defaults above are left out; `id`, `created_at`, the three
/// words of the cell, `outcome`, `status` and `total_ms` never are.
[[nodiscard]] std::string encodeRecord(const DecisionRecord& record);
/// The same, appended.
void encodeRecord(const DecisionRecord& record, std::string& out);
/// Absent members mean the defaults.
[[nodiscard]] Result<DecisionRecord> decodeRecord(std::string_view json);

}  // namespace signalbox::evidence
