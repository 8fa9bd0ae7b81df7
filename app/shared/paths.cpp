// SPDX-License-Identifier: MIT
#include "app/shared/paths.h"

#include "router/base/hashing.h"

#include <unistd.h>

namespace signalbox::app {
namespace {

namespace fs = std::filesystem;

/// The XDG rules: a relative or empty value counts as not set.
std::optional<fs::path> absoluteFrom(const config::Environment& environment, const char* name) {
    const auto value = environment(name);
    if (!value || value->empty() || !fs::path(*value).is_absolute()) return std::nullopt;
    return fs::path(*value);
}

}  // namespace

Result<UserFolders> userFolders(const config::Environment& environment) {
    const auto home = absoluteFrom(environment, "HOME");
    std::string missing;
    const auto folder = [&](const char* variable, const char* below) {
        if (const auto set = absoluteFrom(environment, variable)) return *set / "signalbox";
        if (!home) missing = variable;
        return home.value_or(fs::path()) / below / "signalbox";
    };
    UserFolders folders;
    folders.config = folder("XDG_CONFIG_HOME", ".config");
    if (const auto set = environment("SIGNALBOX_DATA_DIR"); set && !set->empty()) {
        std::error_code ignored;
        folders.data = fs::absolute(*set, ignored);
        folders.state = folders.data / "state";
    } else {
        folders.data = folder("XDG_DATA_HOME", ".local/share");
        folders.state = folder("XDG_STATE_HOME", ".local/state");
    }
    if (!missing.empty())
        return fail(ErrorKind::badInput, "there is no home folder: HOME is not set", {},
                    "Set HOME, or SIGNALBOX_DATA_DIR and XDG_CONFIG_HOME.");
    return folders;
}

WorkspaceHome homeOfWorkspace(const fs::path& workspace, const UserFolders& folders,
                              const config::Environment& environment) {
    std::error_code code;
    fs::path canonical = fs::weakly_canonical(workspace, code);
    if (code) canonical = fs::absolute(workspace, code);
    // "work/" and "work" are the same folder.
    if (!canonical.has_filename()) canonical = canonical.parent_path();

    WorkspaceHome home;
    home.id = sha256Hex(canonical.string()).substr(0, 12);
    home.state = folders.state / home.id;
    home.journal = home.state / "journal";
    const bool shared = ::geteuid() == 0 && environment("SIGNALBOX_DATA_DIR").value_or("").empty();
    home.cluster = shared ? fs::path("/var/lib/signalbox") / home.id : folders.data / "pg" / home.id;
    return home;
}

Result<evidence::EvidenceOptions> evidenceOptionsOf(const WorkspaceHome& home, const config::Evidence& evidence,
                                                    const std::string& dsnEnv,
                                                    const config::Environment& environment) {
    evidence::EvidenceOptions options;
    options.journalFolder = home.journal;
    options.journalMaxBytes = evidence.journalMaxBytes;
    options.retentionDays = evidence.retentionDays;
    options.workspaceId = home.id;
    const std::string variable = dsnEnv.empty() ? evidence.dsnEnv.value_or("") : dsnEnv;
    if (variable.empty()) {
        options.managedClusterFolder = home.cluster;
        return options;
    }
    const auto dsn = environment(variable);
    if (!dsn || dsn->empty())
        return fail(ErrorKind::badInput, "the variable that should name the database is not set", "$" + variable,
                    "Export it with a connection string such as postgresql://user@host/name, or " +
                        std::string(dsnEnv.empty() ? "remove evidence.dsn_env" : "leave --dsn-env out") +
                        " to use the private cluster.");
    options.dsn = *dsn;
    options.dsnName = "$" + variable;
    return options;
}

}  // namespace signalbox::app
