// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/evidence.h"
#include "router/policy/snapshot.h"

#include <atomic>
#include <functional>

namespace signalbox::app {

/// Writes the week that the demo workspace tells of: about 58,400 decisions up to `now`, from first to last, each
/// classified and resolved by the functions that the gateway calls and marked with origin `demo`.
/// Deterministic for a given policy and `now`. Returns the number written; stops early when `cancelled` is set or
/// `write` returns false. `tell`, if set, gets what happened to the gateways meanwhile, in no strict order.
std::size_t generateDemoWeek(const policy::PolicySnapshot& snapshot, Timestamp now,
                             const std::function<bool(const evidence::DecisionRecord&)>& write,
                             const std::atomic<bool>* cancelled = nullptr,
                             const std::function<void(const evidence::Event&)>& tell = {});

/// Whether the week was put there before. Else that takes a while, about which an operator wants to be told.
[[nodiscard]] bool hasDemoHistory(const std::filesystem::path& stateFolder);

/// Puts the week into the journal of a workspace that has none yet, once: a marker in `stateFolder` remembers it.
/// The evidence writer of the next gateway moves it into PostgreSQL. Blocks for about a second: call it before the
/// gateway opens the journal, from a worker. Returns how many decisions it wrote.
[[nodiscard]] Result<std::size_t> seedDemoHistory(const evidence::EvidenceOptions& options,
                                                  const std::filesystem::path& stateFolder,
                                                  const policy::PolicySnapshot& snapshot, const Clock& clock);

}  // namespace signalbox::app
