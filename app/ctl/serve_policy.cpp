// SPDX-License-Identifier: MIT
#include "app/ctl/serve_policy.h"

#include "app/ctl/policy_files.h"
#include "router/strategy/workspace.h"

#include <spdlog/logger.h>

namespace signalbox::ctl {
namespace {

namespace fs = std::filesystem;

/// Verifies `file` and that its bytes are the ones already read.
Result<signing::VerifiedFile> verifyAsRead(const fs::path& file, const std::string& readSha256,
                                           const std::vector<signing::PublicKey>& trusted) {
    auto verified = signing::verifyFile(file, trusted);
    if (verified && verified->sha256 != readSha256)
        return fail(ErrorKind::conflict, "the file changed while it was being read", file.string(), "Try again.");
    return verified;
}

/// Who signed what is about to run.
Result<std::string> signerOf(const policy::LoadedWorkspace& workspace, const std::vector<signing::PublicKey>& trusted) {
    auto table = verifyAsRead(workspace.tableFile, workspace.table.sha256, trusted);
    if (!table) return tl::unexpected(table.error());
    // gateway.toml says where prompts and keys go: without its signature that of the table would vouch for little.
    auto config = verifyAsRead(workspace.configFile, workspace.config.sha256, trusted);
    if (!config) return tl::unexpected(config.error());
    return table->signerText();
}

/// The same policy listening elsewhere. An open gateway stays on loopback, whoever names the address.
Result<std::shared_ptr<const policy::PolicySnapshot>> movedTo(const policy::PolicySnapshot& snapshot,
                                                             const config::ListenAddress& address) {
    auto config = std::make_shared<config::GatewayConfig>(*snapshot.config);
    config->server.host = address.host;
    config->server.port = address.port;
    if (config->server.auth == config::AuthMode::none && !config::isLoopbackHost(address.host))
        return fail(ErrorKind::badInput, "auth = \"none\" is for loopback only, and " + address.host + " is not",
                    "--listen", "Listen on 127.0.0.1, or let the gateway ask for its token.");
    return policy::makeSnapshot(snapshot.table, snapshot.tableSha256, std::move(config));
}

/// Whoever names a folder chose no file in it that could be missing.
Result<void> expectWorkspace(const config::WorkspacePaths& paths) {
    std::error_code ignored;
    const auto isMissing = [&](const fs::path& file) { return fs::status(file, ignored).type() == fs::file_type::not_found; };
    const bool hasTable = !isMissing(paths.table()), hasConfig = !isMissing(paths.config());
    if (hasTable && hasConfig) return {};
    const std::string missing = hasTable ? "no gateway.toml" : hasConfig ? "no routing-table.json" : "neither routing-table.json nor gateway.toml";
    return fail(ErrorKind::notFound, "this folder is no workspace: it holds " + missing, paths.folder.string(),
                hasTable    ? "Check the path, or write it: `signalboxctl init FOLDER` does."
                : hasConfig ? "Check the path. `signalboxctl init FOLDER` writes an empty one, which is enough where groups, models and aliases route."
                            : "Check the path. `signalboxctl serve --demo` serves a workspace to look at, and `signalboxctl init FOLDER` makes one.");
}

}  // namespace

Result<engine::Policy> PolicySource::load(Context& context, spdlog::logger& log) const {
    const config::WorkspacePaths paths{workspace};
    if (auto whole = expectWorkspace(paths); !whole) return tl::unexpected(whole.error());
    const auto table = paths.table().lexically_normal(), config = paths.config().lexically_normal();
    auto loaded = strategy::loadWorkspace(table, config, context.environment, context.clock.now());
    if (!loaded) return tl::unexpected(loaded.error());
    forEachTrouble(*loaded, Severity::warning, [&](const Finding& finding, const std::string& file) {
        log.log(finding.severity == Severity::error ? spdlog::level::err : spdlog::level::warn, "{}", finding.text(file));
    });
    if (!loaded->snapshot)
        return fail(ErrorKind::badInput, "the policy cannot be used because of the errors above",
                    (loaded->table.table ? config : table).string(),
                    "`signalboxctl check " + workspace.string() + "` lists everything at once.");
    engine::Policy policy{loaded->snapshot, {}};
    if (requireSignature) {
        auto signer = signerOf(*loaded, trusted);
        if (!signer) return tl::unexpected(signer.error());
        policy.signedBy = std::move(*signer);
    }
    if (listen) {
        auto moved = movedTo(*policy.snapshot, *listen);
        if (!moved) return tl::unexpected(moved.error());
        policy.snapshot = std::move(*moved);
    }
    return policy;
}

}  // namespace signalbox::ctl
