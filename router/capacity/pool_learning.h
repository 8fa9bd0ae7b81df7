// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/cost_envelope.h"
#include "router/capacity/hedge_ledger.h"
#include "router/capacity/latency_profiles.h"
#include "router/capacity/output_predictor.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace signalbox::capacity {

/// What the router of one pool learns: how long answers are, what requests cost, how fast each endpoint is.
struct PoolLearning {
    struct Options {
        OutputPredictorOptions output;
        CostEnvelopeOptions envelope;
        LatencyProfileOptions latency;
    };
    explicit PoolLearning(const Options& options)
        : predictor(options.output), envelope(options.envelope), profiles(options.latency) {}
    OutputPredictor predictor;
    CostEnvelope envelope;
    LatencyProfiles profiles;
};

/// Learning of all pools, by pool and by what the options were: a policy that changes them begins anew, one that does
/// not keeps what is known. Thread safe.
class PoolLearningBook {
public:
    /// `optionsKey` names the options (two that differ have two keys).
    [[nodiscard]] std::shared_ptr<PoolLearning> of(std::string_view poolId, std::string_view optionsKey,
                                                   const PoolLearning::Options& options);
    /// What the pool's hedging did and cost: no policy forgives spending.
    [[nodiscard]] std::shared_ptr<HedgeLedger> hedgesOf(std::string_view poolId);

private:
    struct Entry {
        std::string optionsKey;
        std::shared_ptr<PoolLearning> learning;
    };
    std::mutex m_mutex;
    std::map<std::string, Entry, std::less<>> m_pools;
    std::map<std::string, std::shared_ptr<HedgeLedger>, std::less<>> m_hedges;
};

}  // namespace signalbox::capacity
