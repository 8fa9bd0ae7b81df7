// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/shadow/shadow_answer.h"
#include "ui/theme/theme.h"

#include <QVariantMap>

namespace signalbox::ui {

/// "18.4 % of 22,000 shadow decisions in the last 7 d differ (±0.5)."
[[nodiscard]] QString shadowSentence(const ShadowAnswer& answer, const QString& when);
/// What the histogram's slot holds: "0.03 to 0.04".
[[nodiscard]] QString marginSlotText(std::size_t slot);
[[nodiscard]] Bars termBars(const ShadowAnswer& answer);
[[nodiscard]] Bars marginBars(const ShadowAnswer& answer);

/// What a session header came to, with its tone; sessions that are never followed are worth a look (F65).
struct SessionWords {
    Tone tone = Tone::idle;
    QString text;
};
[[nodiscard]] SessionWords sessionWords(const ShadowAnswer& answer);
/// F72: "No shadow decision in the last hour at the anthropic edge, though 320 requests went through its groups."
[[nodiscard]] QString silenceText(const std::vector<Silence>& silences);

/// Why there is nothing to compare, and the one step that helps.
struct ShadowMessage {
    QString title;
    QString explanation;
    QString button;  ///< may be empty
    QString page;    ///< where the button leads; empty: asks again
    QVariantMap arguments{};
};
[[nodiscard]] ShadowMessage nothingCompared(const engine::TargetStatus& status, const policy::PolicySnapshot* draft);
[[nodiscard]] ShadowMessage shadowUnreadable(const evidence::EvidenceStatus& status, const Error& error);

}  // namespace signalbox::ui
