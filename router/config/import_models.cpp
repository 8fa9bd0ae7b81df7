// SPDX-License-Identifier: MIT
#include "router/config/import_models.h"

#include "router/config/read.h"
#include "router/config/registry/import_plan.h"
#include "router/config/registry/import_write.h"
#include "router/config/registry/read_registry.h"

#include <algorithm>

namespace signalbox::config {
namespace {

using In = ImportRefusal::In;

tl::unexpected<ImportRefusal> refuse(In in, Findings findings) { return tl::unexpected(ImportRefusal{in, std::move(findings)}); }

Findings errorsOf(Findings findings) {
    std::erase_if(findings, [](const Finding& finding) { return finding.severity != Severity::error; });
    return findings;
}

/// Names that the rest of the file forbids, for one. The places are those of a text that nobody has.
Findings doesNotFit(const Findings& after) {
    Findings out = errorsOf(after);
    for (Finding& finding : out) {
        finding.position = {};
        finding.message = "what the registry adds does not fit: " + finding.message;
    }
    return out;
}

/// What the validators have to say of the new text only.
void reportWarnings(const Findings& before, const Findings& after, ImportReport& report) {
    for (const Finding& finding : after) {
        if (finding.severity != Severity::warning) continue;
        const bool known = std::any_of(before.begin(), before.end(), [&](const Finding& f) { return f.code == finding.code && f.pointer == finding.pointer; });
        if (!known) report.add(ImportOutcome::changed, finding.code, {finding.pointer, {}}, "in gateway.toml: " + finding.message, finding.hint);
    }
}

std::vector<std::string> variablesOf(const ImportPlan& plan) {
    std::vector<std::string> out;
    for (const PlannedProvider& planned : plan.providers)
        if (planned.needed && !planned.literal.empty()) out.push_back(*planned.made.apiKeyEnv);
    return out;
}

}  // namespace

tl::expected<ModelsImport, ImportRefusal> importModels(std::string_view yaml, std::string_view gatewayToml, const ModelJudge& judge) {
    const LoadedConfig before = readConfig(std::string(gatewayToml));
    if (!before.config) return refuse(In::config, errorsOf(before.findings));
    auto tree = readYaml(yaml);
    if (!tree) return refuse(In::registry, {std::move(tree.error())});
    RegistryContext context;
    const std::vector<RegistryModel> models = readRegistry(*tree, context);
    const ImportPlan plan = planImport(models, *before.config, judge, context);
    auto text = withImport(gatewayToml, plan);
    if (!text)
        return refuse(In::config, {{Severity::error, "cannot_be_written", text.error().where, {}, text.error().message, text.error().hint}});
    const LoadedConfig after = readConfig(*text);
    if (!after.config) return refuse(In::config, doesNotFit(after.findings));
    reportWarnings(before.findings, after.findings, context.report);
    ModelsImport out;
    out.text = std::move(*text);
    out.variables = variablesOf(plan);
    out.report = context.report.take();
    if (out.report.empty())
        return refuse(In::registry, {{Severity::error, "no_models", {}, tree->root->at, "there are no models in it", "A registry begins with models: and a list."}});
    return out;
}

}  // namespace signalbox::config
