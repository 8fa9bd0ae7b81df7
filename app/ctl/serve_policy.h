// SPDX-License-Identifier: MIT
#pragma once

#include "app/ctl/context.h"
#include "router/engine/target.h"
#include "router/signing/trust.h"

namespace spdlog {
class logger;
}

namespace signalbox::ctl {

/// Where `serve` gets its policy from, at start and at every reload: the same files, the same checks.
struct PolicySource {
    std::filesystem::path workspace;
    std::optional<config::ListenAddress> listen;  ///< replaces the configured address
    bool requireSignature = false;
    std::vector<signing::PublicKey> trusted;

    /// Reads, validates and, where required, verifies: the table always, gateway.toml when it carries a signature.
    /// What was verified is what is used, even if a file changes in between. Findings go to the log, whose form they take.
    [[nodiscard]] Result<engine::Policy> load(Context& context, spdlog::logger& log) const;
};

}  // namespace signalbox::ctl
