// SPDX-License-Identifier: MIT
#include "router/table/edit.h"
#include "tests/router/table/table_edits.h"
#include "tests/router/table/tables.h"
#include "tests/support/text_undo.h"

using namespace signalbox;
using namespace signalbox::table;

/// Editing a table touches what was changed and nothing else (F80).
class TableEdit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unchangedValuesChangeNothing_data();
    void unchangedValuesChangeNothing();
    void oneFieldChangesOneLine();
    void anAxisComesAndGoes();
    void unknownMembersStay();
    void copiesKeepUnknownMembers();
    void renamingReachesRulesAndGaps();
    void refusals();
    void randomSequences_data();
    void randomSequences();
};

static QString q(const std::string& text) { return QString::fromStdString(text); }

static std::string demoText() {
    return test::readText(std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "resources/demo/routing-table.json");
}

static RoutingTable read(const std::string& text) {
    const auto loaded = readTable(text, test::afterAll());
    if (!loaded.table) throw std::runtime_error(loaded.findings.front().text("table"));
    return *loaded.table;
}

/// The lines that one text has and the other has not.
static QStringList differences(const std::string& before, const std::string& after) {
    const QStringList old = q(before).split(QLatin1Char('\n'));
    const QStringList now = q(after).split(QLatin1Char('\n'));
    QStringList out;
    for (const QString& line : old)
        if (!now.contains(line)) out << QStringLiteral("-") + line.trimmed();
    for (const QString& line : now)
        if (!old.contains(line)) out << QStringLiteral("+") + line.trimmed();
    return out;
}

static void addTexts() {
    QTest::addColumn<QString>("text");
    const std::string demo = demoText();
    std::string crlf;
    for (const char c : demo) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    QTest::newRow("demo") << q(demo);
    QTest::newRow("demo with CRLF") << q(crlf);
    QTest::newRow("demo on one line") << q(OrderedJson::parse(demo).dump());
    QTest::newRow("demo with tabs, no final newline") << q(OrderedJson::parse(demo).dump(1, '\t'));
    QTest::newRow("vectors") << q(test::goodText());
    if (const std::string genesis = test::genesisText(); !genesis.empty()) QTest::newRow("genesis") << q(genesis);
}

void TableEdit::unchangedValuesChangeNothing_data() { addTexts(); }

void TableEdit::unchangedValuesChangeNothing() {
    QFETCH(QString, text);
    const std::string before = text.toStdString();
    const RoutingTable table = read(before);
    for (std::size_t i = 0; i < table.presets.size(); ++i) QCOMPARE(q(*changePreset(before, i, table.presets[i])), text);
    for (std::size_t i = 0; i < table.rules.size(); ++i) QCOMPARE(q(*changeRule(before, i, table.rules[i])), text);
    for (std::size_t i = 0; i < table.gaps.size(); ++i) QCOMPARE(q(*changeGap(before, i, table.gaps[i])), text);
}

void TableEdit::oneFieldChangesOneLine() {
    const std::string before = demoText();
    RoutingTable table = read(before);
    table.presets[1].maxNumSeqs = 12;
    QCOMPARE(differences(before, *changePreset(before, 1, table.presets[1])), (QStringList{QStringLiteral("-\"max_num_seqs\": 8,"), QStringLiteral("+\"max_num_seqs\": 12,")}));
    table.rules[0].evidenceTag = std::nullopt;
    QCOMPARE(differences(before, *changeRule(before, 0, table.rules[0])), (QStringList{QStringLiteral("-\"evidence_tag\": \"measured\""), QStringLiteral("+\"evidence_tag\": null")}));
    table.gaps[0].nextPhase = "CG-99";
    const auto gap = differences(before, *changeGap(before, 0, table.gaps[0]));
    QCOMPARE(gap.size(), 2);
    QCOMPARE(gap.last(), QStringLiteral("+\"next_phase\": \"CG-99\""));
}

void TableEdit::anAxisComesAndGoes() {
    const std::string before = demoText();
    RoutingRule rule = read(before).rules[0];
    const auto words = rule.when.concurrencyMode;
    rule.when.concurrencyMode.reset();
    const auto without = changeRule(before, 0, rule);
    QVERIFY(without && !read(*without).rules[0].when.concurrencyMode);
    rule.when.concurrencyMode = words;
    QCOMPARE(q(*changeRule(*without, 0, rule)), q(before));
    rule.when.concurrencyMode = std::vector<std::string>();
    QVERIFY(read(*changeRule(before, 0, rule)).rules[0].when.concurrencyMode->empty());
}

void TableEdit::unknownMembersStay() {
    auto json = OrderedJson::parse(demoText());
    json["presets"][0]["colour"] = {{"hue", 0.25}};
    json["routing_rules"][0]["when"]["moon"] = {"full"};
    json["note"] = {1, 2};
    const std::string before = json.dump(2);
    RoutingTable table = read(before);
    table.presets[0].specDecodeK = 2;
    json["presets"][0]["spec_decode_K"] = 2;
    const std::string once = *changePreset(before, 0, table.presets[0]);
    QCOMPARE(q(once), q(json.dump(2)));
    table.rules[0].when.workloadClass.reset();
    json["routing_rules"][0]["when"].erase("workload_class");
    QCOMPARE(q(*changeRule(once, 0, table.rules[0])), q(json.dump(2)));
    // 1.0 is an integer to the reader and stays as it was written.
    json["presets"][0]["max_num_seqs"] = 4.0;
    QCOMPARE(q(*changePreset(json.dump(2), 0, table.presets[0])), q(json.dump(2)));
}

void TableEdit::copiesKeepUnknownMembers() {
    auto json = OrderedJson::parse(demoText());
    for (const char* list : {"presets", "routing_rules", "coverage_gaps"}) json[list][0]["colour"] = {{"hue", 0.25}};
    const std::string before = json.dump(2);
    const auto twice = [&json](const char* list) {
        OrderedJson copy = json;
        copy[list].insert(copy[list].begin() + 1, copy[list][0]);
        return copy;
    };
    QCOMPARE(q(*duplicateRule(before, 0)), q(twice("routing_rules").dump(2)));
    QCOMPARE(q(*duplicateGap(before, 0)), q(twice("coverage_gaps").dump(2)));
    OrderedJson presets = twice("presets");
    presets["presets"][1]["preset_key"] = "g26-copy";
    presets["presets"][1]["default_for_family"] = false;
    QCOMPARE(q(*duplicatePreset(before, 0, "g26-copy")), q(presets.dump(2)));
    QVERIFY(duplicatePreset(before, 0, "g31-chat").error().kind == ErrorKind::conflict);
    QVERIFY(duplicateRule(before, 99).error().kind == ErrorKind::notFound);
}

void TableEdit::renamingReachesRulesAndGaps() {
    const std::string before = demoText();
    const auto after = renamePreset(before, "g26-struct-multi", "g26-k4");
    QVERIFY(after.has_value());
    std::string expected = before;
    for (std::size_t at = expected.find("\"g26-struct-multi\""); at != std::string::npos; at = expected.find("\"g26-struct-multi\""))
        expected.replace(at, 18, "\"g26-k4\"");
    QCOMPARE(q(*after), q(expected));
    QCOMPARE(q(*renamePreset(*after, "g26-k4", "g26-struct-multi")), q(before));
    QVERIFY(renamePreset(before, "g26-default", "g31-chat").error().kind == ErrorKind::conflict);
    QVERIFY(renamePreset(before, "nobody", "x").error().kind == ErrorKind::notFound);
}

void TableEdit::refusals() {
    const std::string text = demoText();
    const RoutingTable table = read(text);
    QVERIFY(addPreset(text, 0, table.presets[0]).error().kind == ErrorKind::conflict);
    QVERIFY(changePreset(text, 99, table.presets[0]).error().kind == ErrorKind::notFound);
    QVERIFY(changeRule(text, 99, table.rules[0]).error().kind == ErrorKind::notFound);
    QVERIFY(moveRule(text, 0, 99).error().kind == ErrorKind::notFound);
    QVERIFY(removeGap(text, 99).error().kind == ErrorKind::notFound);
    const auto broken = addRule("{\n  \"routing_rules\": [,]\n}", 0, table.rules[0]);
    QVERIFY(broken.error().kind == ErrorKind::badInput);
    QCOMPARE(q(broken.error().where), QStringLiteral("2:21"));
    QVERIFY(addRule("{}", 0, table.rules[0]).error().kind == ErrorKind::notFound);
}

void TableEdit::randomSequences_data() { addTexts(); }

/// One hundred sequences on the demo's table, fewer on its other forms: after each step the text parses to what the same step makes of the values, every line that the
/// step does not concern is there as it was, and undoing the steps gives the first text.
void TableEdit::randomSequences() {
    QFETCH(QString, text);
    const unsigned sequences = qstrcmp(QTest::currentDataTag(), "demo") == 0 ? 100 : 20;
    for (unsigned seed = 1; seed <= sequences; ++seed) {
        test::TableEdits edits(seed);
        std::string now = text.toStdString();
        OrderedJson tree = OrderedJson::parse(now);
        std::vector<test::Undo> undo;
        for (int step = 0; step < 6; ++step) {
            const auto [label, after, expected, touched] = edits.next(now, tree);
            const QByteArray where = QByteArray::fromStdString("seed " + std::to_string(seed) + ": " + label);
            QVERIFY2(after.has_value(), (where + (after ? "" : after.error().text().c_str())).constData());
            QVERIFY2(OrderedJson::parse(*after) == expected, where.constData());
            QVERIFY2(test::onlyTouched(now, *after, touched), where.constData());
            undo.push_back(test::undoOf(now, *after));
            now = *after;
            tree = expected;
        }
        while (!undo.empty()) {
            now = undo.back().apply(now);
            undo.pop_back();
        }
        QVERIFY(now == text.toStdString());
    }
}

QTEST_APPLESS_MAIN(TableEdit)
#include "tst_table_edit.moc"

#include <nlohmann/json.hpp>
