// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/hedge_ledger.h"
#include "router/capacity/pool_learning.h"
#include "router/strategy/attempt.h"
#include "router/strategy/pool_members.h"
#include "router/strategy/routewise/parameters.h"
#include "router/strategy/routewise/selection.h"

#include <memory>
#include <string>
#include <vector>

namespace signalbox::strategy::routewise {

/// The sizes of one request.
struct Question {
    std::uint64_t promptTokens = 0;          ///< estimate
    std::optional<std::uint64_t> maxTokens;  ///< the request's own cap
};

/// A member of the pool as it was weighed for one request.
struct Weighed {
    std::string excluded;           ///< why it takes no part in the mix; empty when it does
    std::optional<double> costUsd;  ///< effective cost of the request
    capacity::MeanTtft mean;
    double share = 0;               ///< chance of being drawn
};

struct Choice {
    std::vector<Weighed> members;  ///< one for each member of the pool
    Mix mix;                       ///< its candidates are positions among the members
    PricingInput input;
    capacity::OutputPrediction prediction;
    std::optional<std::size_t> drawn;  ///< position among the members
};

/// Whether the request asks for a stream: known only once its body was made for an endpoint. Of a whole body the first
/// content is also its end, which says nothing about the time to a first token.
using Streams = std::shared_ptr<const bool>;

/// What RouteWise knows of one pool: its members, what is learned about them, and how to choose among them now.
/// Immutable but for what it learns; thread safe.
class Pool : public std::enable_shared_from_this<Pool> {
public:
    Pool(const PoolSpec& spec, const Parameters& parameters, const RouterContext& context);

    [[nodiscard]] const std::string& id() const { return m_id; }
    [[nodiscard]] const std::vector<std::string>& aliases() const { return m_aliases; }
    [[nodiscard]] const std::vector<PoolMember>& members() const { return m_members; }
    [[nodiscard]] const Parameters& parameters() const { return m_parameters; }
    [[nodiscard]] const Clock& clock() const { return m_clock; }
    [[nodiscard]] capacity::HedgeLedger& hedges() const { return *m_hedges; }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view endpointId) const;

    /// Weighs all members and draws with `u` in [0, 1). `barred` says of each member why it cannot be asked, empty when it
    /// can. `anyway` takes open circuits for closed, for the last resort. Takes nothing.
    [[nodiscard]] Choice choose(const Question& question, const std::vector<std::string>& barred, double u, Steady now,
                                bool anyway = false) const;

    /// What an attempt at the member teaches.
    [[nodiscard]] AttemptTerms terms(std::size_t member, const Question& question, Streams streams) const;
    /// What a probe teaches: times, but no lengths and no costs.
    [[nodiscard]] AttemptTerms probeTerms(std::size_t member) const;
    /// A probe that was given up on: counts as a failed attempt does.
    void countSlowProbe(std::size_t member) const;
    [[nodiscard]] std::optional<Steady> newestSample(std::size_t member) const { return m_profiles[member]->newest(); }
    /// How the member's provider wants to be told the output cap.
    [[nodiscard]] config::TokensField tokensField(std::size_t member) const { return m_tokensFields[member]; }
    /// Times to first content of streams only; what hedging plans with. Never null.
    [[nodiscard]] std::shared_ptr<const capacity::TtftDistribution> streamTimes(std::size_t member, Steady now) const;
    /// USD that the member's provider asks for so many tokens; nullopt where tokens are not what is paid for.
    [[nodiscard]] std::optional<double> priceOf(std::size_t member, double inputTokens, double outputTokens) const;

private:
    friend class Teacher;
    /// What requests usually cost; while that is not known, what the reference price makes of this one.
    [[nodiscard]] std::optional<capacity::CostBounds> bounds(const Question& question, double outputTokens, Steady now) const;
    [[nodiscard]] std::optional<double> apiPrice(std::size_t member, double inputTokens, double outputTokens) const;

    std::string m_id;
    std::vector<std::string> m_aliases;
    Parameters m_parameters;
    std::vector<PoolMember> m_members;
    std::shared_ptr<capacity::PoolLearning> m_learning;
    std::shared_ptr<capacity::HedgeLedger> m_hedges;
    std::vector<std::shared_ptr<capacity::LatencyProfile>> m_profiles;       // one for each member
    std::vector<std::shared_ptr<capacity::LatencyProfile>> m_streamProfiles; // likewise
    std::vector<config::TokensField> m_tokensFields;                         // likewise
    const Clock& m_clock;
};

}  // namespace signalbox::strategy::routewise
