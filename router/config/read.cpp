// SPDX-License-Identifier: MIT
#include "router/config/read.h"

#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/base/text.h"
#include "router/config/read_parts.h"
#include "router/config/syntax.h"
#include "router/table/types.h"

#include <algorithm>

namespace signalbox::config {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

void collectPositions(const toml::node& node, const std::string& path, std::map<std::string, TextPosition>& out) {
    if (!path.empty()) out.emplace(path, toPosition(node.source()));
    if (const auto* table = node.as_table()) {
        for (auto&& [key, value] : *table) collectPositions(value, joinPath(path, key.str()), out);
    } else if (const auto* list = node.as_array()) {
        for (std::size_t i = 0; i < list->size(); ++i)
            collectPositions((*list)[i], path + "[" + std::to_string(i) + "]", out);
    }
}

void readTopLevel(Section& root, GatewayConfig& config) {
    readServer(root, config);
    readEvidence(root, config);
    readCircuits(root, config);
    readResources(root, config);
    readProviders(root, config);
    checkRequestBudget(root, config);
    readAliases(root, config);
    readModels(root, config);
    readPresetBindings(root, config);
    readRouting(root, config);
    readPrincipals(root, config);
    root.keep("evidence_roots", Kind::table);
    root.finish();
}

void sortByPlace(Findings& findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
    });
}

}  // namespace

LoadedConfig readConfig(std::string text) {
    LoadedConfig loaded;
    loaded.sha256 = sha256Hex(text);
    loaded.text = std::move(text);
    if (loaded.text.size() > kMaxBytes) {
        loaded.findings.push_back({Severity::error, "too_large", {}, {}, "the configuration is larger than 4 MiB",
                                   "Check that it is the right file."});
        return loaded;
    }
    auto parsed = parseToml(loaded.text);
    if (!parsed) {
        loaded.findings.push_back(std::move(parsed.error()));
        return loaded;
    }
    ReadContext context;
    auto config = std::make_shared<GatewayConfig>();
    Section root(context, *parsed, {}, {}, {1, 1});
    readTopLevel(root, *config);
    collectPositions(*parsed, {}, config->positions);
    sortByPlace(context.findings);
    loaded.findings = std::move(context.findings);
    if (!hasErrors(loaded.findings)) loaded.config = std::move(config);
    return loaded;
}

Result<LoadedConfig> readConfigFile(const std::filesystem::path& path) {
    auto text = readFile(path, kMaxBytes);
    if (!text) return tl::unexpected(std::move(text.error()));
    return readConfig(std::move(*text));
}

std::vector<std::string> providerIds(const GatewayConfig& config) {
    std::vector<std::string> out;
    for (const Provider& provider : config.providers) out.push_back(provider.id);
    return out;
}

std::string modelAdvice(const Provider& provider, const std::string& model) {
    if (!provider.models.empty()) return didYouMean(model, provider.models);
    return "Add models = [" + inQuotes(model) + "] to [" + joinPath("providers", provider.id) + "].";
}

void checkNameLength(Section& section, const LocatedText& name, std::string_view provider) {
    const std::size_t bytes = name.value.size() + (provider.empty() ? 0 : provider.size() + 1);
    if (bytes <= table::kMaxRequestNameBytes) return;
    section.reportAt(Severity::error, "model_name_too_long", name,
                     "no request can ask for this model: its name " + std::string(provider.empty() ? "" : "with the provider before it ") +
                         "has " + std::to_string(bytes) + " bytes, and at most " + std::to_string(table::kMaxRequestNameBytes) + " are read",
                     "Serve it under a shorter name.");
}

bool hasControl(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7f) return true;
        // U+0080..U+009F are C2 80..C2 9F; the text is valid UTF-8 here.
        if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
    }
    return false;
}

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

}  // namespace signalbox::config
