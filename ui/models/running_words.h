// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/running_request.h"
#include "ui/theme/theme.h"

#include <QString>

/// The words and tones in which the console speaks of a request under way; the same on every page.
namespace signalbox::ui::words {

[[nodiscard]] QString stage(evidence::Stage stage);
[[nodiscard]] Tone stageTone(evidence::Stage stage);
/// "Sent to lab:m, nothing of the answer came yet; attempt 2"
[[nodiscard]] QString stageSentence(const evidence::RunningRequest& request);
/// Since it was admitted: "42 s"; whole seconds, for it counts on.
[[nodiscard]] QString age(const evidence::RunningRequest& request, Steady now);

}  // namespace signalbox::ui::words
