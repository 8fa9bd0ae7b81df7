// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/verbs.h"
#include "router/evidence/evidence.h"

namespace signalbox::ctl {

/// The range that `--since` and `--until` name.
[[nodiscard]] Result<evidence::TimeRange> historyRange(const HistoryOptions& options, Timestamp now);
/// The history of the workspace, or of the database that `--dsn-env` names.
[[nodiscard]] Result<std::unique_ptr<evidence::HistoryReader>> openHistoryOf(const HistoryOptions& options, Context& context);
/// `history --events`: what happened to the gateways.
[[nodiscard]] int listEvents(const HistoryOptions& options, Context& context);

}  // namespace signalbox::ctl
