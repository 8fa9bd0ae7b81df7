// SPDX-License-Identifier: MIT
// A routing table: accepted whole or not at all, written back with nothing lost, and every cell of it decided.
#include "router/policy/decide.h"
#include "router/table/coverage.h"
#include "router/table/write.h"
#include "tests/fuzz/require.h"

#include <nlohmann/json.hpp>

using namespace signalbox;
using fuzz::require;

namespace {

constexpr Timestamp kNow{std::chrono::seconds(1'764'000'000)};

void checkFindings(const Findings& findings) {
    for (const Finding& finding : findings) {
        require(!finding.code.empty() && !finding.message.empty(), "a finding has a code and a message");
        require(!finding.text("table.json").empty(), "a finding can be told");
    }
}

void checkDecisions(const std::shared_ptr<const table::RoutingTable>& table) {
    const policy::TableIndex index(table);
    constexpr std::size_t kAsked = 8;
    for (std::size_t i = 0; i < std::min(kAsked, table->presets.size()); ++i)
        for (std::size_t c = 0; c < table::kCellCount; ++c) {
            const auto& decision = index.decide(table->presets[i].model, table::Cell::fromIndex(c));
            if (decision.ruleIndex) require(*decision.ruleIndex < table->rules.size(), "a rule that decides exists");
            if (decision.presetKey) require(index.findPreset(*decision.presetKey) != nullptr, "a chosen preset exists");
            require(decision.presetKey.has_value() != decision.nullCause.has_value(), "a preset or the reason for none");
        }
    const table::Coverage coverage = table::computeCoverage(*table);
    require(coverage.families.size() <= table->families().size(), "only families of the table are covered");
}

void checkWriting(const table::LoadedTable& loaded) {
    const std::string text = table::writeTable(loaded.document->root());
    const table::LoadedTable again = table::readTable(text, kNow);
    require(again.table != nullptr, "a written table is accepted");
    require(again.table->presets == loaded.table->presets && again.table->rules == loaded.table->rules &&
                again.table->gaps == loaded.table->gaps,
            "a written table says the same");
    require(table::writeTable(again.document->root()) == text, "writing twice gives the same text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const table::LoadedTable loaded = table::readTable(std::string(reinterpret_cast<const char*>(data), size), kNow);
    checkFindings(loaded.findings);
    checkFindings(loaded.advisories);
    require((loaded.table == nullptr) == hasErrors(loaded.findings), "no table exactly when there is an error");
    require(loaded.sha256.size() == 64, "the digest is always there");
    if (!loaded.table) return 0;
    checkDecisions(loaded.table);
    checkWriting(loaded);
    return 0;
}
