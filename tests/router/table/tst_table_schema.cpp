// SPDX-License-Identifier: MIT
// The shipped JSON schema and the typed reader judge alike, as far as a schema can judge.
#include "tests/router/table/tables.h"

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

using namespace signalbox;
using namespace signalbox::table;

class TableSchema : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void malformedTables_data();
    void malformedTables();
    void oneValueChanged();
    void vectorTables();
    void genesis();

private:
    bool schemaAccepts(const OrderedJson& document) const;
    void compare(const LoadedTable& loaded);
    void compareEveryChange(OrderedJson& document, OrderedJson& at);

    valijson::Schema m_schema;
};

/// Errors about references between parts and about the text itself, which JSON Schema cannot express.
static bool beyondSchema(const Finding& finding) {
    static const std::vector<std::string_view> kCodes{"duplicate_preset_key", "several_defaults_in_family",
                                                      "rule_targets_unknown_preset", "number_out_of_range",
                                                      "too_many_findings"};
    return finding.severity != Severity::error || std::find(kCodes.begin(), kCodes.end(), finding.code) != kCodes.end();
}

void TableSchema::initTestCase() {
    const auto schema = nlohmann::json::parse(test::readText(
        std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "resources/schema/routing-table-v1.schema.json"));
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), m_schema);
}

bool TableSchema::schemaAccepts(const OrderedJson& document) const {
    const nlohmann::json plain(document);
    valijson::Validator validator;
    return validator.validate(m_schema, valijson::adapters::NlohmannJsonAdapter(plain), nullptr);
}

void TableSchema::compare(const LoadedTable& loaded) {
    if (!loaded.document) return;                                  // not JSON: the schema is not asked
    if (loaded.table && !loaded.table->isApplicable()) return;     // the schema describes version 1 only
    const bool readerAccepts = std::all_of(loaded.findings.begin(), loaded.findings.end(), beyondSchema);
    const bool accepted = schemaAccepts(loaded.document->root());
    std::string seen = accepted ? "the schema accepts" : "the schema refuses";
    for (const Finding& finding : loaded.findings) seen += "\n  " + finding.text("table");
    QVERIFY2(readerAccepts == accepted, seen.c_str());
}

void TableSchema::malformedTables_data() {
    QTest::addColumn<QString>("file");
    const auto index = OrderedJson::parse(test::readText(test::vectorsFolder() / "tables-bad/index.json"));
    for (const OrderedJson& entry : index["entries"]) {
        const auto file = entry["file"].get<std::string>();
        QTest::newRow(file.c_str()) << QString::fromStdString(file);
    }
}

void TableSchema::malformedTables() {
    QFETCH(QString, file);
    compare(readTable(test::readText(test::vectorsFolder() / "tables-bad" / file.toStdString()), test::afterAll()));
}

/// Replaces and removes every value of the tree below `at`, one at a time.
void TableSchema::compareEveryChange(OrderedJson& document, OrderedJson& at) {
    if (!at.is_structured()) return;
    for (auto it = at.begin(); it != at.end(); ++it) {
        const OrderedJson original = *it;
        for (const OrderedJson& other : {OrderedJson(nullptr), OrderedJson(true), OrderedJson(0), OrderedJson(1.5),
                                         OrderedJson("x"), OrderedJson(""), OrderedJson::array(), OrderedJson::object()}) {
            *it = other;
            compare(test::load(document));
            if (QTest::currentTestFailed()) return qWarning("after writing %s", other.dump().c_str());
        }
        *it = original;
        compareEveryChange(document, *it);
        if (QTest::currentTestFailed()) return;
    }
    if (!at.is_object()) return;
    const OrderedJson whole = at;
    for (const auto& [key, value] : whole.items()) {
        at.erase(key);
        compare(test::load(document));
        if (QTest::currentTestFailed()) return qWarning("after removing %s", key.c_str());
        at = whole;
    }
}

void TableSchema::oneValueChanged() {
    auto document = test::goodJson();
    document["presets"].erase(2);
    document["presets"].erase(1);
    document["routing_rules"].erase(1);
    document["routing_rules"][0]["preset_key"] = "amber-base";
    compareEveryChange(document, document);
}

void TableSchema::vectorTables() {
    const auto cases = OrderedJson::parse(test::readText(test::vectorsFolder() / "table-cases.json"));
    for (const auto& [name, table] : cases["tables"].items()) {
        const auto loaded = test::load(table);
        QVERIFY2(loaded.table, name.c_str());
        compare(loaded);
    }
}

void TableSchema::genesis() {
    const std::string text = test::genesisText();
    if (text.empty()) QSKIP("genesis-table-v1.json is not here: set SIGNALBOX_SHARED_VECTORS to its folder");
    compare(readTable(text, test::afterAll()));
}

QTEST_APPLESS_MAIN(TableSchema)
#include "tst_table_schema.moc"
