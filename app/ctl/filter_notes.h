// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/verbs.h"
#include "router/engine/admin_client.h"

namespace signalbox::ctl {

/// Says on `err` which names that were asked for nobody knows: nothing found, or nothing coming, is then no news. Notes only,
/// since records of an earlier policy may hold them. Where the policy cannot be read nothing is said.

/// For a history in which nothing was found; goes by the files of the workspace.
void noteFilters(const HistoryOptions& options, Context& context);
/// For a stream that begins; goes by what the gateway runs, for presets, teams and models by the files of the workspace on this
/// machine.
void noteFilters(const TailOptions& options, engine::AdminClient& gateway, Context& context);

}  // namespace signalbox::ctl
