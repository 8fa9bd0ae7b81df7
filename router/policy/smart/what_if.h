// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/plan.h"

namespace signalbox::policy::smart {

/// The parts of a score, in the order of `contributions`.
enum class Term : std::uint8_t { quality, cost, latency, reliability, affinity };
[[nodiscard]] std::string_view toString(Term term);

/// The term that speaks most for `winner` against `loser`; of equal ones the first. Groups disagreements by cause.
[[nodiscard]] Term decidingTerm(const CandidateTerms& winner, const CandidateTerms& loser, const Weights& weights);

/// The candidate that the same request would have been recommended under other weights, say another profile's.
[[nodiscard]] std::uint16_t choiceUnder(const Plan& plan, const Weights& weights);

/// A change of one value of one losing candidate that would make it the recommended one.
struct Flip {
    Term term = Term::quality;  ///< never affinity, which nobody can set
    double from = 0;            ///< quality and reliability in 0..1, latency in ms, cost in USD of this request
    double to = 0;              ///< the nearest value that does it
    double effort = 0;          ///< how far that is, as a share of the scale or of the present value
};

/// The least effort first; empty for the recommended candidate, for cut ones, and where no single value is enough.
/// Takes microseconds for each candidate of the group, for people and not for the request path.
[[nodiscard]] std::vector<Flip> flipsFor(const Plan& plan, std::uint16_t candidate);

}  // namespace signalbox::policy::smart
