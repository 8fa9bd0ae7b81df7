// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/event.h"
#include "ui/theme/theme.h"

#include <QString>

/// How the console speaks of what happened to a gateway; the same on every chart and in every list.
namespace signalbox::ui::words {

[[nodiscard]] QString eventKind(evidence::EventKind kind);  ///< "Policy applied"
[[nodiscard]] Tone eventTone(const evidence::Event& event);
/// What happened and to what, in brief: "Circuit opened: deepseek:v4", "Kill switch on".
[[nodiscard]] QString eventTitle(const evidence::Event& event);
/// A person as they are called: "ada@ops-1"; empty for the gateway itself and where nobody is named.
[[nodiscard]] QString actorWords(std::string_view actor);
/// Everything, with local time and target: "Thu 26 Nov 03:14:09 · Circuit opened: deepseek:v4 · prod-a · It gets no …"
[[nodiscard]] QString eventLine(const evidence::Event& event);

}  // namespace signalbox::ui::words
