// SPDX-License-Identifier: MIT
#include "router/table/empty_table.h"
#include "router/table/write.h"
#include "tests/router/table/tables.h"

using namespace signalbox;
using namespace signalbox::table;

class TableWrite : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void canonicalText();
    void canonicalTextDoesNotDependOnKeyOrder();
    void writingLosesNothing();
    void genesisIsWrittenAsItsEmitterDoes();
    void forkChangesTwoValuesOnly();
    void forkOfATableWithoutEmitter();
    void vllmPin();
    void refusedTablesAreNotForked();
    void theEmptyTableIsValid();
};

static QString q(const std::string& text) { return QString::fromStdString(text); }

void TableWrite::canonicalText() {
    QCOMPARE(q(writeTable({{"vllm_pin", "ö\n"}, {"schema_version", 1}, {"presets", OrderedJson::array()}})),
             QStringLiteral("{\n  \"schema_version\": 1,\n  \"vllm_pin\": \"\\u00f6\\n\",\n  \"presets\": []\n}\n"));
}

/// The same table with every object's keys in the opposite order.
static OrderedJson reversed(const OrderedJson& value) {
    if (value.is_array()) {
        OrderedJson out = OrderedJson::array();
        for (const OrderedJson& item : value) out.push_back(reversed(item));
        return out;
    }
    if (!value.is_object()) return value;
    std::vector<std::string> keys;
    for (const auto& [key, item] : value.items()) keys.push_back(key);
    OrderedJson out = OrderedJson::object();
    for (auto it = keys.rbegin(); it != keys.rend(); ++it) out[*it] = reversed(value[*it]);
    return out;
}

void TableWrite::canonicalTextDoesNotDependOnKeyOrder() {
    auto json = test::goodJson();
    json.erase("workload_class_detection");
    json.erase("concurrency_mode_detection");
    json.erase("length_detection");
    json.erase("fallback");
    const std::string written = writeTable(json);
    QCOMPARE(q(writeTable(reversed(json))), q(written));
}

void TableWrite::writingLosesNothing() {
    auto json = test::goodJson();
    json["presets"][0]["colour"] = {{"hue", 0.1}, {"big", 9223372036854775807}};
    json["note"] = "kept";
    const std::string once = writeTable(json);
    QVERIFY(OrderedJson::parse(once) == json);
    QCOMPARE(q(writeTable(OrderedJson::parse(once))), q(once));
}

void TableWrite::genesisIsWrittenAsItsEmitterDoes() {
    const std::string text = test::genesisText();
    if (text.empty()) QSKIP("genesis-table-v1.json is not here: set SIGNALBOX_SHARED_VECTORS to its folder");
    QCOMPARE(q(writeTable(OrderedJson::parse(text))), q(text));
}

void TableWrite::forkChangesTwoValuesOnly() {
    // Odd spacing, CRLF and escapes must come through untouched.
    std::string text = test::goodText();
    text.replace(text.find("bench run 1"), 11, "b\\u00e4nch  run");
    std::string odd;
    for (const char c : text) odd += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const auto fork = forkTable(readTable(odd, test::afterAll()), test::afterAll());
    QVERIFY(fork.has_value());
    std::string expected = odd;
    const auto replace = [&](const std::string& from, const std::string& to) {
        expected.replace(expected.find(from), from.size(), to);
    };
    replace("\"vector-generator\"", "\"signalbox/" SIGNALBOX_VERSION "\"");
    replace("2026-06-01T00:00:00+00:00", "2040-01-01T00:00:00+00:00");
    QCOMPARE(q(*fork), q(expected));
    const auto loaded = readTable(*fork, test::afterAll());
    QVERIFY(loaded.table && loaded.table->isOurs() && loaded.findings.empty());
}

void TableWrite::forkOfATableWithoutEmitter() {
    auto json = test::goodJson();
    json.erase("generated_by");
    const auto fork = forkTable(test::load(json), test::afterAll());
    QVERIFY(fork.has_value());
    const auto loaded = readTable(*fork, test::afterAll());
    QVERIFY(loaded.table && loaded.table->isOurs() && loaded.findings.empty());
}

void TableWrite::vllmPin() {
    const std::string text = test::goodText();
    const auto pinned = withVllmPin(readTable(text, test::afterAll()), "v0.11 \"x\"");
    QVERIFY(pinned.has_value());
    std::string expected = text;
    expected.replace(expected.find("\"vllm_pin\": null"), 16, "\"vllm_pin\": \"v0.11 \\\"x\\\"\"");
    QCOMPARE(q(*pinned), q(expected));
    QVERIFY(readTable(*pinned, test::afterAll()).table->vllmPin == "v0.11 \"x\"");
    QVERIFY(!withVllmPin(readTable(text, test::afterAll()), "\xff"));
}

void TableWrite::refusedTablesAreNotForked() {
    for (const char* text : {"[", "{}", R"({"schema_version": 2})"}) {
        const auto fork = forkTable(readTable(text, test::afterAll()), test::afterAll());
        QVERIFY(!fork && fork.error().kind == ErrorKind::badInput && !fork.error().hint.empty());
    }
}

void TableWrite::theEmptyTableIsValid() {
    const auto loaded = readTable(emptyTable(test::afterAll()), test::afterAll());
    QVERIFY(loaded.table && loaded.table->presets.empty() && loaded.table->rules.empty() && loaded.table->gaps.empty());
    QCOMPARE(loaded.findings.size(), std::size_t{1});  // that it is empty
    QCOMPARE(q(loaded.findings.front().code), QStringLiteral("no_presets"));
    QVERIFY(loaded.advisories.empty());
    QVERIFY(loaded.table->generatedBy.starts_with("signalbox/"));
    QCOMPARE(q(writeTable(loaded.document->root())), q(loaded.document->text()));
}

QTEST_APPLESS_MAIN(TableWrite)
#include "tst_table_write.moc"

#include <nlohmann/json.hpp>
