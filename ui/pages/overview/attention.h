// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/usual.h"
#include "ui/bridge/bridge.h"
#include "ui/theme/theme.h"

#include <QString>
#include <QVariantMap>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// What mends a cause.
enum class Remedy { none, startGateway, applyPolicy, openPage };

/// One thing that needs attention: what, why, and the step that mends it.
struct AttentionItem {
    Tone tone = Tone::caution;
    QString title;
    QString detail;
    Remedy remedy = Remedy::none;
    QString remedyText;  ///< button label
    QString page;        ///< for Remedy::openPage
    QVariantMap arguments;
    bool operator==(const AttentionItem&) const = default;
};

/// All that the overview judges by. Unset parts are unknown and give no item.
struct AttentionInput {
    engine::TargetStatus status;
    std::vector<engine::EndpointHealth> endpoints;  ///< of the gateway of that status
    bool draftDiffers = false;
    WorkspacePtr workspace;
    std::vector<engine::RefusalCount> refusals;
    std::optional<evidence::HistorySummary> summary;
    std::optional<evidence::UsualReport> usual;
};

/// Worst first; empty when nothing needs attention. Pure.
[[nodiscard]] std::vector<AttentionItem> attentionItems(const AttentionInput& input);

}  // namespace signalbox::ui
