// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/groups/candidate_rows.h"
#include "ui/widgets/cards/card_model.h"

namespace signalbox::ui {

// The limits of contract B, for counters; the validators of the file enforce them.
inline constexpr std::size_t kMostGroups = 128, kMostCandidatesOfGroup = 256, kMostCandidates = 1024;

/// The list of groups: aliases, number of candidates, profile and mode.
[[nodiscard]] std::vector<Card> groupCards(const config::GatewayConfig& config);
/// "3 of 256 candidates, 5 of 1,024 in all"
[[nodiscard]] QString candidateCounter(const config::GatewayConfig& config, const config::SmartGroup& group);
/// The answer to "are my priors still true?". `problem` tells why history could not say; empty when it could.
[[nodiscard]] QString priorsSentence(const std::vector<CandidateRow>& rows, std::chrono::seconds span, const QString& problem);

}  // namespace signalbox::ui
