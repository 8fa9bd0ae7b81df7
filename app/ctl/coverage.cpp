// SPDX-License-Identifier: MIT
#include "app/ctl/policy_files.h"
#include "app/ctl/verbs.h"

#include "router/base/text.h"
#include "router/table/coverage.h"
#include "router/table/read.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

using table::CellCoverage;
using table::Landing;

constexpr std::size_t kNameWidth = 19, kCellWidth = 12;

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 1, width), ' ');
    return text;
}

void printLine(std::ostream& out, std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
}

/// For a person, who counts rules from 1: `rule 3 m`, `default`, `gap`, `-`; a `+` says that a declared gap stands beside a rule or default.
std::string coverageCellText(const CellCoverage& cell) {
    const std::string rule = "rule " + std::to_string(cell.ruleIndex.value_or(0) + 1);
    std::string text;
    switch (cell.landing) {
    case Landing::ruleMeasured: text = rule + " m"; break;
    case Landing::ruleInferred: text = rule + " i"; break;
    case Landing::ruleUntagged: text = rule; break;
    case Landing::familyDefault: text = "default"; break;
    case Landing::declaredGap: return "gap";
    case Landing::nothing: return "-";
    }
    return cell.gapIndexes.empty() ? text : text + " +";
}

void printFamily(std::ostream& out, const table::FamilyCoverage& family) {
    out << family.family << "  (default " << family.defaultPresetKey.value_or("none")
        << (family.singlePresetByDesign ? ", single preset by design" : "") << ")\n";
    std::string lengths = padded("", kNameWidth), modes = padded("", kNameWidth);
    for (const auto length : table::kLengthBuckets) {
        lengths += padded(std::string(toString(length)), 2 * kCellWidth);
        modes += padded("single", kCellWidth) + padded("multi", kCellWidth);
    }
    printLine(out, lengths);
    printLine(out, modes);
    for (const auto workload : table::kWorkloadClasses) {
        std::string line = padded("  " + std::string(toString(workload)), kNameWidth);
        for (const auto& cell : family.cells)
            if (cell.cell.workload == workload) line += padded(coverageCellText(cell), kCellWidth);
        printLine(out, line);
    }
    out << '\n';
}

OrderedJson cellJson(const CellCoverage& cell) {
    OrderedJson out{{"workload_class", toString(cell.cell.workload)},
                    {"expected_output_length", toString(cell.cell.length)},
                    {"concurrency_mode", toString(cell.cell.concurrency)},
                    {"landing", toString(cell.landing)}};
    out["rule"] = cell.ruleIndex ? OrderedJson(*cell.ruleIndex) : OrderedJson();
    out["preset_key"] = cell.presetKey ? OrderedJson(*cell.presetKey) : OrderedJson();
    out["gaps"] = cell.gapIndexes;
    return out;
}

OrderedJson toJson(const table::Coverage& coverage) {
    OrderedJson families = OrderedJson::array();
    for (const auto& family : coverage.families) {
        OrderedJson one{{"model_family", family.family}, {"single_preset_by_design", family.singlePresetByDesign}};
        one["default_preset"] = family.defaultPresetKey ? OrderedJson(*family.defaultPresetKey) : OrderedJson();
        one["cells"] = OrderedJson::array();
        for (const auto& cell : family.cells) one["cells"].push_back(cellJson(cell));
        families.push_back(std::move(one));
    }
    return {{"families", std::move(families)}, {"unplaced_gaps", coverage.unplacedGaps}};
}

}  // namespace

int runCoverage(const CoverageOptions& options, Context& context) {
    auto files = filesOf(options.files);
    if (!files) return report(context, files.error());
    if (!files->table) return reportUsage(context, "coverage needs a table: name a workspace or --table FILE");
    auto loaded = table::readTableFile(*files->table, context.clock.now());
    if (!loaded) return report(context, withFirstStep(loaded.error(), *files->table));
    printFindings(context.err, loaded->findings, files->table->string());
    if (!loaded->table) return kBadInput;

    auto coverage = table::computeCoverage(*loaded->table);
    if (!options.family.empty()) {
        const auto known = loaded->table->families();
        if (std::find(known.begin(), known.end(), options.family) == known.end()) {
            const auto near = nearestName(options.family, known);
            std::string names;
            for (const auto& name : known) names += (names.empty() ? "\"" : ", \"") + name + '"';
            return report(context, Error{ErrorKind::notFound, "the table has no family \"" + options.family + "\"",
                                         files->table->string(),
                                         near ? "Did you mean \"" + *near + "\"?" : "Its families are " + names + "."});
        }
        std::erase_if(coverage.families, [&](const auto& family) { return family.family != options.family; });
    }
    if (options.json) {
        context.out << toJson(coverage).dump(2) << '\n';
        return kOk;
    }
    for (const auto& family : coverage.families) printFamily(context.out, family);
    context.out << "m measured, i inferred, gap declared and served by no rule or default, - nothing,\n"
                   "+ a declared gap names this cell too\n";
    for (const auto gap : coverage.unplacedGaps)
        context.out << "gap " << gap + 1 << " names no cell: " << loaded->table->gaps[gap].missingCell << '\n';
    return kOk;
}

}  // namespace signalbox::ctl
