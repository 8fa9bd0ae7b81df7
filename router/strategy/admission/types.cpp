// SPDX-License-Identifier: MIT
#include "router/strategy/admission/types.h"

#include "router/base/text.h"

#include <array>

namespace signalbox::strategy::admission {
namespace {

constexpr std::array kPolicies{Policy::allLocal, Policy::allApi,  Policy::concurrency, Policy::fifo,
                               Policy::greedy,   Policy::density, Policy::knapsack};

}  // namespace

std::string_view toString(Policy policy) {
    switch (policy) {
        case Policy::allLocal: return "all_local";
        case Policy::allApi: return "all_api";
        case Policy::concurrency: return "concurrency";
        case Policy::fifo: return "fifo";
        case Policy::greedy: return "greedy";
        case Policy::density: return "density";
        case Policy::knapsack: return "knapsack";
    }
    return "";
}

tl::expected<Policy, Finding> parsePolicy(std::string_view word) {
    std::vector<std::string> known;
    for (const Policy policy : kPolicies) {
        if (word == toString(policy)) return policy;
        known.emplace_back(toString(policy));
    }
    Finding finding;
    finding.code = "unknown_policy";
    finding.pointer = "policy";
    finding.message = "\"" + std::string(elided(word, 64)) + "\" is not an admission policy";
    const auto near = nearestName(word, known);
    finding.hint = near ? "Did you mean \"" + *near + "\"?"
                        : "Use all_local, all_api, concurrency, fifo, greedy, density or knapsack";
    return tl::unexpected(finding);
}

std::string_view toString(Reason reason) {
    switch (reason) {
        case Reason::concurrencyCapacity: return "concurrency_capacity";
        case Reason::tokenCapacity: return "token_capacity";
        case Reason::workCapacity: return "work_capacity";
        case Reason::ttftDeadline: return "ttft_deadline";
        case Reason::tpotCapacity: return "tpot_capacity";
        case Reason::notArrived: return "not_arrived";
        case Reason::baselineAllApi: return "baseline_all_api";
        case Reason::baselineAllLocal: return "baseline_all_local";
        case Reason::baselineConcurrency: return "baseline_concurrency";
        case Reason::admitted: return "admitted";
    }
    return "";
}

}  // namespace signalbox::strategy::admission
