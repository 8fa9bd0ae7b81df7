// SPDX-License-Identifier: MIT
#include "tests/router/table/tables.h"

#include <nlohmann/json.hpp>
#include <QTemporaryDir>

using namespace signalbox;
using namespace signalbox::table;
using signalbox::test::findCode;
using signalbox::test::load;
using signalbox::test::summary;

class TableRead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void goodTable();
    void genesisHasOneFinding();
    void everyErrorIsReported();
    void missingMembersAreOneError();
    void findingsHavePositions();
    void rules_data();
    void rules();
    void shadowingRulesAreNamed();
    void advisories_data();
    void advisories();
    void familyWithoutDefaultIsAWarning();
    void nameInSeveralFamilies();
    void F34_namesThatNoRequestCanCarry();
    void unknownVersionIsAShell();
    void generatedAtInTheFuture();
    void missingPinAndEmitter();
    void numberTooLargeInAnUnknownField();
    void manyFindingsAreCounted();
    void unreadableFiles();
    void words();
};

static OrderedJson rule(const char* family, const char* preset, OrderedJson when) {
    return {{"model_family", family}, {"when", std::move(when)}, {"preset_key", preset},
            {"evidence", "bench run 2"}, {"evidence_tag", "measured"}};
}

void TableRead::goodTable() {
    const auto loaded = readTable(test::goodText(), test::afterAll());
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings), QStringList());
    QCOMPARE(summary(loaded.advisories), QStringList());
    const RoutingTable& table = *loaded.table;
    QCOMPARE(table.presets.size(), std::size_t{4});
    QCOMPARE(table.rules.size(), std::size_t{2});
    QCOMPARE(table.gaps.size(), std::size_t{1});
    QVERIFY(!table.vllmPin && !table.isOurs() && table.isApplicable());
    QVERIFY(table.rules[0].when.matches({WorkloadClass::toolCall, LengthBucket::shortOutput, ConcurrencyMode::multiConc}));
    QVERIFY(!table.rules[0].when.matches({WorkloadClass::toolCall, LengthBucket::longOutput, ConcurrencyMode::multiConc}));
    QCOMPARE(table.families(), (std::vector<std::string>{"amber_moe", "basalt_dense"}));
    QVERIFY(table.findPreset("amber-k4") != nullptr && table.findPreset("amber") == nullptr);
}

/// D1: the real emitter writes a role that its own schema forbids; nothing else is wrong with its table.
void TableRead::genesisHasOneFinding() {
    const std::string text = test::genesisText();
    if (text.empty()) QSKIP("genesis-table-v1.json is not here: set SIGNALBOX_SHARED_VECTORS to its folder");
    const auto loaded = readTable(text, test::afterAll());
    QVERIFY(loaded.table);
    QCOMPARE(loaded.table->presets.size(), std::size_t{15});
    QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("unlisted_role /presets/4/role")));
    const auto count = [&](std::string_view code) {
        return std::count_if(loaded.advisories.begin(), loaded.advisories.end(),
                             [&](const Finding& f) { return f.code == code && f.severity == Severity::note; });
    };
    QCOMPARE(count("family_without_rule_or_default"), 2);
    QCOMPARE(count("gap_beside_rule"), 1);
    QCOMPARE(count("name_without_natural_preset"), 4);
    QCOMPARE(loaded.advisories.size(), std::size_t{7});
}

void TableRead::everyErrorIsReported() {
    auto json = test::goodJson();
    json.erase("fallback");
    json["presets"][0]["spec_decode_K"] = 0;
    json["presets"][1]["max_num_seqs"] = "many";
    json["presets"][2].erase("model");
    json["routing_rules"][0]["preset_key"] = "amber-wid";
    json["routing_rules"][1]["when"]["concurrency_mode"] = "single_stream";
    json["length_detection"]["short_threshold_tokens"] = 300;
    const auto loaded = load(json);
    QVERIFY(!loaded.table && loaded.document && loaded.sha256.size() == 64);
    QStringList found = summary(loaded.findings);
    found.sort();
    QCOMPARE(found, (QStringList{
                        QStringLiteral("missing_top_level_key "),
                        QStringLiteral("preset_field_type /presets/1/max_num_seqs"),
                        QStringLiteral("preset_missing_field /presets/2"),
                        QStringLiteral("rule_targets_unknown_preset /routing_rules/0/preset_key"),
                        QStringLiteral("short_threshold_not_256 /length_detection/short_threshold_tokens"),
                        QStringLiteral("spec_decode_k_below_one /presets/0/spec_decode_K"),
                        QStringLiteral("when_axis_type /routing_rules/1/when/concurrency_mode"),
                    }));
    QVERIFY(findCode(loaded.findings, "rule_targets_unknown_preset")->hint.find("amber-wide") != std::string::npos);
}

void TableRead::missingMembersAreOneError() {
    const auto empty = readTable("{}", test::afterAll());
    QVERIFY(!empty.table);
    QCOMPARE(summary(empty.findings).filter(QStringLiteral("missing_top_level_key")).size(), 1);
    const Finding* all = findCode(empty.findings, "missing_top_level_key");
    QCOMPARE(QString::fromStdString(all->message),
             QStringLiteral("the table has no \"schema_version\", no \"generated_at\", no \"presets\", no \"routing_rules\", no \"coverage_gaps\", "
                            "no \"workload_class_detection\", no \"concurrency_mode_detection\" and no \"fallback\""));
    QVERIFY2(all->hint.find("signalboxctl init") != std::string::npos, all->hint.c_str());
    auto json = test::goodJson();
    json.erase("fallback");
    const auto one = load(json);
    QCOMPARE(QString::fromStdString(findCode(one.findings, "missing_top_level_key")->hint),
             QStringLiteral("Add \"fallback\"; the table's contract requires it."));
}

void TableRead::findingsHavePositions() {
    std::string text = test::goodText();
    const std::string role = "\"role\": \"structured\"";
    text.replace(text.find(role), role.size(), "\"röle\": 1, \"role\": \"Structured\"");
    const auto loaded = readTable(text, test::afterAll());
    const Finding* finding = findCode(loaded.findings, "unlisted_role");
    QVERIFY(finding != nullptr);
    // Columns count code points: the ö before it is one.
    QCOMPARE(finding->position, (TextPosition{25, 23}));
    QVERIFY(finding->hint.find("\"structured\"") != std::string::npos);
    const Finding* unknown = findCode(loaded.advisories, "unknown_field");
    QVERIFY(unknown != nullptr);
    QCOMPARE(QString::fromStdString(unknown->pointer), QStringLiteral("/presets/1/röle"));
}

void TableRead::rules_data() {
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QStringList>("findings");
    const auto row = [](const char* name, const OrderedJson& rules, QStringList findings) {
        QTest::newRow(name) << QString::fromStdString(rules.dump()) << findings;
    };
    const OrderedJson all = OrderedJson::object();
    const OrderedJson single{{"concurrency_mode", {"single_stream"}}};
    const OrderedJson multi{{"concurrency_mode", {"multi_conc"}}};
    row("F88 shadowed by one", {rule("amber_moe", "amber-wide", all), rule("amber_moe", "amber-k4", single)},
        {QStringLiteral("rule_shadowed /routing_rules/1")});
    row("F88 shadowed jointly",
        {rule("amber_moe", "amber-wide", multi), rule("amber_moe", "amber-k4", single), rule("amber_moe", "amber-base", all)},
        {QStringLiteral("rule_shadowed /routing_rules/2")});
    row("another family does not shadow",
        {rule("basalt_dense", "basalt-base", all), rule("amber_moe", "amber-k4", single)}, {});
    row("single stream first, same workload", {rule("amber_moe", "amber-k4", single), rule("amber_moe", "amber-wide", multi)},
        {QStringLiteral("single_stream_rule_before_multi_conc /routing_rules/0")});
    OrderedJson shortSingle = single;
    shortSingle["expected_output_length"] = {"short"};
    OrderedJson longMulti = multi;
    longMulti["expected_output_length"] = {"long"};
    row("single stream first, lengths disjoint",
        {rule("amber_moe", "amber-k4", shortSingle), rule("amber_moe", "amber-wide", longMulti)}, {});
    row("crosses family", OrderedJson::array({rule("amber_moe", "basalt-base", multi)}),
        {QStringLiteral("rule_crosses_family /routing_rules/0/preset_key")});
    row("family of no preset", OrderedJson::array({rule("cobalt", "basalt-base", multi)}),
        {QStringLiteral("rule_family_unreachable /routing_rules/0/model_family")});
    row("T17 the label unknown", OrderedJson::array({rule("unknown", "basalt-base", multi)}),
        {QStringLiteral("rule_family_unreachable /routing_rules/0/model_family")});
    row("T13 unknown axis", OrderedJson::array({rule("amber_moe", "amber-k4", {{"tenant", {"gold"}}})}),
        {QStringLiteral("rule_never_matches /routing_rules/0/when"),
         QStringLiteral("unknown_when_axis /routing_rules/0/when/tenant")});
    row("a rule that never matches shadows nothing",
        {rule("amber_moe", "amber-k4", {{"workload_class", OrderedJson::array()}}), rule("amber_moe", "amber-k4", single)},
        {QStringLiteral("rule_never_matches /routing_rules/0/when"),
         QStringLiteral("empty_when_axis /routing_rules/0/when/workload_class")});
    row("one known workload beside an unknown one",
        OrderedJson::array({rule("amber_moe", "amber-k4", {{"workload_class", {"vision", "code_gen"}}})}),
        {QStringLiteral("unknown_workload_class /routing_rules/0/when/workload_class/0")});
}

void TableRead::rules() {
    QFETCH(QString, rules);
    QFETCH(QStringList, findings);
    auto json = test::goodJson();
    json["routing_rules"] = OrderedJson::parse(rules.toStdString());
    const auto loaded = load(json);
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings), findings);
}

void TableRead::shadowingRulesAreNamed() {
    auto json = test::goodJson();
    json["routing_rules"].push_back(json["routing_rules"][0]);
    auto both = json["routing_rules"][0];
    both["when"].erase("concurrency_mode");
    json["routing_rules"].push_back(both);
    const auto loaded = load(json);
    Findings shadowed;
    std::copy_if(loaded.findings.begin(), loaded.findings.end(), std::back_inserter(shadowed),
                 [](const Finding& finding) { return finding.code == "rule_shadowed"; });
    QCOMPARE(shadowed.size(), std::size_t{2});
    const std::string& one = shadowed[0].message;
    QVERIFY2(one.find("/routing_rules/0 (amber-wide) takes") != std::string::npos, one.c_str());
    const std::string& two = shadowed[1].message;
    QVERIFY2(two.find("/routing_rules/0 (amber-wide) and /routing_rules/1 (amber-k4) together") != std::string::npos,
             two.c_str());
}

void TableRead::advisories_data() {
    QTest::addColumn<QString>("patch");
    QTest::addColumn<QStringList>("notes");
    const auto row = [](const char* name, const char* patch, QStringList notes) {
        QTest::newRow(name) << QString::fromLatin1(patch) << notes;
    };
    row("unknown fields", R"([{"op":"add","path":"/presets/0/colour","value":1},{"op":"add","path":"/a~1b","value":1}])",
        {QStringLiteral("unknown_field /presets/0/colour"), QStringLiteral("unknown_field /a~1b")});
    row("neither rule nor default", R"([{"op":"replace","path":"/presets/3/default_for_family","value":false}])",
        {QStringLiteral("family_without_rule_or_default /presets/3/model_family")});
    row("gap that names no cell", R"([{"op":"replace","path":"/coverage_gaps/0/missing_cell","value":"multi-conc, mostly"}])",
        {QStringLiteral("gap_names_no_cell /coverage_gaps/0/missing_cell")});
    row("gap beside a rule",
        R"([{"op":"replace","path":"/coverage_gaps/0/missing_cell","value":"workload_class=tool_call (envelope) only"},
            {"op":"replace","path":"/coverage_gaps/0/model_family","value":"all"}])",
        {QStringLiteral("gap_beside_rule /coverage_gaps/0/missing_cell")});
    row("gap beside no rule of its family",
        R"([{"op":"replace","path":"/coverage_gaps/0/missing_cell","value":"workload_class=tool_call"}])", {});
    row("names without a natural preset",
        R"([{"op":"replace","path":"/presets/3/model_family","value":"unknown"},
            {"op":"replace","path":"/presets/3/default_for_family","value":false},
            {"op":"add","path":"/presets/4","value":{"preset_key":"basalt-b","model":"basalt-31b-it",
             "served_model_name":null,"model_family":"unknown","spec_decode_K":2,"max_num_seqs":2,"role":null,
             "intended_workloads":[],"default_for_family":false}}])",
        {QStringLiteral("name_without_natural_preset /presets/3/model")});
    row("gaps that agree give the natural preset",
        R"([{"op":"replace","path":"/presets/3/default_for_family","value":false},
            {"op":"add","path":"/presets/4","value":{"preset_key":"basalt-b","model":"basalt-31b-it",
             "served_model_name":null,"model_family":"basalt_dense","spec_decode_K":2,"max_num_seqs":2,"role":null,
             "intended_workloads":[],"default_for_family":false}}])",
        {QStringLiteral("family_without_rule_or_default /presets/3/model_family")});
}

void TableRead::advisories() {
    QFETCH(QString, patch);
    QFETCH(QStringList, notes);
    const auto loaded = load(test::goodJson().patch(OrderedJson::parse(patch.toStdString())));
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings), QStringList());
    QCOMPARE(summary(loaded.advisories), notes);
    for (const Finding& note : loaded.advisories) {
        QVERIFY(note.severity == Severity::note);
        QVERIFY(!note.hint.empty() && note.position.line > 1);
    }
}

void TableRead::F34_namesThatNoRequestCanCarry() {
    for (const char* field : {"preset_key", "model", "served_model_name"}) {
        auto json = test::goodJson();
        json["presets"][3][field] = std::string(kMaxRequestNameBytes, 'm');
        QVERIFY(!summary(load(json).findings).join(QLatin1Char('\n')).contains(QLatin1String("name_too_long")));
        json["presets"][3][field] = std::string(kMaxRequestNameBytes + 1, 'm');
        const auto loaded = load(json);
        QVERIFY2(loaded.table, "contract A closes the list of what refuses a table");
        QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("name_too_long /presets/3/%1").arg(QLatin1String(field))));
        QVERIFY(loaded.findings.front().severity == Severity::warning && loaded.findings.front().message.size() < 300);
    }
}

void TableRead::familyWithoutDefaultIsAWarning() {
    auto json = test::goodJson();
    json["presets"][0]["default_for_family"] = false;
    const auto loaded = load(json);
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("family_without_default /presets/0/model_family")));
}

/// T10: such a name has no family at all.
void TableRead::nameInSeveralFamilies() {
    auto json = test::goodJson();
    json["presets"][3]["model"] = "amber-26b-it";
    const auto loaded = load(json);
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("name_in_several_families /presets/3/model")));
}

/// Contract A and T15: warn, apply nothing, keep serving.
void TableRead::unknownVersionIsAShell() {
    for (const char* text : {R"({"schema_version": 2})", R"({"schema_version": 0, "presets": 7})"}) {
        const auto loaded = readTable(text, test::afterAll());
        QVERIFY(loaded.table && !loaded.table->isApplicable());
        QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("unknown_schema_version /schema_version")));
        QVERIFY(loaded.table->presets.empty() && loaded.table->rules.empty() && loaded.table->gaps.empty());
    }
}

void TableRead::generatedAtInTheFuture() {
    const auto loaded = readTable(test::goodText(), Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 5 / 31)));
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("generated_at_in_future /generated_at")));
}

void TableRead::missingPinAndEmitter() {
    auto json = test::goodJson();
    json.erase("vllm_pin");
    json.erase("generated_by");
    const auto loaded = load(json);
    QVERIFY(loaded.table);
    QCOMPARE(summary(loaded.findings),
             (QStringList{QStringLiteral("generated_by_missing "), QStringLiteral("vllm_pin_missing ")}));
}

/// It could not be written back as it was.
void TableRead::numberTooLargeInAnUnknownField() {
    std::string text = test::goodText();
    text.insert(text.find('{') + 1, "\"x\": {\"y\": [0, 1e999]},");
    const auto loaded = readTable(text, test::afterAll());
    QVERIFY(!loaded.table);
    QCOMPARE(summary(loaded.findings), QStringList(QStringLiteral("number_out_of_range /x/y/1")));
}

void TableRead::manyFindingsAreCounted() {
    auto json = test::goodJson();
    for (int i = 0; i < 1500; ++i) json["routing_rules"].push_back(OrderedJson::object());
    const auto loaded = load(json);
    QVERIFY(!loaded.table);
    QCOMPARE(loaded.findings.size(), std::size_t{1001});
    QCOMPARE(QString::fromStdString(loaded.findings.back().code), QStringLiteral("too_many_findings"));
    QVERIFY(loaded.findings.back().message.starts_with("5000 more"));
}

void TableRead::unreadableFiles() {
    QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString());
    const auto missing = readTableFile(path / "no-such.json", test::afterAll());
    QVERIFY(!missing && missing.error().kind == ErrorKind::notFound);
    QVERIFY(missing.error().where.find("no-such.json") != std::string::npos);
    const auto directory = readTableFile(path, test::afterAll());
    QVERIFY(!directory && directory.error().kind == ErrorKind::badInput);
}

void TableRead::words() {
    for (std::size_t i = 0; i < kCellCount; ++i) QCOMPARE(Cell::fromIndex(i).index(), i);
    for (const auto value : kWorkloadClasses) QVERIFY(parseWorkloadClass(toString(value)) == value);
    for (const auto value : kLengthBuckets) QVERIFY(parseLengthBucket(toString(value)) == value);
    for (const auto value : kConcurrencyModes) QVERIFY(parseConcurrencyMode(toString(value)) == value);
    QVERIFY(!parseWorkloadClass("Tool_call") && !parseLengthBucket("") && !parseConcurrencyMode("multi"));
}

QTEST_APPLESS_MAIN(TableRead)
#include "tst_table_read.moc"
