// SPDX-License-Identifier: MIT
// Every table of tables-bad/ gives the outcome that index.json lists, and never a partly loaded table (F86).
#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/table/coverage.h"
#include "router/table/read.h"
#include "tests/support/fakes.h"
#include "tests/support/vectors.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <algorithm>

using namespace signalbox;
using namespace signalbox::table;

namespace {

OrderedJson readIndex() {
    const auto text = readFile(test::vectorsFolder() / "tables-bad/index.json", std::size_t{1} << 20);
    return text ? OrderedJson::parse(*text, nullptr, false) : OrderedJson();
}

std::string describe(const LoadedTable& loaded) {
    std::string out = loaded.table ? "loaded" : "refused";
    for (const Finding& finding : loaded.findings) out += "\n  " + finding.text("table");
    return out;
}

bool reports(const LoadedTable& loaded, const std::string& code) {
    return std::any_of(loaded.findings.begin(), loaded.findings.end(),
                       [&](const Finding& finding) { return finding.code == code; });
}

}  // namespace

class TableBad : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void outcome_data();
    void outcome();
    void truncatedAnywhere();
    void everyByteChanged();
};

void TableBad::outcome_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expect");
    QTest::addColumn<QStringList>("codes");
    QTest::addColumn<bool>("negotiable");
    QTest::addColumn<QString>("sha256");
    const OrderedJson index = readIndex();
    QVERIFY2(index.is_object() && !index["entries"].empty(), "tables-bad/index.json is missing or not JSON");
    const auto text = [](const OrderedJson& value) { return QString::fromStdString(value.get<std::string>()); };
    for (const OrderedJson& entry : index["entries"]) {
        QStringList codes;
        for (const OrderedJson& code : entry["codes"]) codes << text(code);
        QTest::newRow(entry["file"].get<std::string>().c_str())
            << text(entry["file"]) << text(entry["expect"]) << codes << entry.contains("negotiable") << text(entry["sha256"]);
    }
}

void TableBad::outcome() {
    QFETCH(QString, file);
    QFETCH(QString, expect);
    QFETCH(QStringList, codes);
    QFETCH(bool, negotiable);
    QFETCH(QString, sha256);
    const auto path = test::vectorsFolder() / "tables-bad" / file.toStdString();
    const auto loaded = readTableFile(path, test::ManualClock().now() + std::chrono::years(20));
    QVERIFY2(loaded.has_value(), "the file cannot be read");
    QCOMPARE(QString::fromStdString(loaded->sha256), sha256);
    QCOMPARE(loaded->table == nullptr, hasErrors(loaded->findings));

    const std::string seen = describe(*loaded);
    if (expect == QLatin1String("reject") && !negotiable) QVERIFY2(!loaded->table, seen.c_str());
    if (expect != QLatin1String("reject") && !negotiable) QVERIFY2(loaded->table, seen.c_str());
    if (expect == QLatin1String("accept_with_warning")) QVERIFY2(!loaded->findings.empty(), seen.c_str());
    if (expect == QLatin1String("accept") && codes.isEmpty() && !negotiable)
        QVERIFY2(loaded->findings.empty(), seen.c_str());
    if (!codes.isEmpty()) QVERIFY2(reports(*loaded, codes.first().toStdString()), seen.c_str());
    for (const Finding& finding : loaded->findings) {
        QVERIFY2(!finding.message.empty() && !finding.hint.empty(), seen.c_str());
        QVERIFY2(finding.position.line >= 1 && finding.position.column >= 1, seen.c_str());
        QVERIFY2(finding.code != "unknown_schema_version" || !loaded->table->isApplicable(), seen.c_str());
    }
    if (loaded->table && !loaded->table->isApplicable())
        QVERIFY(loaded->table->presets.empty() && loaded->table->rules.empty() && loaded->table->gaps.empty());
}

/// A cut file is refused at every length, as what it is.
void TableBad::truncatedAnywhere() {
    const auto good = readFile(test::vectorsFolder() / "tables-bad/00-good.json", std::size_t{1} << 20);
    QVERIFY(good.has_value());
    const std::size_t whole = good->find_last_of('}');
    for (std::size_t length = 0; length <= whole; ++length) {
        const auto loaded = readTable(good->substr(0, length), test::ManualClock().now());
        QVERIFY2(!loaded.table && loaded.findings.size() == 1, std::to_string(length).c_str());
        const std::string& code = loaded.findings.front().code;
        QVERIFY2(code == "json_syntax" || code == "empty_document", describe(loaded).c_str());
    }
}

/// Whatever one byte becomes, a table is either whole or refused with a reason.
void TableBad::everyByteChanged() {
    const auto good = readFile(test::vectorsFolder() / "tables-bad/00-good.json", std::size_t{1} << 20);
    QVERIFY(good.has_value());
    for (std::size_t at = 0; at < good->size(); at += 3) {
        for (const char byte : {'\0', '"', '{', ']', '9', '\\', '\xff'}) {
            std::string changed = *good;
            changed[at] = byte;
            const auto loaded = readTable(std::move(changed), test::ManualClock().now());
            QCOMPARE(loaded.table == nullptr, hasErrors(loaded.findings));
            if (loaded.table) QVERIFY(computeCoverage(*loaded.table).families.size() <= 10);
        }
    }
}

QTEST_APPLESS_MAIN(TableBad)
#include "tst_table_bad.moc"
