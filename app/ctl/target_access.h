// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"
#include "router/engine/admin_client.h"

namespace signalbox::ctl {

/// Which running gateway a verb speaks to, and as whom. Shared by all of the on-call's verbs.
struct TargetArguments {
    std::string target;                 ///< address; empty: the gateway of the workspace on this machine
    std::filesystem::path tokenFile, caFile;
    std::filesystem::path workspace;    ///< where there is no address; the current folder by default
    bool demo = false;                  ///< the demo workspace instead
    std::string actor;                  ///< who acts; USER@HOST by default
    unsigned timeoutSeconds = 5;
    bool json = false;
};

inline constexpr const char* kAdminTokenVariable = "SIGNALBOX_ADMIN_TOKEN";

/// Address, token and actor. A token that was found on this machine only ever goes to this machine's gateway.
/// Errors: no gateway of the workspace runs, there is no token, or what was named cannot be read.
[[nodiscard]] Result<engine::AdminAccess> accessOf(const TargetArguments& arguments, Context& context);

/// The status after an action, as one line or as JSON.
void printAfter(const engine::TargetStatus& status, const TargetArguments& arguments, const std::string& done, Context& context);

}  // namespace signalbox::ctl
