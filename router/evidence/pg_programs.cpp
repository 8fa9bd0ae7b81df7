// SPDX-License-Identifier: MIT
#include "router/evidence/pg_programs.h"

#include <charconv>

namespace signalbox::evidence {
namespace {

std::optional<int> asVersion(const std::string& name) {
    int version = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), version);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return version;
}

}  // namespace

Result<PgPrograms> findPgPrograms(const std::filesystem::path& root, std::optional<int> version) {
    PgPrograms best;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
        const auto found = asVersion(entry.path().filename().string());
        const auto folder = entry.path() / "bin";
        if (!found || (version && *found != *version) || *found <= best.version) continue;
        if (std::filesystem::exists(folder / "initdb", error) && std::filesystem::exists(folder / "pg_ctl", error))
            best = {*found, folder};
    }
    if (best.version != 0) return best;
    if (version)
        return fail(ErrorKind::unavailable,
                    "the history was made by PostgreSQL " + std::to_string(*version) + ", which is not installed",
                    root.string(),
                    "Install postgresql-" + std::to_string(*version) + ", or move the history away to begin a new one.");
    return fail(ErrorKind::unavailable, "the PostgreSQL server programs are not installed", root.string(),
                "Install the package postgresql-15, or name a server with evidence.dsn_env.");
}

}  // namespace signalbox::evidence
