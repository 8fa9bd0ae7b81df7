// SPDX-License-Identifier: MIT
#include "app/ctl/first_workspace.h"

#include "router/base/file.h"
#include "router/config/toml_text.h"
#include "router/table/empty_table.h"
#include "router/table/read.h"

namespace signalbox::ctl {
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

}  // namespace

std::string firstConfig(const std::filesystem::path& table, Timestamp now) {
    std::string out = kConfigToBeginWith;
    const auto loaded = table::readTableFile(table, now);
    if (!loaded || !loaded->table || loaded->table->presets.empty()) return out;
    out += "\n# Where the presets of routing-table.json run.\n";
    for (const auto& preset : loaded->table->presets)
        out += "[presets." + config::writtenKey(preset.presetKey, true) + "]\nprovider = \"practice\"\nmodel = \"practice\"\n";
    return out;
}

bool isTaken(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::symlink_status(file, ignored).type() != std::filesystem::file_type::not_found;
}

Result<void> writeNew(const std::filesystem::path& file, const std::string& text) {
    return writeFileAtomic(file, text, {.expectedSha256 = std::string()});
}

Result<bool> writeMissingTable(const std::filesystem::path& file, Timestamp now) {
    if (isTaken(file)) return false;
    if (auto written = writeNew(file, table::emptyTable(now)); !written) return tl::unexpected(written.error());
    return true;
}

}  // namespace signalbox::ctl
