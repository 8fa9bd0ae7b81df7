// SPDX-License-Identifier: MIT
#include "app/ctl/history_source.h"

#include "app/ctl/time_arguments.h"
#include "app/shared/paths.h"

namespace signalbox::ctl {
namespace {

/// What the workspace's gateway.toml says about evidence; the defaults where there is none. One that cannot be read
/// must not send the question to another database, so it is an error.
Result<config::Evidence> evidenceConfigOf(const std::filesystem::path& folder) {
    const auto file = config::WorkspacePaths{folder}.config();
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return config::Evidence{};
    auto loaded = config::readConfigFile(file);
    if (!loaded) return tl::unexpected(loaded.error());
    if (!loaded->config)
        return fail(ErrorKind::badInput, "it has errors, so which database holds the history is not certain",
                    file.string(), "`signalboxctl check` lists them; or name the database with --dsn-env.");
    return loaded->config->evidence;
}

}  // namespace

Result<std::unique_ptr<evidence::HistoryReader>> openHistoryOf(const HistoryOptions& options, Context& context) {
    auto folder = workspaceFolder(options.workspace);
    if (!folder) return tl::unexpected(folder.error());
    auto folders = app::userFolders(context.environment);
    if (!folders) return tl::unexpected(folders.error());
    config::Evidence configured;
    if (options.dsnEnv.empty()) {
        auto read = evidenceConfigOf(*folder);
        if (!read) return tl::unexpected(read.error());
        configured = *read;
    }
    const auto home = app::homeOfWorkspace(*folder, *folders, context.environment);
    auto where = app::evidenceOptionsOf(home, configured, options.dsnEnv, context.environment);
    if (!where) return tl::unexpected(where.error());
    return evidence::openHistory(*where);
}

Result<evidence::TimeRange> historyRange(const HistoryOptions& options, Timestamp now) {
    auto from = parseTime(options.since, now);
    if (!from) return tl::unexpected(from.error());
    // The newest row may be a little ahead of our clock when the database was filled elsewhere.
    auto to = options.until.empty() ? Result<Timestamp>(now + std::chrono::minutes(1)) : parseTime(options.until, now);
    if (!to) return tl::unexpected(to.error());
    if (*to <= *from)
        return fail(ErrorKind::badInput, "the range ends before it begins", "--until", "Name a later time.");
    return evidence::TimeRange{*from, *to};
}

}  // namespace signalbox::ctl
