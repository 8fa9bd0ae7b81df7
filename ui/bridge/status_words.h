// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "ui/theme/theme.h"

#include <QString>

namespace signalbox::ui {

/// A state in words: what a lamp shows, and what it says on hover.
struct StatusWords {
    Tone tone = Tone::idle;
    QString word;         ///< "running"
    QString sentence;     ///< "local 127.0.0.1:38082"
    QString explanation;  ///< with what to do where there is something to do
    bool operator==(const StatusWords&) const = default;
};

[[nodiscard]] StatusWords gatewayWords(const engine::TargetStatus& status);
/// `remote`: of a gateway elsewhere, which is set up where it runs.
[[nodiscard]] StatusWords evidenceWords(const evidence::EvidenceStatus& status, bool remote = false);

/// Evidence is on and another process records it: this console reads its history and adds nothing.
[[nodiscard]] bool onlyObserves(const evidence::EvidenceStatus& status);

}  // namespace signalbox::ui
