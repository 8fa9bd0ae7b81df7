// SPDX-License-Identifier: MIT
#include "router/policy/first_workspace.h"

#include "router/base/file.h"
#include "router/config/read.h"
#include "router/config/toml_text.h"
#include "router/table/empty_table.h"
#include "router/table/read.h"

namespace signalbox::policy {
namespace {

constexpr const char* kConfigToBeginWith = R"(# Where requests run, and how the gateway behaves. `signalboxctl check` says what is wrong in here, and starts nothing.
# No secret stands here: a provider names the environment variable that holds its key. Take out what you do not have.

[server]
listen = "127.0.0.1:38082"          # this machine only; clients send the token that `signalboxctl serve` makes

# Answers by simulation, without a key, so that the model "practice" works at once.
[providers.practice]
protocol = "simulated"
models = ["practice"]

[providers.openai]
protocol = "openai_compat"          # also vLLM, llama.cpp, Ollama and whatever else speaks it
base_url = "https://api.openai.com/v1"
api_key_env = "OPENAI_API_KEY"      # leave it out where none is needed
models = ["gpt-5-mini"]             # what clients may ask for here; an endpoint is openai:gpt-5-mini

[providers.anthropic]
protocol = "anthropic"
base_url = "https://api.anthropic.com"
api_key_env = "ANTHROPIC_API_KEY"
models = ["claude-haiku-4-5"]

# Another name for one endpoint.
[aliases]
fast = "openai:gpt-5-mini"

# One name for several endpoints. While the mode is off the first that can serve a request does, and the others follow when
# it fails; in shadow and active they are scored. Either protocol can be asked on both edges.
[routing]
mode = "off"                        # off, shadow or active

[routing.groups.auto]
aliases = ["auto"]

[[routing.groups.auto.candidates]]
provider = "openai"
model = "gpt-5-mini"
quality = 0.8                       # 0 to 1, your own judgement

[[routing.groups.auto.candidates]]
provider = "anthropic"
model = "claude-haiku-4-5"
quality = 0.8
)";

/// Binds the presets of a table that is there to the simulated provider: then it is a policy that runs, and says so.
std::string firstConfig(const table::RoutingTable* table) {
    std::string out = kConfigToBeginWith;
    if (table == nullptr || table->presets.empty()) return out;
    out += "\n# Where the presets of routing-table.json run. All of them answer by simulation until you name the provider of each.\n";
    for (const auto& preset : table->presets)
        out += "[presets." + config::writtenKey(preset.presetKey, true) + "]\nprovider = \"practice\"\nmodel = \"practice\"\n";
    return out;
}

/// Something stands there, whatever it is: also a link to nowhere, through which nothing should be written.
bool isTaken(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::symlink_status(file, ignored).type() != std::filesystem::file_type::not_found;
}

/// Writes a file that must not exist yet.
Result<void> writeNew(const std::filesystem::path& file, const std::string& text) { return writeFileAtomic(file, text, {.expectedSha256 = std::string()}); }

/// The folder, made where only it or folders on the way are missing.
Result<void> makeFolder(const std::filesystem::path& folder) {
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (!code && std::filesystem::is_directory(folder, code)) return {};
    if (std::error_code ignored; std::filesystem::exists(folder, ignored))
        return fail(ErrorKind::badInput, "this is a file, a workspace is a folder", folder.string(), "Name a folder.");
    return fail(code == std::errc::permission_denied ? ErrorKind::denied : ErrorKind::badInput, "the folder cannot be made: " + code.message(),
                folder.string(), "Check the path and the permissions of the folders on the way.");
}

}  // namespace

Result<FirstWorkspace> beginWorkspace(const std::filesystem::path& folder, Timestamp now) {
    if (auto made = makeFolder(folder); !made) return tl::unexpected(made.error());
    const config::WorkspacePaths paths{folder};
    FirstWorkspace begun{paths.config().lexically_normal(), paths.table().lexically_normal()};
    const bool hasTable = isTaken(begun.table), hasConfig = isTaken(begun.config);
    if (hasTable && hasConfig)
        return fail(ErrorKind::conflict, "this folder is a workspace already, and nothing is written over", folder.string(),
                    "It holds routing-table.json and gateway.toml: `signalboxctl check` says how they are.");
    if (!hasConfig) {
        const auto loaded = table::readTableFile(begun.table, now);
        const table::RoutingTable* table = loaded && loaded->table ? &*loaded->table : nullptr;
        if (auto written = writeNew(begun.config, firstConfig(table)); !written) return tl::unexpected(written.error());
        begun.wroteConfig = true;
        begun.simulatedPresets = table != nullptr ? table->presets.size() : 0;
    }
    auto written = writeMissingTable(begun.table, now);
    if (!written) return tl::unexpected(written.error());
    begun.wroteTable = *written;
    return begun;
}

Result<bool> writeMissingTable(const std::filesystem::path& file, Timestamp now) {
    if (isTaken(file)) return false;
    if (auto written = writeNew(file, table::emptyTable(now)); !written) return tl::unexpected(written.error());
    return true;
}

}  // namespace signalbox::policy
