// SPDX-License-Identifier: MIT
#include "router/strategy/admission/validate.h"

#include "router/base/text.h"

#include <algorithm>
#include <cmath>

namespace signalbox::strategy::admission {
namespace {

/// Collects the first fault of one record.
class Checks {
public:
    explicit Checks(std::string record) : m_record(std::move(record)) {}

    Checks& positive(const char* field, double value) {
        return require(std::isfinite(value) && value > 0, field, "must be a number above 0");
    }
    Checks& notNegative(const char* field, double value) {
        return require(std::isfinite(value) && value >= 0, field, "must be a number of at least 0");
    }
    Checks& tokens(const char* field, std::int64_t value) {
        return require(value >= 0 && value <= kMostTokens, field, "must be a whole number from 0 to 10^12");
    }
    Checks& require(bool good, const char* field, const char* rule) {
        if (good || m_fault) return *this;
        m_fault.emplace();
        m_fault->code = "bad_value";
        m_fault->pointer = m_record + "." + field;
        m_fault->message = std::string(field) + " " + rule;
        m_fault->hint = "Correct this value";
        return *this;
    }
    [[nodiscard]] const std::optional<Finding>& fault() const { return m_fault; }

private:
    std::string m_record;
    std::optional<Finding> m_fault;
};

std::optional<Finding> firstFault(const Request& request) {
    return Checks("candidate")
        .require(!request.requestId.empty(), "request_id", "must not be empty")
        .notNegative("arrival_s", request.arrivalS)
        .require(std::isfinite(request.deadlineS) && request.deadlineS >= request.arrivalS, "deadline_s",
                 "must not lie before the arrival")
        .tokens("prompt_tokens", request.promptTokens)
        .tokens("uncached_prefill_tokens", request.uncachedPrefillTokens)
        .require(request.uncachedPrefillTokens <= request.promptTokens, "uncached_prefill_tokens",
                 "must not exceed prompt_tokens")
        .tokens("estimated_output_tokens", request.estimatedOutputTokens)
        .notNegative("estimated_remote_cost", request.estimatedRemoteCost)
        .fault();
}

std::optional<Finding> duplicateId(std::span<const Request> requests) {
    std::vector<std::string_view> ids;
    ids.reserve(requests.size());
    for (const Request& request : requests) ids.push_back(request.requestId);
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice == ids.end()) return std::nullopt;
    Finding finding;
    finding.code = "duplicate_request_id";
    finding.pointer = "candidate.request_id";
    finding.message = "two requests are named \"" + elided(*twice, 64) + "\"";
    finding.hint = "Give every waiting request its own id";
    return finding;
}

}  // namespace

std::optional<Finding> firstFault(const Profile& profile) {
    Checks checks("profile");
    checks.positive("prefill_tokens_per_s", profile.prefillTokensPerS)
        .positive("decode_tokens_per_s", profile.decodeTokensPerS)
        .tokens("max_running_requests", profile.maxRunningRequests)
        .tokens("max_reserved_tokens", profile.maxReservedTokens)
        .positive("max_work_s", profile.maxWorkS)
        .notNegative("ttft_overhead_s", profile.ttftOverheadS)
        .notNegative("decode_interference", profile.decodeInterference)
        .require(profile.knapsackWindow >= 1 && profile.knapsackWindow <= 20, "knapsack_window",
                 "must be a whole number from 1 to 20");
    if (profile.maxPredictedTpotS) checks.positive("max_predicted_tpot_s", *profile.maxPredictedTpotS);
    if (profile.starvationS) checks.notNegative("starvation_s", *profile.starvationS);
    return checks.fault();
}

std::optional<Finding> firstFault(const Load& load) {
    return Checks("snapshot")
        .tokens("running_requests", load.runningRequests)
        .tokens("reserved_tokens", load.reservedTokens)
        .tokens("remaining_prefill_tokens", load.remainingPrefillTokens)
        .tokens("remaining_decode_tokens", load.remainingDecodeTokens)
        .fault();
}

std::optional<Finding> firstFault(std::span<const Request> requests) {
    for (const Request& request : requests)
        if (auto fault = firstFault(request)) return fault;
    return duplicateId(requests);
}

}  // namespace signalbox::strategy::admission
