// SPDX-License-Identifier: MIT
#include "app/ctl/verbs.h"

#include "router/base/file.h"
#include "router/policy/first_workspace.h"
#include "router/base/hashing.h"
#include "router/base/json_document.h"
#include "router/config/import_models.h"
#include "router/strategy/registry.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

namespace fs = std::filesystem;
using config::ImportEntry;
using config::ImportOutcome;
using config::ModelsImport;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr std::array kOrder{ImportOutcome::carried, ImportOutcome::present, ImportOutcome::changed, ImportOutcome::notCarried, ImportOutcome::conflict};

/// The gateway.toml that the models go into.
struct Target {
    fs::path file;  ///< `-` prints it
    std::string text;  ///< what they are added to
    std::optional<std::string> sha256;  ///< of the file now; empty text: there is none
    bool isNew = false;  ///< holds the import and nothing else, so that what stands there must be the same
};

Findings judge(const config::Model& model) {
    config::GatewayConfig alone;
    alone.models.push_back(model);
    return strategy::checkRouters(alone);
}

Result<std::string> readIfThere(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored) ? readFile(file, kMaxBytes) : Result<std::string>(std::string());
}

Result<Target> targetOf(const ImportOptions& options) {
    Target out;
    out.isNew = !options.output.empty();
    if (options.output == "-") {
        out.file = options.output;
        return out;
    }
    if (out.isNew) {
        out.file = options.output;
    } else {
        auto folder = workspaceFolder(options.workspace);
        if (!folder) return tl::unexpected(folder.error());
        out.file = config::WorkspacePaths{*folder}.config().lexically_normal();
    }
    auto text = readIfThere(out.file);
    if (!text) return tl::unexpected(text.error());
    std::error_code ignored;
    out.sha256 = fs::exists(out.file, ignored) ? sha256Hex(*text) : std::string();
    out.text = std::move(*text);
    return out;
}

std::string_view titleOf(ImportOutcome outcome) {
    switch (outcome) {
    case ImportOutcome::carried: return "carried";
    case ImportOutcome::present: return "there already";
    case ImportOutcome::changed: return "changed";
    case ImportOutcome::notCarried: return "not carried";
    case ImportOutcome::conflict: return "conflicts";
    }
    return "";
}

std::string countsOf(const ModelsImport& import) {
    std::string out;
    for (const ImportOutcome outcome : kOrder)
        if (const std::size_t count = import.count(outcome))
            out += (out.empty() ? "" : ", ") + std::to_string(count) + ' ' + std::string(titleOf(outcome));
    return out;
}

void printEntry(std::ostream& to, const ImportEntry& entry, const std::string& name) {
    const Finding& f = entry.finding;
    to << "  ";
    if (f.position.line != 0) to << name << ':' << f.position.line << ':' << f.position.column << ": ";
    to << f.message;
    if (!f.pointer.empty()) to << " (" << f.pointer << ')';
    to << '.';
    if (!f.hint.empty()) to << ' ' << f.hint << (f.hint.ends_with('.') || f.hint.ends_with('?') ? "" : ".");
    constexpr std::size_t kMostPlaces = 6;
    for (std::size_t i = 0; i < entry.also.size() && i < kMostPlaces; ++i)
        to << (i == 0 ? " Also on line " : ", ") << entry.also[i].line;
    if (entry.also.size() > kMostPlaces) to << " and " << entry.also.size() - kMostPlaces << " more";
    if (!entry.also.empty()) to << '.';
    to << '\n';
}

void printReport(std::ostream& to, const ModelsImport& import, const std::string& name) {
    for (const ImportOutcome outcome : kOrder) {
        const std::size_t count = import.count(outcome);
        if (count == 0) continue;
        to << titleOf(outcome) << " (" << count << ")\n";
        for (const ImportEntry& entry : import.report)
            if (entry.outcome == outcome) printEntry(to, entry, name);
    }
}

OrderedJson toJson(const ModelsImport& import, const Target& target, bool written) {
    OrderedJson report = OrderedJson::array();
    for (const ImportEntry& entry : import.report) {
        OrderedJson also = OrderedJson::array();
        for (const TextPosition& at : entry.also) also.push_back({{"line", at.line}, {"column", at.column}});
        const Finding& f = entry.finding;
        report.push_back({{"outcome", toString(entry.outcome)},
                          {"path", f.pointer},
                          {"line", f.position.line},
                          {"column", f.position.column},
                          {"also", std::move(also)},
                          {"code", f.code},
                          {"message", f.message},
                          {"hint", f.hint}});
    }
    OrderedJson counts = OrderedJson::object();
    for (const ImportOutcome outcome : kOrder) counts[std::string(toString(outcome))] = import.count(outcome);
    return {{"file", target.file.string()},
            {"written", written},
            {"changes", import.text != target.text},
            {"counts", std::move(counts)},
            {"set_variables", import.variables},
            {"report", std::move(report)}};
}

bool hasModel(const ModelsImport& import) {
    return std::any_of(import.report.begin(), import.report.end(), [](const ImportEntry& entry) {
        return entry.finding.code == "model" && (entry.outcome == ImportOutcome::carried || entry.outcome == ImportOutcome::present);
    });
}

/// Why nothing may be written; empty when it may.
std::string obstacle(const ModelsImport& import, const Target& target, const ImportOptions& options) {
    if (import.count(ImportOutcome::conflict) > 0 && !options.keepExisting)
        return "gateway.toml says something else about what is listed as conflicts; --keep-existing leaves that as it is and imports the rest";
    if (!hasModel(import) && import.count(ImportOutcome::conflict) == 0) return "not one model could be carried";
    if (target.isNew && target.sha256 && !target.sha256->empty() && import.text != target.text)
        return target.file.string() + " stands there already and differs; name another file, or --workspace to add to one";
    return {};
}

/// What was done, for a person.
std::string outcomeText(const ModelsImport& import, const Target& target, const ImportOptions& options, const std::string& trouble) {
    if (!trouble.empty()) return "nothing was written: " + trouble;
    if (import.text == target.text) return "nothing to change: " + target.file.string() + " says all of it already";
    if (options.dryRun) return "dry run, nothing was written: " + countsOf(import);
    return (target.file == "-" ? std::string() : target.file.string() + " written: ") + countsOf(import);
}

}  // namespace

int runImport(const ImportOptions& options, Context& context) {
    auto yaml = readInput(context, options.registry, kMaxBytes);
    if (!yaml) return report(context, yaml.error());
    auto target = targetOf(options);
    if (!target) return report(context, target.error());
    const std::string name = inputName(options.registry);
    const auto import = config::importModels(*yaml, target->isNew ? std::string_view() : std::string_view(target->text), judge);
    if (!import) {
        const bool inRegistry = import.error().in == config::ImportRefusal::In::registry;
        printFindings(context.err, import.error().findings, inRegistry ? name : target->file.string());
        return kBadInput;
    }
    const bool toStdout = target->file == "-";
    const std::string trouble = obstacle(*import, *target, options);
    const bool writes = trouble.empty() && !options.dryRun && !toStdout && import->text != target->text;
    if (writes)
        if (auto written = writeFileAtomic(target->file, import->text, {.expectedSha256 = target->sha256}); !written) return report(context, written.error());

    // A workspace needs a table, even where the models alone route.
    const std::filesystem::path table = target->isNew ? std::filesystem::path() : target->file.parent_path() / "routing-table.json";
    bool tableWritten = false;
    if (!target->isNew && trouble.empty() && !options.dryRun) {
        auto made = policy::writeMissingTable(table, context.clock.now());
        if (!made) return report(context, made.error());
        tableWritten = *made;
    }

    // The text itself goes to stdout for a pipe, and what is said about it beside it.
    std::ostream& reportTo = toStdout && !options.json ? context.err : context.out;
    if (options.json) context.out << toJson(*import, *target, writes).dump(2) << '\n';
    else printReport(reportTo, *import, name);
    if (toStdout && !options.json && !options.dryRun && trouble.empty()) context.out << import->text;
    context.err << outcomeText(*import, *target, options, trouble) << '\n';
    if (tableWritten) context.err << table.string() << " written: an empty routing table, which a workspace needs\n";
    if (!import->variables.empty() && trouble.empty()) {
        context.err << "Set before the next start:";
        for (const std::string& variable : import->variables) context.err << ' ' << variable;
        context.err << '\n';
    }
    return trouble.empty() ? kOk : kBadInput;
}

}  // namespace signalbox::ctl
