// SPDX-License-Identifier: MIT
#include "router/table/coverage.h"
#include "router/table/when.h"
#include "tests/router/table/tables.h"

using namespace signalbox;
using namespace signalbox::table;

class TableCoverage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void missingCell_data();
    void missingCell();
    void goodTable();
    void firstRuleOwnsTheCell();
    void defaultIsNoGap();
    void unlabelledPresetsAreNoFamily();
    void unplacedGaps();
    void genesis();
};

/// One letter a cell in the order of Cell::index(): M measured, I inferred, U untagged, D default, G gap, '.' nothing.
static QString letters(const FamilyCoverage& family) {
    QString out;
    for (const CellCoverage& cell : family.cells) out += QLatin1Char("MIUDG."[static_cast<std::size_t>(cell.landing)]);
    return out;
}

void TableCoverage::missingCell_data() {
    QTest::addColumn<QString>("prose");
    QTest::addColumn<int>("cells");  // -1: names none
    const auto row = [](const char* prose, int cells) { QTest::newRow(prose) << QString::fromLatin1(prose) << cells; };
    row("concurrency_mode=multi_conc", 15);
    row("concurrency_mode=multi_conc for ANY workload (no preset exists)", 15);
    row("workload_class=structured_json/tool_call AND concurrency_mode=single_stream", 6);
    row("workload_class=structured_json/tool_call AND expected_output_length=short AND concurrency_mode=multi_conc", 2);
    row("workload_class=tool_call (real envelope, tools[] field non-empty)", 6);
    row("expected_output_length=short/medium/long", 30);
    row("workload_class=tool_call AND more prose", 6);
    row("", -1);
    row("everything", -1);
    row("the cell concurrency_mode=multi_conc", -1);
    row("tenant=gold", -1);
    row("workload_class=vision", -1);
    row("workload_class=tool_call/vision", -1);
    row("workload_class=", -1);
    row("workload_class=tool_callx", -1);
    row("workload_class=tool_call AND tenant=gold", -1);
    row("workload_class=tool_call AND workload_class=code_gen", -1);
}

void TableCoverage::missingCell() {
    QFETCH(QString, prose);
    QFETCH(int, cells);
    const auto when = parseMissingCell(prose.toStdString());
    QCOMPARE(when ? std::popcount(cellsOf(*when)) : -1, cells);
}

void TableCoverage::goodTable() {
    const auto loaded = readTable(test::goodText(), test::afterAll());
    const auto coverage = computeCoverage(*loaded.table);
    QCOMPARE(coverage.families.size(), std::size_t{2});
    const FamilyCoverage& amber = coverage.families[0];
    QCOMPARE(letters(amber), QStringLiteral("MMDDDDMMDDDDDDDDDDDDDDDDDDDDDD"));
    QVERIFY(!amber.singlePresetByDesign && amber.defaultPresetKey == "amber-base");
    QCOMPARE(*amber.cells[0].ruleIndex, std::size_t{1});
    QCOMPARE(*amber.cells[1].ruleIndex, std::size_t{0});
    QVERIFY(amber.cells[1].presetKey == "amber-wide" && amber.cells[2].presetKey == "amber-base");
    QVERIFY(coverage.families[1].singlePresetByDesign);
    QVERIFY(coverage.unplacedGaps.empty());
}

void TableCoverage::firstRuleOwnsTheCell() {
    auto json = test::goodJson();
    json["routing_rules"][1]["when"] = OrderedJson::object();
    json["routing_rules"][1]["evidence_tag"] = "inferred";
    json["routing_rules"].push_back(json["routing_rules"][0]);
    auto coverage = computeCoverage(*test::load(json).table);
    QCOMPARE(letters(coverage.families[0]), QStringLiteral("IMIIIIIMIIIIIIIIIIIIIIIIIIIIII"));
    json["routing_rules"][0]["evidence_tag"] = nullptr;
    coverage = computeCoverage(*test::load(json).table);
    QCOMPARE(letters(coverage.families[0]).at(1), QLatin1Char('U'));
}

/// A default is policy, not a gap; the gap stays visible beside it.
void TableCoverage::defaultIsNoGap() {
    auto json = test::goodJson();
    const Cell multi{WorkloadClass::codeGen, LengthBucket::mediumOutput, ConcurrencyMode::multiConc};
    auto table = test::load(json).table;
    const CellCoverage cell = computeCoverage(*table).families[1].cells[multi.index()];
    QVERIFY(cell.landing == Landing::familyDefault);
    QCOMPARE(cell.gapIndexes, std::vector<std::size_t>{0});
    json["presets"][3]["default_for_family"] = false;
    table = test::load(json).table;
    QCOMPARE(letters(computeCoverage(*table).families[1]), QStringLiteral(".G").repeated(15));
    QCOMPARE(gapsForCell(*table, "basalt_dense", multi), std::vector<std::size_t>{0});
    QVERIFY(gapsForCell(*table, "amber_moe", multi).empty());
}

/// T17: no request has the family `unknown`.
void TableCoverage::unlabelledPresetsAreNoFamily() {
    auto json = test::goodJson();
    json["presets"][3]["model_family"] = "unknown";
    const auto coverage = computeCoverage(*test::load(json).table);
    QCOMPARE(coverage.families.size(), std::size_t{1});
}

void TableCoverage::unplacedGaps() {
    auto json = test::goodJson();
    auto gap = json["coverage_gaps"][0];
    gap["missing_cell"] = "what we have not thought of";
    json["coverage_gaps"].push_back(gap);
    gap["missing_cell"] = "workload_class=free_chat";
    gap["model_family"] = "all";
    json["coverage_gaps"].push_back(gap);
    const auto table = test::load(json).table;
    QCOMPARE(computeCoverage(*table).unplacedGaps, std::vector<std::size_t>{1});
    const Cell chat{WorkloadClass::freeChat, LengthBucket::longOutput, ConcurrencyMode::multiConc};
    QCOMPARE(gapsForCell(*table, "basalt_dense", chat), (std::vector<std::size_t>{0, 2}));
    QCOMPARE(gapsForCell(*table, "amber_moe", chat), std::vector<std::size_t>{2});
}

void TableCoverage::genesis() {
    const std::string text = test::genesisText();
    if (text.empty()) QSKIP("genesis-table-v1.json is not here: set SIGNALBOX_SHARED_VECTORS to its folder");
    const auto loaded = readTable(text, test::afterAll());
    const auto coverage = computeCoverage(*loaded.table);
    QCOMPARE(coverage.families.size(), std::size_t{3});
    QCOMPARE(letters(coverage.families[0]), QStringLiteral("DMDDDDDMDDDDDDDDDDDDDDDDDDDDDD"));
    QCOMPARE(letters(coverage.families[1]), QStringLiteral("GGGGGGGGGGGG") + QStringLiteral(".G").repeated(9));
    QCOMPARE(letters(coverage.families[2]), QStringLiteral("GGGGGG") + QStringLiteral(".").repeated(24));
    QVERIFY(coverage.families[2].singlePresetByDesign);
    QVERIFY(coverage.unplacedGaps.empty());
}

QTEST_APPLESS_MAIN(TableCoverage)
#include "tst_table_coverage.moc"

#include <nlohmann/json.hpp>
