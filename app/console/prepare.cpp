// SPDX-License-Identifier: MIT
#include "app/console/prepare.h"

#include "app/shared/demo.h"
#include "app/shared/demo_week/demo_week.h"
#include "app/shared/paths.h"
#include "router/engine/local_operator.h"
#include "router/strategy/workspace.h"
#include "router/table/read.h"

namespace signalbox::console {

static std::filesystem::path folderOf(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(path, ignored);
    return std::filesystem::is_directory(absolute, ignored) ? absolute : absolute.parent_path();
}

/// Whether this can become a console's own: a folder with both files, whatever stands in them, or a table. Anything else, as
/// by a mistyped path, gets its message when it is opened.
static bool isPolicy(const std::filesystem::path& path) {
    std::error_code ignored;
    const config::WorkspacePaths paths{folderOf(path)};
    const bool isWorkspace = std::filesystem::exists(paths.table(), ignored) && std::filesystem::exists(paths.config(), ignored);
    if (std::filesystem::is_directory(path, ignored)) return isWorkspace;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    if (isWorkspace && path.filename() == paths.table().filename()) return true;
    const auto loaded = table::readTableFile(path, SystemClock().now());
    return loaded && loaded->table;
}

/// The evidence section of the workspace, or the defaults where there is no readable file: the page that opens the
/// workspace then says what is wrong with it.
static config::Evidence evidenceSettings(const std::filesystem::path& folder) {
    const auto loaded = config::readConfigFile(config::WorkspacePaths{folder}.config());
    return loaded && loaded->config ? loaded->config->evidence : config::Evidence{};
}

static Result<void> seed(const std::filesystem::path& folder, const evidence::EvidenceOptions& evidence,
                         const std::filesystem::path& state, const config::Environment& environment) {
    const SystemClock clock;
    const config::WorkspacePaths paths{folder};
    const auto workspace = strategy::loadWorkspace(paths.table(), paths.config(), environment, clock.now());
    if (!workspace) return tl::unexpected(workspace.error());
    if (!workspace->snapshot) return {};  // an edited demo with errors; the console shows them
    auto written = app::seedDemoHistory(evidence, state, *workspace->snapshot, clock);
    if (!written) return tl::unexpected(written.error());
    return {};
}

Result<Prepared> prepare(const std::filesystem::path& wanted) {
    const config::Environment environment = config::processEnvironment();
    const auto folders = app::userFolders(environment);
    if (!folders) return tl::unexpected(folders.error());

    Prepared prepared;
    prepared.isDemo = wanted.empty();
    prepared.keyFolder = folders->keys();
    prepared.draftFolder = folders->state / "drafts";
    prepared.path = prepared.isDemo ? folders->demo() : wanted;
    if (prepared.isDemo)
        if (auto installed = app::installDemo(prepared.path); !installed) return tl::unexpected(installed.error());

    const auto folder = folderOf(prepared.path);
    if (isPolicy(prepared.path)) prepared.home = folder;
    const app::WorkspaceHome home = app::homeOfWorkspace(folder, *folders, environment);
    const config::Evidence settings = evidenceSettings(folder);
    engine::EmbeddedOptions options;
    options.stateFolder = home.state;
    options.environment = environment;
    options.operatedBy = engine::localOperator();
    // A table alone says nothing of records, and there is no provider whose answers could be some.
    std::error_code ignored;
    options.evidenceEnabled = settings.enabled && !prepared.home.empty() && std::filesystem::exists(config::WorkspacePaths{folder}.config(), ignored);
    if (options.evidenceEnabled) {
        auto evidence = app::evidenceOptionsOf(home, settings, {}, environment);
        if (evidence) options.evidence = std::move(*evidence);
        else {
            prepared.complaint = evidence.error();
            options.evidenceEnabled = false;
        }
    }
    if (prepared.isDemo && options.evidenceEnabled)
        if (auto seeded = seed(folder, options.evidence, home.state, environment); !seeded) prepared.complaint = seeded.error();

    auto target = engine::makeEmbeddedTarget(std::move(options));
    if (!target) return tl::unexpected(target.error());
    prepared.target = std::move(*target);
    return prepared;
}

}  // namespace signalbox::console
