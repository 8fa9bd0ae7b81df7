// SPDX-License-Identifier: MIT
#include "app/ctl/target_access.h"
#include "app/ctl/target_words.h"
#include "app/ctl/verbs.h"
#include "router/engine/release_files.h"

#include <algorithm>
#include <ostream>

namespace signalbox::ctl {
namespace {

namespace fs = std::filesystem;

/// A large policy is read, checked and built before the answer comes.
constexpr std::chrono::milliseconds kLeastApplyPatience{30'000};

/// The folder itself, or that of a file in it, such as its release.json.
Result<fs::path> releaseFolder(const fs::path& named) {
    std::error_code ignored;
    const auto status = fs::status(named, ignored);
    if (fs::is_directory(status)) return named;
    if (fs::exists(status)) return named.has_parent_path() ? named.parent_path() : fs::path(".");
    return fail(ErrorKind::notFound, "there is no such release", named.string(), "Name a folder with routing-table.json, gateway.toml and their .minisig files.");
}

}  // namespace

int runApply(const ApplyOptions& options, Context& context) {
    const auto folder = releaseFolder(options.release);
    if (!folder) return report(context, folder.error());
    const config::WorkspacePaths paths{*folder};
    const auto release = engine::readReleaseFiles(paths.table().lexically_normal(), paths.config().lexically_normal());
    if (!release) return report(context, release.error());
    auto access = accessOf(options.to, context);
    if (!access) return report(context, access.error());
    access->patience = std::max(access->patience, kLeastApplyPatience);
    engine::AdminClient client(std::move(*access));
    const auto before = client.status(engine::AdminClient::Names::whereItListens);
    if (!before) return report(context, before.error());
    const auto after = client.apply(*release, engine::AdminClient::Names::whereItListens);
    if (!after) return report(context, after.error());
    const std::string signer = after->signedBy.empty() ? ", not signed" : ", signed by " + after->signedBy;
    printAfter(*after, options.to, "runs policy " + after->runningHash + signer + accessChange(*before, *after), context);
    return kOk;
}

}  // namespace signalbox::ctl
