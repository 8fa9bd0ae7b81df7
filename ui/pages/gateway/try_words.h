// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/try_run.h"
#include "ui/theme/theme.h"

#include <QString>

namespace signalbox::ui {

/// What a try has come to, and how good that is.
struct TryWords {
    Tone tone = Tone::idle;
    QString text;
    bool operator==(const TryWords&) const = default;
};

/// "sim:m · preset qwen-k4 · decided by a rule"
[[nodiscard]] TryWords tryDecision(const engine::TryHead& head);
/// "Answered in 1.2 s: first token after 320 ms, 12 tokens in, 20 out, 22.7 tokens/s." or why not, in the edge's words.
[[nodiscard]] TryWords tryOutcome(const engine::TryEnd& end, int status);

}  // namespace signalbox::ui
