// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/simulator/simulation.h"
#include "ui/theme/theme.h"

#include <QString>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// One way that a request could have taken at a stage.
struct PathStep {
    QString title;
    QString detail;      ///< what was found, or why it was not taken
    bool isTaken = false;
    bool isId = false;   ///< the title is an id: fixed font
    std::optional<Tone> tone = std::nullopt;  ///< of the detail
    QString more = {};   ///< on hover
    bool operator==(const PathStep&) const = default;
};

/// A question on the way from the name to the endpoint, with every answer it might have had.
struct PathStage {
    QString title;
    QString note;
    std::vector<PathStep> steps;
};

/// Name, features, candidates or rules, endpoint: lit where the request goes, dim with the reason where it does not.
[[nodiscard]] std::vector<PathStage> pathOf(const AskedRequest& asked, const Simulated& answer);

}  // namespace signalbox::ui
