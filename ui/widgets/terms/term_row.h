// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/group.h"
#include "router/policy/smart/plan.h"

#include <QString>

#include <array>
#include <vector>

namespace signalbox::ui {

/// One candidate of a decision, as its bar shows it.
struct TermRow {
    QString endpointId;                 ///< `provider:model`
    policy::smart::CandidateTerms terms;  ///< raw inputs; only `cut` and `affinity` of a cut candidate
    std::array<double, 5> parts{};      ///< quality, cost, latency, reliability, affinity, as they add up to the score
    QString cut;                        ///< word of policy::smart::Cut; empty when eligible
    bool isSelected = false;            ///< tried first
    bool isRecommended = false;         ///< best score
    bool isFavourite = false;           ///< where the session leans to
    [[nodiscard]] bool isEligible() const { return cut.isEmpty(); }
};

/// A whole decision.
struct TermDecision {
    std::vector<TermRow> rows;  ///< in configured order
    policy::smart::Weights weights;
    std::size_t total = 0;      ///< candidates of the group; more than `rows` when a record was cut short
};

[[nodiscard]] TermDecision toTermDecision(const evidence::RecordedGroup& group);
[[nodiscard]] TermDecision toTermDecision(const policy::smart::Plan& plan, const policy::smart::Group& group);
/// Nothing is selected; every candidate says why it was cut.
[[nodiscard]] TermDecision toTermDecision(const policy::smart::Refusal& refusal, const policy::smart::Group& group);

/// "deepseek:flash, score 0.8123: quality 0.3080, cost 0.2410, … ; recommended": what a screen reader hears.
[[nodiscard]] QString sentenceOf(const TermRow& row);
/// Raw inputs behind a bar with their weights, a line each, marked "prior" and "estimate"; for hover.
[[nodiscard]] QString inputsOf(const TermRow& row, const policy::smart::Weights& weights);
/// "0.8123"; ranking uses all digits.
[[nodiscard]] QString scoreText(double score);
/// US dollars of one request: "0.000124 USD".
[[nodiscard]] QString costText(double usd);

}  // namespace signalbox::ui
