// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/config/read.h"
#include "router/config/read_parts.h"

#include <algorithm>
#include <set>

namespace signalbox::config {
namespace {

class CrossCheck {
public:
    CrossCheck(const GatewayConfig& config, const table::RoutingTable& table) : m_config(config), m_table(table) {
        for (const table::Preset& preset : table.presets) {
            m_tableNames.insert(preset.presetKey);
            m_tableNames.insert(preset.model);
            if (preset.servedModelName) m_tableNames.insert(*preset.servedModelName);
        }
    }

    [[nodiscard]] Findings run() && {
        checkStaticAliases();
        checkSmartAliases();
        checkAllowedModels();
        // A table of an unknown version applies no presets at all; the gateway then serves without them.
        if (m_table.isApplicable()) {
            checkBindings();
            checkPresets();
            checkNaturalPresets();
        }
        return std::move(m_findings);
    }

private:
    void report(Severity severity, std::string_view code, const std::string& path, std::string message,
                std::string hint) {
        const auto at = m_config.positions.find(path);
        m_findings.push_back({severity, std::string(code), path,
                              at == m_config.positions.end() ? TextPosition{} : at->second, std::move(message),
                              std::move(hint)});
    }

    void checkHides(const std::string& alias, const std::string& path) {
        if (m_tableNames.contains(alias))
            report(Severity::warning, "alias_hides_table_name", path,
                   "the alias " + inQuotes(alias) + " hides a preset or model of the routing table",
                   "Requests for that name never reach the table's rules; rename the alias unless that is meant.");
    }

    [[nodiscard]] bool isConfigured(const std::string& name) const {
        return m_config.aliases.contains(name) || m_config.findGroupByAlias(name) != nullptr || m_config.findModel(name) != nullptr ||
               std::any_of(m_config.providers.begin(), m_config.providers.end(),
                           [&](const Provider& provider) { return provider.accepts(name); });
    }

    // What the table answers: a name of its own, or one that a preset is the natural one of.
    [[nodiscard]] bool isOfTable(const std::string& name) const {
        return m_tableNames.contains(name) || m_config.naturalPresets.contains(name);
    }

    [[nodiscard]] std::vector<std::string> namesOfModels() const {
        std::vector<std::string> out(m_tableNames.begin(), m_tableNames.end());
        for (const Model& model : m_config.models) out.push_back(model.id);
        for (const Provider& provider : m_config.providers) out.insert(out.end(), provider.models.begin(), provider.models.end());
        return out;
    }

    // More than `isConfigured`: a provider that passes unknown names through would take those of a misspelt one, too.
    [[nodiscard]] bool isSpelledOut(const std::string& name) const {
        const auto isPrefix = [&](const std::string& prefix) { return name.starts_with(prefix); };
        const auto spells = [&](const Provider& one) {
            return one.lists(name) || one.defaultModel == name || std::any_of(one.modelPrefixes.begin(), one.modelPrefixes.end(), isPrefix);
        };
        return m_config.aliases.contains(name) || m_config.findModel(name) != nullptr ||
               std::any_of(m_config.providers.begin(), m_config.providers.end(), spells);
    }

    // Of an endpoint `provider:model` the file alone has said everything already.
    void checkStaticAliases() {
        for (const auto& [name, target] : m_config.aliases) {
            const std::string path = joinPath("aliases", name);
            checkHides(name, path);
            const auto colon = target.find(':');
            if (isOfTable(target)) continue;
            if (colon == std::string::npos) {
                if (!isConfigured(target))
                    reportTarget("alias_target_unknown", path, inQuotes(target) + " is neither a preset, a model, an alias nor provider:model",
                                 didYouMean(target, namesOfModels()));
            } else if (m_config.findProvider(target.substr(0, colon)) == nullptr && !isSpelledOut(target)) {
                reportMissingProvider(path, target, target.substr(0, colon));
            }
        }
    }

    // Names of models hold colons, too, as in "qwen:7b".
    void reportMissingProvider(const std::string& path, const std::string& target, const std::string& id) {
        const auto near = nearestName(target, namesOfModels());
        reportTarget("alias_provider_missing", path, "there is no provider " + inQuotes(id) + ", and " + inQuotes(target) + " is no name of a model",
                     near ? "Did you mean " + inQuotes(*near) + "?" : didYouMean(id, providerIds(m_config)));
    }

    // A table of an unknown version may well hold the name; what goes on serving without it does not stop for that.
    void reportTarget(std::string_view code, const std::string& path, std::string message, std::string hint) {
        if (m_table.isApplicable()) return report(Severity::error, code, path, std::move(message), std::move(hint));
        report(Severity::warning, code, path, std::move(message),
               "If the routing table names it: this version does not read that table, so requests for this alias are refused.");
    }

    void checkSmartAliases() {
        for (const SmartGroup& group : m_config.routing.groups)
            for (std::size_t i = 0; i < group.aliases.size(); ++i)
                checkHides(group.aliases[i],
                           joinPath("routing.groups", group.id) + ".aliases[" + std::to_string(i) + "]");
    }

    // `provider:model` of a known provider is a name that clients send, too.
    [[nodiscard]] bool isExplicit(const std::string& name) const {
        const auto colon = name.find(':');
        if (colon == std::string::npos) return false;
        const Provider* provider = m_config.findProvider(name.substr(0, colon));
        return provider != nullptr && provider->accepts(name.substr(colon + 1));
    }

    void checkAllowedModels() {
        const std::vector<std::string> known = namesOfModels();
        for (const Principal& principal : m_config.principals) {
            if (!principal.allowedModels) continue;
            const std::string path = joinPath("principals", principal.id) + ".allowed_models";
            for (std::size_t i = 0; i < principal.allowedModels->size(); ++i) {
                const std::string& name = (*principal.allowedModels)[i];
                if (isOfTable(name) || isConfigured(name) || isExplicit(name)) continue;
                report(Severity::warning, "allowed_model_unknown", path + "[" + std::to_string(i) + "]",
                       inQuotes(name) + " is no model of the table or of a provider, nor an alias",
                       didYouMean(name, known));
            }
        }
    }

    void checkBindings() {
        std::vector<std::string> keys;
        for (const table::Preset& preset : m_table.presets) keys.push_back(preset.presetKey);
        for (const PresetBinding& binding : m_config.presetBindings) {
            const std::string path = joinPath("presets", binding.presetKey);
            const table::Preset* preset = m_table.findPreset(binding.presetKey);
            if (preset == nullptr) {
                report(Severity::error, "preset_unknown", path,
                       "the routing table has no preset " + inQuotes(binding.presetKey),
                       didYouMean(binding.presetKey, keys));
                continue;
            }
            const Provider* provider = m_config.findProvider(binding.provider);
            const std::string& model = preset->servedModelName ? *preset->servedModelName : preset->model;
            if (!binding.model && provider != nullptr && !provider->models.empty() && !provider->accepts(model))
                report(Severity::warning, "preset_model_not_listed", path,
                       "provider " + inQuotes(provider->id) + " does not list the preset's model " + inQuotes(model),
                       "Add model = \"NAME\" as that provider calls it.");
            else if (provider != nullptr && !provider->isCallable())
                report(Severity::warning, "preset_provider_not_callable", path,
                       "this preset cannot be served: provider " + inQuotes(provider->id) + " " +
                           std::string(provider->whyNotCallable()),
                       "Bind it to another provider, or change " + joinPath("providers", provider->id) + ".");
        }
    }

    [[nodiscard]] bool isServedByInventory(const table::Preset& preset) const {
        return std::any_of(m_config.providers.begin(), m_config.providers.end(), [&](const Provider& provider) {
            return provider.lists(preset.model) || (preset.servedModelName && provider.lists(*preset.servedModelName));
        });
    }

    void checkPresets() {
        for (const table::Preset& preset : m_table.presets) {
            if (m_config.findBinding(preset.presetKey) != nullptr) continue;
            const std::string path = joinPath("presets", preset.presetKey);
            // Without any provider there is no ID to name yet.
            const std::string provider = m_config.providers.empty()
                                             ? "[providers.ID] with base_url = \"http…\" or protocol = \"simulated\", then "
                                             : "";
            report(Severity::warning, "preset_without_endpoint", path,
                   "no endpoint is bound to the preset " + inQuotes(preset.presetKey),
                   (isServedByInventory(preset) ? "Until then a provider that lists its model is used. Add "
                                                : "Requests for it will fail. Add ") +
                       provider + "[" + path + "] with provider = \"ID\".");
        }
    }

    void checkNaturalPresets() {
        for (const auto& [model, preset] : m_config.naturalPresets)
            if (!m_tableNames.contains(model) && !isConfigured(model))
                report(Severity::warning, "natural_for_unknown_model", joinPath("presets", preset) + ".natural_for",
                       inQuotes(model) + " is no model of the table or of a provider",
                       didYouMean(model, std::vector<std::string>(m_tableNames.begin(), m_tableNames.end())));
    }

    const GatewayConfig& m_config;
    const table::RoutingTable& m_table;
    std::set<std::string> m_tableNames;
    Findings m_findings;
};

}  // namespace

Findings crossCheck(const GatewayConfig& config, const table::RoutingTable& table) {
    return CrossCheck(config, table).run();
}

}  // namespace signalbox::config
