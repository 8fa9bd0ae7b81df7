// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/greedy/greedy_router.h"
#include "tests/router/strategy/composition_bench.h"

#include <nlohmann/json.hpp>

namespace signalbox::test {

/// What the tests' local server can do: a request of the bench (1000 tokens in, at most 100 out) has its first token
/// after 1 s, takes 10 ms for each further one, and is 2 s of work.
inline nlohmann::json measuredProfile() {
    return {{"prefill_tokens_per_s", 1000}, {"decode_tokens_per_s", 100}, {"max_running_requests", 8},
            {"max_reserved_tokens", 20000}, {"max_work_s", 100}, {"ttft_deadline_s", 5}};
}

/// A greedy pool over the given endpoints; `changes` replaces parameters, null removes one.
struct GreedyBench : CompositionBench {
    explicit GreedyBench(std::vector<PoolEndpoint> which, const nlohmann::json& changes = nlohmann::json::object())
        : CompositionBench(std::move(which)) {
        nlohmann::json parameters = measuredProfile();
        parameters.merge_patch(changes);
        model().router = config::RouterKind::greedy;
        model().parametersJson = parameters.dump();
        adjust = [](dispatch::RequestRun& run) { run.maxTokens = 100; };
    }
};

/// The ledger of a local endpoint that names no slots.
inline capacity::LocalLoad loadOf(const CompositionBench& bench, const std::string& provider = "l0") {
    return bench.process->locals.of("endpoint " + provider + ":m")->load(bench.clock.steady());
}

inline std::vector<PoolEndpoint> oneOfEach(Act local = serves(), Act cloud = serves()) {
    return {{"l0", config::RouteKind::local, std::move(local)}, {"c0", config::RouteKind::cloud, std::move(cloud)}};
}

}  // namespace signalbox::test
