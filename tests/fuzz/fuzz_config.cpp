// SPDX-License-Identifier: MIT
// A gateway.toml: accepted whole or not at all, every finding at a place that exists.
#include "router/config/read.h"
#include "tests/fuzz/require.h"

#include <algorithm>

using namespace signalbox;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    const config::LoadedConfig loaded = config::readConfig(text);
    require((loaded.config == nullptr) == hasErrors(loaded.findings), "no configuration exactly when there is an error");
    require(loaded.text == text && loaded.sha256.size() == 64, "the text and its digest are kept");
    for (const Finding& finding : loaded.findings) {
        require(!finding.code.empty() && !finding.message.empty(), "a finding has a code and a message");
        require(finding.position.line <= lines, "a finding stands inside the text");
    }
    if (!loaded.config) return 0;
    const table::RoutingTable empty;
    (void)config::crossCheck(*loaded.config, empty);
    for (const config::Provider& provider : loaded.config->providers)
        (void)config::effectiveBaseUrl(provider, [](const std::string&) { return std::nullopt; });
    return 0;
}
