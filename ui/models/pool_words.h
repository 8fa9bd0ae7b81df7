// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QString>

#include <optional>
#include <string_view>
#include <vector>

/// How the console speaks of pools and of what their routers did, on every page. All take the word that views and
/// records use; an unknown one, of a newer version, comes back as it is.
namespace signalbox::ui::words {

[[nodiscard]] QString router(std::string_view router);      ///< fixed, routewise, greedy, hybrid: "RouteWise"
[[nodiscard]] QString routerHelp(std::string_view router);  ///< how it chooses, one sentence
[[nodiscard]] bool isExperimental(std::string_view router);
/// Why an endpoint of a pool could not take a request: "its circuit is open", "lacks vision".
[[nodiscard]] QString excluded(std::string_view reason);
[[nodiscard]] QString mixStatus(std::string_view status);   ///< routewise::MixStatus, a sentence
[[nodiscard]] Tone mixTone(std::string_view status);
[[nodiscard]] QString hedge(std::string_view hedge);        ///< what came of a backup request
[[nodiscard]] Tone hedgeTone(std::string_view hedge);
[[nodiscard]] QString admission(std::string_view reason);   ///< admission::Reason: "the local server took it"
[[nodiscard]] Tone admissionTone(std::string_view reason);
[[nodiscard]] QString poolAffinity(std::string_view word);  ///< what a session's earlier endpoint meant
[[nodiscard]] QString ttftBasis(std::string_view basis);    ///< recent, prior, none
[[nodiscard]] QString predictionSource(std::string_view source);
[[nodiscard]] QString billing(std::string_view billing);
[[nodiscard]] QString routeKind(std::string_view kind);
[[nodiscard]] QString circuit(std::string_view state);      ///< closed, open, half_open
[[nodiscard]] QString openCause(std::string_view cause);    ///< capacity::OpenCause: "failed again and again"

/// "0.000412": US dollars of one request with enough digits; "–" when there is none.
[[nodiscard]] QString usd(std::optional<double> dollars);
/// Whole percents that total 100 where the shares total 1; all 0 where none has a share. By largest remainder.
[[nodiscard]] std::vector<int> percents(const std::vector<double>& shares);

}  // namespace signalbox::ui::words
