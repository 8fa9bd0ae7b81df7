// SPDX-License-Identifier: MIT
#include "app/ctl/target_access.h"

#include "app/shared/paths.h"
#include "router/base/file.h"
#include "router/base/text.h"
#include "router/config/read.h"
#include "router/engine/local_operator.h"
#include "router/engine/running_url.h"
#include "router/upstream/base_url.h"

#include <algorithm>
#include <ostream>

namespace signalbox::ctl {
namespace {

constexpr std::size_t kMaxTokenFile = 4096;

Result<std::string> tokenIn(const std::filesystem::path& file) {
    auto text = readFile(file, kMaxTokenFile);
    if (!text) return text;
    std::string token(trimmed(std::string_view(*text).substr(0, text->find_first_of("\r\n"))));
    if (token.empty()) return fail(ErrorKind::badInput, "this file holds no token", file.string(), "It is one line, as in admin-token of the gateway's state folder.");
    return token;
}

/// From the file that was named, else from the environment; nothing where there is neither.
Result<std::optional<std::pair<std::string, std::string>>> namedToken(const TargetArguments& arguments, const Context& context) {
    if (!arguments.tokenFile.empty()) {
        auto token = tokenIn(arguments.tokenFile);
        if (!token) return tl::unexpected(token.error());
        return std::pair(*token, arguments.tokenFile.string());
    }
    const auto token = context.environment(kAdminTokenVariable);
    if (token && !token->empty()) return std::pair(std::string(trimmed(*token)), "$" + std::string(kAdminTokenVariable));
    return std::nullopt;
}

/// The token as the gateway itself takes it: from the variable that gateway.toml names, else from its state folder. What
/// stands in $SIGNALBOX_ADMIN_TOKEN is for gateways elsewhere.
Result<engine::AdminAccess> withOwnToken(engine::AdminAccess access, const std::filesystem::path& folder, const app::WorkspaceHome& home, const Context& context) {
    const auto loaded = config::readConfigFile(config::WorkspacePaths{folder}.config());
    const auto variable = loaded && loaded->config ? loaded->config->server.adminTokenEnv : std::nullopt;
    if (variable) {
        access.token = context.environment(*variable).value_or("");
        access.tokenFrom = "$" + *variable;
        return access;
    }
    auto token = engine::readAdminToken(home.state);
    if (!token) return tl::unexpected(token.error());
    access.token = std::move(*token);
    access.tokenFrom = "the workspace's state folder";
    return access;
}

/// What else to say where no gateway of the workspace is found: whoever stands in another folder has not stopped anything.
Error noGatewayHere(Error error, const std::filesystem::path& folder, const app::WorkspaceHome& home) {
    if (error.kind == ErrorKind::denied) return error;  // nobody knows whether one runs
    error.where = folder.string();
    const config::WorkspacePaths paths{folder};
    // One that a gateway served before is a workspace, whatever became of its files.
    for (const auto& sign : {paths.config(), paths.table(), home.state})
        if (std::error_code ignored; std::filesystem::exists(sign, ignored)) return error;
    error.message = "no gateway runs for this folder, which is no workspace: it has neither gateway.toml nor routing-table.json";
    error.hint = "Name the workspace with --workspace FOLDER, the one of `signalboxctl serve --demo` with --demo, or a gateway elsewhere "
                 "with --target URL.";
    return error;
}

Error noGatewayOfTheDemo(Error error, const std::filesystem::path& folder) {
    if (error.kind == ErrorKind::denied) return error;
    error.where = folder.string();
    error.hint = "Start it with `signalboxctl serve --demo`.";
    return error;
}

/// Two may run where one keeps no evidence. On stderr, since the answer is about one of them.
void tellOthers(const std::vector<std::string>& urls, const std::filesystem::path& folder, Context& context) {
    if (urls.size() < 2) return;
    context.err << "signalboxctl: " << folder.string() << ": " << urls.size() << " gateways of this workspace are running; meant is the one that began last, "
                << urls.front() << ". Name another with --target:";
    for (std::size_t i = 1; i < urls.size(); ++i) context.err << ' ' << urls[i];
    context.err << '\n';
}

Result<engine::AdminAccess> localAccess(const TargetArguments& arguments, Context& context) {
    const auto folders = app::userFolders(context.environment);
    if (!folders) return tl::unexpected(folders.error());
    const auto folder = arguments.demo ? Result<std::filesystem::path>(folders->demo()) : workspaceFolder(arguments.workspace);
    if (!folder) return tl::unexpected(folder.error());
    const auto home = app::homeOfWorkspace(*folder, *folders, context.environment);
    auto urls = engine::readRunningUrls(home.state);
    if (!urls)
        return tl::unexpected(arguments.demo ? noGatewayOfTheDemo(std::move(urls.error()), *folder)
                                             : noGatewayHere(std::move(urls.error()), *folder, home));
    tellOthers(*urls, *folder, context);
    engine::AdminAccess access;
    access.url = urls->front();
    if (!arguments.tokenFile.empty()) {
        auto token = tokenIn(arguments.tokenFile);
        if (!token) return tl::unexpected(token.error());
        access.token = std::move(*token);
        access.tokenFrom = arguments.tokenFile.string();
        return access;
    }
    return withOwnToken(std::move(access), *folder, home, context);
}

std::string withScheme(const std::string& target) { return target.find("://") == std::string::npos ? "http://" + target : target; }

/// Of a gateway that this user runs on this machine, if `target` is one: by the address that it tells in its state folder. No
/// token is for anybody who does not tell one, and the address is the gateway's own, since "localhost" may be somebody else.
std::optional<engine::AdminAccess> ownAccess(const std::string& target, const Context& context) {
    const auto wanted = upstream::parseBaseUrl(withScheme(target));
    const auto folders = app::userFolders(context.environment);
    if (!wanted || !folders) return std::nullopt;
    const auto isMeant = [&](const std::string& url) {
        const auto one = upstream::parseBaseUrl(url);
        if (!one || one->origin.tls != wanted->origin.tls || one->origin.port != wanted->origin.port) return false;
        const bool loopback = config::isLoopbackHost(one->origin.host) && config::isLoopbackHost(wanted->origin.host);
        return loopback || one->origin.host == wanted->origin.host;
    };
    std::error_code unreadable;
    for (const auto& state : std::filesystem::directory_iterator(folders->state, unreadable)) {
        const auto urls = engine::readRunningUrls(state.path());
        const auto url = urls ? std::find_if(urls->begin(), urls->end(), isMeant) : std::vector<std::string>::const_iterator();
        if (!urls || url == urls->end()) continue;
        auto token = engine::readAdminToken(state.path());
        if (!token) return std::nullopt;
        engine::AdminAccess access;
        access.url = *url;
        access.token = std::move(*token);
        access.tokenFrom = "its state folder";
        return access;
    }
    return std::nullopt;
}

Result<engine::AdminAccess> remoteAccess(const TargetArguments& arguments, Context& context) {
    auto token = namedToken(arguments, context);
    if (!token) return tl::unexpected(token.error());
    if (!*token)
        if (auto own = ownAccess(arguments.target, context)) return std::move(*own);
    if (!*token)
        return fail(ErrorKind::denied, "there is no admin token for it", shownUrl(arguments.target),
                    "Set " + std::string(kAdminTokenVariable) + ", or name its file with --token-file. It is in admin-token of that gateway's state folder.");
    engine::AdminAccess access;
    access.url = withScheme(arguments.target);
    access.token = (*token)->first;
    access.tokenFrom = (*token)->second;
    const auto url = upstream::parseBaseUrl(access.url);
    if (url && !url->origin.tls && !config::isLoopbackHost(url->origin.host))
        context.err << "signalboxctl: the admin token travels unencrypted to " << url->origin.host << "; use https:// or an ssh tunnel.\n";
    return access;
}

}  // namespace

Result<engine::AdminAccess> accessOf(const TargetArguments& arguments, Context& context) {
    auto access = arguments.target.empty() ? localAccess(arguments, context) : remoteAccess(arguments, context);
    if (!access) return access;
    access->caFile = arguments.caFile.string();
    access->actor = arguments.actor.empty() ? engine::localOperator() : arguments.actor;
    access->patience = std::chrono::seconds(arguments.timeoutSeconds);
    if (auto usable = engine::checkAccess(*access); !usable) return tl::unexpected(usable.error());
    return access;
}

void printAfter(const engine::TargetStatus& status, const TargetArguments& arguments, const std::string& done, Context& context) {
    if (arguments.json) context.out << engine::wire::encodeStatus(status, context.clock.steady()) << '\n';
    else context.out << status.name << ": " << done << '\n';
}

}  // namespace signalbox::ctl
