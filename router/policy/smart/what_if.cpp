// SPDX-License-Identifier: MIT
#include "router/policy/smart/what_if.h"

#include "router/policy/smart/score.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace signalbox::policy::smart {
namespace {

constexpr std::array kSettable{Term::quality, Term::cost, Term::latency, Term::reliability};

double& valueOf(CandidateTerms& terms, Term term) {
    switch (term) {
    case Term::quality: return terms.quality;
    case Term::cost: return terms.costUsd;
    case Term::latency: return terms.latencyMs;
    case Term::reliability: return terms.reliability;
    case Term::affinity: break;
    }
    return terms.affinity;
}

/// The best that the value can become.
double bestOf(Term term) { return term == Term::quality || term == Term::reliability ? 1 : 0; }

/// One losing candidate, scored again with other values.
class Trial {
public:
    Trial(const Plan& plan, std::uint16_t candidate)
        : m_terms(plan.candidates), m_weights(plan.weights), m_candidate(candidate) {}

    std::optional<Flip> flip(Term term) {
        double& value = valueOf(m_terms[m_candidate], term);
        const double from = value;
        const std::optional<double> to = nearestWinning(value, from, bestOf(term));
        value = from;
        if (!to) return std::nullopt;
        const double scale = term == Term::quality || term == Term::reliability ? 1 : from;
        return Flip{term, from, *to, std::abs(*to - from) / scale};
    }

private:
    // A better value never makes a candidate lose: it raises its own term and, by moving the extremes, lowers those
    // of the others. So there is one border, and halving finds it.
    std::optional<double> nearestWinning(double& value, double losing, double winning) {
        value = winning;
        if (!wins()) return std::nullopt;
        constexpr int kHalvings = 60;
        for (int i = 0; i < kHalvings; ++i) {
            value = losing + (winning - losing) / 2;
            if (value == losing || value == winning) break;
            (wins() ? winning : losing) = value;
        }
        return winning;
    }

    bool wins() {
        scoreAll(m_terms, extremesOf(m_terms), m_weights);
        return recommendedOf(m_terms) == m_candidate;
    }

    std::vector<CandidateTerms> m_terms;
    const Weights& m_weights;
    std::uint16_t m_candidate;
};

}  // namespace

std::string_view toString(Term term) {
    switch (term) {
    case Term::quality: return "quality";
    case Term::cost: return "cost";
    case Term::latency: return "latency";
    case Term::reliability: return "reliability";
    case Term::affinity: return "affinity";
    }
    return {};
}

Term decidingTerm(const CandidateTerms& winner, const CandidateTerms& loser, const Weights& weights) {
    const auto won = contributions(winner, weights);
    const auto lost = contributions(loser, weights);
    std::size_t best = 0;
    for (std::size_t i = 1; i < won.size(); ++i)
        if (won[i] - lost[i] > won[best] - lost[best]) best = i;
    return static_cast<Term>(best);
}

std::uint16_t choiceUnder(const Plan& plan, const Weights& weights) {
    std::vector<CandidateTerms> terms = plan.candidates;
    scoreAll(terms, plan.extremes, weights);
    return *recommendedOf(terms);  // a plan has an eligible candidate
}

std::vector<Flip> flipsFor(const Plan& plan, std::uint16_t candidate) {
    assert(candidate < plan.candidates.size());
    std::vector<Flip> out;
    if (candidate == plan.recommended || !plan.candidates[candidate].eligible()) return out;
    Trial trial(plan, candidate);
    for (const Term term : kSettable)
        if (const auto flip = trial.flip(term)) out.push_back(*flip);
    std::stable_sort(out.begin(), out.end(), [](const Flip& a, const Flip& b) { return a.effort < b.effort; });
    return out;
}

}  // namespace signalbox::policy::smart
