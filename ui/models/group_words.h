// SPDX-License-Identifier: MIT
#pragma once

#include "ui/theme/theme.h"

#include <QString>

#include <string_view>

/// How the console speaks of smart groups, on every page. All take the word that records and the router use
/// (toString of the enum named); an unknown one, of a newer version's record, comes back as it is.
namespace signalbox::ui::words {

[[nodiscard]] QString term(std::string_view term);              ///< smart::Term: "quality"
/// The same as the reason why one candidate beat another: "cheaper", "faster by the hint", "session".
[[nodiscard]] QString decidedBy(std::string_view term);
[[nodiscard]] QString cut(std::string_view cut);                ///< smart::Cut: "cooling down"
[[nodiscard]] QString cutHelp(std::string_view cut);            ///< what mends it, one sentence
[[nodiscard]] QString capability(std::string_view key);         ///< smart::Capability: "vision"
[[nodiscard]] QString profile(std::string_view profile);        ///< smart::Profile, or `explicit`
[[nodiscard]] QString mode(std::string_view mode);              ///< smart::ServedMode: "shadow"
[[nodiscard]] QString modeHelp(std::string_view mode);          ///< what the mode does to a request
[[nodiscard]] Tone modeTone(std::string_view mode);
[[nodiscard]] QString affinity(std::string_view result);        ///< smart::AffinityResult: "followed"
[[nodiscard]] Tone affinityTone(std::string_view result);
[[nodiscard]] QString groupReason(std::string_view reason);     ///< smart::Reason
[[nodiscard]] QString whyNoFallback(std::string_view verdict);  ///< strategy::FallbackVerdict (F50)

}  // namespace signalbox::ui::words
