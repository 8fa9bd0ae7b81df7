// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/classify/features.h"
#include "router/policy/decide.h"
#include "router/table/read.h"
#include "tests/support/vectors.h"

#include <nlohmann/json.hpp>
#include <QTest>
#include <map>

using namespace signalbox;

namespace {

// Vectors hold hints as JSON values, some malformed on purpose; headers carry text.
std::optional<std::string> hintText(const OrderedJson& hints, const char* name) {
    const auto it = hints.find(name);
    if (it == hints.end() || it->is_null()) return std::nullopt;
    return it->is_string() ? it->get<std::string>() : it->dump();
}

std::optional<std::uint32_t> inFlight(const OrderedJson& request) {
    const auto it = request.find("in_flight");
    if (it == request.end() || !it->is_number_unsigned()) return std::nullopt;
    return it->get<std::uint32_t>();
}

template <class T>
OrderedJson orNull(const std::optional<T>& value) {
    return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

}  // namespace

/// Every case of the table vectors through the two functions that the gateway calls for a request.
class TestTableCases : public QObject {
    Q_OBJECT

private:
    struct File {
        OrderedJson cases;
        std::map<std::string, policy::TableIndex> tables;
    };

    static std::optional<File> load(const std::filesystem::path& path) {
        const auto text = readFile(path, std::size_t{256} << 20);
        if (!text) return std::nullopt;
        const OrderedJson document = OrderedJson::parse(*text);
        File file;
        file.cases = document.at("cases");
        for (const auto& [name, json] : document.at("tables").items()) {
            const table::LoadedTable loaded = table::readTable(json.dump(), Timestamp{});
            if (loaded.table) file.tables.emplace(name, policy::TableIndex(loaded.table));
        }
        return file;
    }

    static void addRows(const std::optional<File>& file) {
        QTest::addColumn<int>("index");
        if (!file) return;
        for (std::size_t i = 0; i < file->cases.size(); ++i) {
            const OrderedJson& one = file->cases[i];
            const std::string tag = one.at("id").get<std::string>() + " " + one.at("tag").get<std::string>();
            QTest::newRow(tag.c_str()) << static_cast<int>(i);
        }
    }

    static OrderedJson answer(const policy::TableIndex& index, const OrderedJson& request) {
        const OrderedJson hints = request.value("hints", OrderedJson::object());
        const classify::CallerHints headers{hintText(hints, "expected_length"), hintText(hints, "category"),
                                            hintText(hints, "input_tokens")};
        const auto classified = classify::classify(request.at("body").dump(), headers, {}, inFlight(request));
        if (!classified) return {{"error", classified.error().text()}};
        const classify::RequestFeatures& features = classified->features;
        const policy::TableDecision& decision = index.decide(features.model, features.cell);
        return {{"workload_class", table::toString(features.cell.workload)},
                {"length", table::toString(features.cell.length)},
                {"concurrency_mode", table::toString(features.cell.concurrency)},
                {"model_family", orNull(decision.family)},
                {"rule_index", orNull(decision.ruleIndex)},
                {"preset_key", orNull(decision.presetKey)},
                {"reason", toString(decision.reason)},
                {"null_cause", decision.nullCause ? OrderedJson(toString(*decision.nullCause)) : OrderedJson(nullptr)}};
    }

    static void check(const std::optional<File>& file) {
        QVERIFY(file);
        QFETCH(int, index);
        const OrderedJson& one = file->cases[static_cast<std::size_t>(index)];
        const auto table = file->tables.find(one.at("table").get<std::string>());
        QVERIFY2(table != file->tables.end(), "the table of this case does not load");
        const std::string got = answer(table->second, one.at("request")).dump(1);
        QCOMPARE(QString::fromStdString(got), QString::fromStdString(one.at("expect").dump(1)));
    }

    std::optional<File> m_public;
    std::optional<File> m_genesis;

private Q_SLOTS:
    void initTestCase() {
        m_public = load(test::vectorsFolder() / "table-cases.json");
        m_genesis = load(test::sharedVectorsFolder() / "genesis-cases.json");
    }

    void cases_data() { addRows(m_public); }
    void cases() { check(m_public); }

    void genesis_data() { addRows(m_genesis); }
    void genesis() {
        if (!m_genesis) QSKIP("genesis-cases.json is not ours to commit and is not beside this checkout");
        check(m_genesis);
    }

    // The cases carry a copy of the emitted table; the emitted bytes must decide alike.
    void emittedGenesisTableDecidesAlike() {
        const auto loaded = table::readTableFile(test::sharedVectorsFolder() / "genesis-table-v1.json", Timestamp{});
        if (!m_genesis || !loaded) QSKIP("genesis-table-v1.json is not ours to commit and is not beside this checkout");
        QVERIFY(loaded->table);
        const policy::TableIndex index(loaded->table);
        for (const OrderedJson& one : m_genesis->cases)
            QCOMPARE(QString::fromStdString(answer(index, one.at("request")).dump()),
                     QString::fromStdString(one.at("expect").dump()));
    }
};

QTEST_APPLESS_MAIN(TestTableCases)
#include "tst_table_cases.moc"
