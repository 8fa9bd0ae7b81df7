// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"
#include "router/policy/workspace.h"

#include <functional>

namespace signalbox::ctl {

/// A policy ready to decide with. `configured` is false when there was a table alone: then every preset is bound to a
/// stand-in endpoint `unconfigured:MODEL`, so that the table's own answer shows.
struct ReadyPolicy {
    std::shared_ptr<const policy::PolicySnapshot> snapshot;
    bool configured = true;
};

/// Reads table and, where there is one, configuration; errors go to `err` (warnings are `check`'s to tell).
/// A workspace without gateway.toml counts as a table alone, a named configuration must be there.
[[nodiscard]] Result<ReadyPolicy> readPolicy(Context& context, const FileArguments& arguments);

/// The error, with how to begin where a workspace has no `file` yet, its gateway.toml or routing-table.json.
[[nodiscard]] Error withFirstStep(Error error, const std::filesystem::path& file);

/// The findings of everything that was read which are at least that grave, each with the file that it is about.
void forEachTrouble(const policy::LoadedWorkspace& workspace, Severity least,
                    const std::function<void(const Finding&, const std::string& file)>& tell);
/// One line each.
void printTroubles(std::ostream& to, const policy::LoadedWorkspace& workspace, Severity least);

}  // namespace signalbox::ctl
