// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/pool.h"

#include "router/strategy/routewise/member_terms.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy::routewise {

namespace {

/// Two sets of options that differ have two keys.
std::string keyOf(const Parameters& parameters) {
    const capacity::OutputPredictorOptions& output = parameters.output;
    const capacity::CostEnvelopeOptions& envelope = parameters.envelope;
    const capacity::LatencyProfileOptions& latency = parameters.latency;
    std::string key;
    for (const double part :
         {output.defaultOutput, static_cast<double>(output.minBucketSamples), static_cast<double>(output.minModelSamples),
          static_cast<double>(output.minGlobalSamples), envelope.lowerPercentile, envelope.upperPercentile,
          envelope.window.count(), static_cast<double>(envelope.minSamples), static_cast<double>(latency.window.count()),
          static_cast<double>(latency.priorWindow.count()), static_cast<double>(latency.maxSamples),
          static_cast<double>(latency.unprofiledTtft.count())})
        key += std::to_string(part) + " ";
    return key;
}

double usd(const OnDemandTerms& price, double inputTokens, double outputTokens) {
    return (price.priceIn * inputTokens + price.priceOut * outputTokens) / 1e6;
}

}  // namespace

/// Learns from one attempt what the pool wants to know beside its profile.
class Teacher final : public AttemptObserver {
public:
    Teacher(std::shared_ptr<const Pool> pool, std::size_t member, std::uint64_t promptTokens, Streams streams)
        : m_pool(std::move(pool)), m_member(member), m_promptTokens(promptTokens), m_streams(std::move(streams)) {}

    void firstContent(double ms) override {
        if (!*m_streams) return;
        const auto ttft = std::chrono::round<std::chrono::microseconds>(std::chrono::duration<double, std::milli>(ms));
        m_pool->m_streamProfiles[m_member]->addFirstContent(m_pool->m_clock.steady(), ttft);
    }
    void failed() override {
        if (*m_streams) m_pool->m_streamProfiles[m_member]->addFailure(m_pool->m_clock.steady());
    }
    void served(const dispatch::Usage& usage) override {
        if (!usage.outputTokens) return;
        // Predictions are asked with the estimate of the prompt, so they are taught with it.
        m_pool->m_learning->predictor.update(m_pool->m_id, m_promptTokens, static_cast<std::int64_t>(*usage.outputTokens));
        const auto cost = m_pool->apiPrice(m_member, static_cast<double>(usage.inputTokens.value_or(m_promptTokens)),
                                           static_cast<double>(*usage.outputTokens));
        if (cost) m_pool->m_learning->envelope.observe(m_pool->m_clock.steady(), *cost);
    }

private:
    std::shared_ptr<const Pool> m_pool;
    std::size_t m_member;
    std::uint64_t m_promptTokens;
    Streams m_streams;
};

Pool::Pool(const PoolSpec& spec, const Parameters& parameters, const RouterContext& context)
    : m_id(spec.model.id), m_aliases(spec.model.aliases), m_parameters(parameters),
      m_members(poolMembers(spec.model, context)),
      m_learning(context.process->pools.of(m_id, keyOf(parameters),
                                           {parameters.output, parameters.envelope, parameters.latency})),
      m_hedges(context.process->pools.hedgesOf(m_id)), m_clock(context.clock) {
    for (const PoolMember& member : m_members) {
        m_profiles.push_back(m_learning->profiles.of(member.id));
        // No endpoint id ends so: a model's name has no line break.
        m_streamProfiles.push_back(m_learning->profiles.of(member.id + "\nstream"));
        const config::Provider* provider = context.config.findProvider(member.route.provider);
        m_tokensFields.push_back(provider == nullptr ? config::TokensField::asSent : provider->maxTokensField);
    }
}

std::optional<std::size_t> Pool::find(std::string_view endpointId) const {
    const auto found = std::find_if(m_members.begin(), m_members.end(), [&](const PoolMember& one) { return one.id == endpointId; });
    if (found == m_members.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_members.begin());
}

Choice Pool::choose(const Question& question, const std::vector<std::string>& barred, double u, Steady now,
                    bool anyway) const {
    Choice out;
    out.prediction = m_learning->predictor.predict(m_id, question.promptTokens, question.maxTokens);
    out.input = {question.promptTokens, out.prediction.tokens, bounds(question, out.prediction.tokens, now)};
    std::vector<Candidate> candidates;
    std::vector<std::size_t> positions;
    candidates.reserve(m_members.size());
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        const PoolMember& member = m_members[i];
        Weighed& weighed = out.members.emplace_back();
        weighed.mean = m_profiles[i]->mean(now);
        weighed.excluded = barred[i].empty() ? whyNotNow(member, now) : barred[i];
        if (!weighed.excluded.empty()) continue;
        const bool closed = anyway || !member.member.endpoint.circuit()->isCooling(now);
        candidates.push_back({member.id, termsOf(member, now), closed, weighed.mean.seconds()});
        positions.push_back(i);
    }
    const Selection selection = select(candidates, out.input, m_parameters.budgetAlpha, u);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        Weighed& weighed = out.members[positions[i]];
        if (const auto* cost = std::get_if<EffectiveCost>(&selection.priced[i])) weighed.costUsd = cost->costUsd;
        else weighed.excluded = toString(std::get<Exclusion>(selection.priced[i]));
    }
    out.mix = selection.mix;
    for (std::size_t i = 0; i < out.mix.support; ++i) {
        MixShare& share = out.mix.shares[i];
        share.candidate = positions[share.candidate];
        out.members[share.candidate].share = share.probability;
    }
    if (selection.drawn) out.drawn = positions[*selection.drawn];
    return out;
}

AttemptTerms Pool::terms(std::size_t member, const Question& question, Streams streams) const {
    AttemptTerms out;
    out.profiles.push_back(m_profiles[member]);
    out.observers.push_back(std::make_shared<Teacher>(shared_from_this(), member, question.promptTokens, std::move(streams)));
    return out;
}

AttemptTerms Pool::probeTerms(std::size_t member) const {
    AttemptTerms out;
    out.role = evidence::AttemptRole::probe;
    out.profiles = {m_profiles[member], m_streamProfiles[member]};
    return out;
}

void Pool::countSlowProbe(std::size_t member) const {
    for (const auto& profile : {m_profiles[member], m_streamProfiles[member]}) profile->addFailure(m_clock.steady());
}

std::shared_ptr<const capacity::TtftDistribution> Pool::streamTimes(std::size_t member, Steady now) const {
    return m_streamProfiles[member]->distribution(now);
}

std::optional<double> Pool::priceOf(std::size_t member, double inputTokens, double outputTokens) const {
    const auto price = tokenPriceOf(m_members[member]);
    if (!price) return std::nullopt;
    return usd(*price, inputTokens, outputTokens);
}

// Without the second part a pool that nobody pays per token could never begin: nothing is served before the envelope is
// known, and nothing is learned before something was served. The bounds of a single cost are those of choice R4.
std::optional<capacity::CostBounds> Pool::bounds(const Question& question, double outputTokens, Steady now) const {
    if (auto learned = m_learning->envelope.bounds(now)) return learned;
    if (!m_parameters.referenceApiPrice) return std::nullopt;
    const double cost = usd(*m_parameters.referenceApiPrice, static_cast<double>(question.promptTokens), outputTokens);
    return capacity::CostBounds{cost / 1000, cost, 0};
}

// What the request would have cost where tokens are paid for: the prices between which a quota's shadow price moves.
std::optional<double> Pool::apiPrice(std::size_t member, double inputTokens, double outputTokens) const {
    if (auto own = priceOf(member, inputTokens, outputTokens)) return own;
    if (m_parameters.referenceApiPrice) return usd(*m_parameters.referenceApiPrice, inputTokens, outputTokens);
    std::optional<double> cheapest;
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        const auto price = priceOf(i, inputTokens, outputTokens);
        if (price && (!cheapest || *price < *cheapest)) cheapest = price;
    }
    return cheapest;
}

}  // namespace signalbox::strategy::routewise
