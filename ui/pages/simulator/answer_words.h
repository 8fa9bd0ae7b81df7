// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/explain.h"
#include "ui/pages/simulator/simulation.h"

#include <QString>

namespace signalbox::ui {

/// Where a feature of a typed request came from: no client has set anything.
[[nodiscard]] QString saidByForm();

/// Why a candidate of the answer's group is tried first, later or not at all; a few words.
[[nodiscard]] QString candidateReason(const Simulated& answer, std::size_t candidate);
/// What mends a cut, for hover; empty for eligible candidates.
[[nodiscard]] QString candidateHelp(const Simulated& answer, std::size_t candidate);
/// "asks for short output and many at once"
[[nodiscard]] QString ruleReason(const policy::PolicySnapshot& policy, const policy::RuleExplanation& rule);

/// "latency from 1.2 s to 860 ms (28 % less)"
[[nodiscard]] QString flipText(const policy::smart::Flip& flip);
/// "0.0412 behind, mostly by cost. Smallest change that would turn it: quality from 0.70 to 0.78 (0.08 more)."
[[nodiscard]] QString whyNotText(const Simulated& answer, const WhyNot& why);
/// The least that would turn the result, a whole sentence: a mode, a percentage, a value, or an axis of a rule.
[[nodiscard]] QString smallestChange(const AskedRequest& asked, const Simulated& answer);
/// What each profile would recommend: "quality" and the endpoint. Empty without a group.
[[nodiscard]] std::vector<std::pair<QString, QString>> byProfile(const Simulated& answer);
/// A sentence that answers the page's question, and another one where keys, which are not known here, may decide otherwise.
[[nodiscard]] QString answerSentence(const AskedRequest& asked, const Simulated& answer);
/// "g26-default at lab_a:gemma-4-26b", or why there is none.
[[nodiscard]] QString resultText(const Simulated& answer);

}  // namespace signalbox::ui
