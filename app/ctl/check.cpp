// SPDX-License-Identifier: MIT
#include "app/ctl/policy_files.h"
#include "app/ctl/unset_variables.h"
#include "app/ctl/verbs.h"

#include "router/base/json_document.h"
#include "router/base/text.h"
#include "router/config/section.h"
#include "router/strategy/registry.h"
#include "router/strategy/workspace.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

/// What was found out, file by file, and what could not be read at all.
struct Report {
    struct Part {
        std::string file;
        Findings findings;
    };
    std::vector<Part> parts;
    std::vector<Error> errors;

    void add(const std::filesystem::path& file, const Findings& findings) {
        parts.push_back({file.string(), findings});
    }
    [[nodiscard]] Findings all() const {
        Findings out;
        for (const auto& part : parts) out.insert(out.end(), part.findings.begin(), part.findings.end());
        return out;
    }
};

void addTable(Report& report, const std::filesystem::path& file, const table::LoadedTable& loaded) {
    report.add(file, loaded.findings);
    report.add(file, loaded.advisories);
}

void checkTable(Report& report, const std::filesystem::path& file, Timestamp now) {
    auto loaded = table::readTableFile(file, now);
    if (loaded) addTable(report, file, *loaded);
    else report.errors.push_back(withFirstStep(loaded.error(), file));
}

/// An alias of a provider that is not there, in a gateway.toml without its table: names of models hold colons, too, so
/// this is an error only where the table is seen. It is asked about with one that cannot be read, which may hold anything.
Findings doubtfulAliases(const config::GatewayConfig& config) {
    table::RoutingTable unread;
    unread.schemaVersion = 0;
    Findings found = config::crossCheck(config, unread);
    std::erase_if(found, [](const Finding& finding) { return finding.code != "alias_provider_missing"; });
    std::vector<std::string> known;
    for (const auto& provider : config.providers) known.push_back(provider.id);
    for (const auto& [name, target] : config.aliases)
        for (Finding& finding : found) {
            if (finding.pointer != config::joinPath("aliases", name)) continue;
            const auto near = nearestName(target.substr(0, target.find(':')), known);
            finding.hint = (near ? "Did you mean \"" + *near + "\"? " : "") + std::string("If the routing table has that name: check both, with --table FILE.");
        }
    return found;
}

void checkConfig(Report& report, const std::filesystem::path& file, const config::Environment& environment) {
    auto loaded = config::readConfigFile(file);
    if (!loaded) {
        report.errors.push_back(withFirstStep(loaded.error(), file));
        return;
    }
    report.add(file, loaded->findings);
    if (!loaded->config) return;
    auto overridden = *loaded->config;
    if (auto overrides = config::applyEnvironmentOverrides(overridden, environment); !overrides)
        report.errors.push_back(overrides.error());
    report.add(file, doubtfulAliases(*loaded->config));
    report.add(file, strategy::checkRouters(*loaded->config));
    report.add(file, unsetVariables(*loaded->config, environment));
}

Report check(const Files& files, Context& context) {
    Report report;
    const Timestamp now = context.clock.now();
    if (files.table && files.config) {
        auto workspace = strategy::loadWorkspace(*files.table, *files.config, context.environment, now);
        if (workspace) {
            addTable(report, *files.table, workspace->table);
            report.add(*files.config, workspace->config.findings);
            report.add(*files.config, workspace->crossFindings);
            if (workspace->config.config)
                report.add(*files.config, unsetVariables(*workspace->config.config, context.environment));
            return report;
        }
        // One of them cannot be read; the other is still worth checking.
    }
    if (files.table) checkTable(report, *files.table, now);
    if (files.config) checkConfig(report, *files.config, context.environment);
    return report;
}

OrderedJson toJson(const Report& report) {
    OrderedJson out{{"valid", report.errors.empty() && !hasErrors(report.all())}};
    OrderedJson findings = OrderedJson::array();
    for (const auto& error : report.errors)
        findings.push_back({{"severity", "error"}, {"file", error.where}, {"message", error.message}, {"hint", error.hint}});
    for (const auto& part : report.parts) {
        for (const auto& f : part.findings)
            findings.push_back({{"severity", toString(f.severity)},
                                {"file", part.file},
                                {"line", f.position.line},
                                {"column", f.position.column},
                                {"pointer", f.pointer},
                                {"code", f.code},
                                {"message", f.message},
                                {"hint", f.hint}});
    }
    out["findings"] = std::move(findings);
    return out;
}

}  // namespace

int runCheck(const CheckOptions& options, Context& context) {
    auto files = filesOf(options.files);
    if (!files) return report(context, files.error());
    const Report found = check(*files, context);
    const Findings all = found.all();

    int code = hasErrors(all) ? kBadInput : kOk;
    for (const auto& error : found.errors) code = std::max(code, report(context, error));
    if (options.json) {
        context.out << toJson(found).dump(2) << '\n';
        return code;
    }
    for (const auto& part : found.parts) printFindings(context.out, part.findings, part.file);
    // A file that cannot be read has said everything already, unless there are findings to count beside it.
    const std::string counts = all.empty() ? "" : countsText(all, found.errors.size());
    if (code == kOk) context.err << "valid" << (counts.empty() ? "" : ": " + counts) << '\n';
    else if (!counts.empty()) context.err << "not valid: " << counts << '\n';
    return code;
}

}  // namespace signalbox::ctl
