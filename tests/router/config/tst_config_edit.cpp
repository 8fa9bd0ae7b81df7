// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/config/read.h"
#include "tests/router/config/edit_cases.h"
#include "tests/support/vectors.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::config;

/// Editing gateway.toml touches what was changed and nothing else, in whatever way the file is written (F80).
class ConfigEdit : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cases_data();
    void cases();
    void refusals_data();
    void refusals();
    void theDemoStaysReadable();
    void theVectorsTakeAnEdit_data();
    void theVectorsTakeAnEdit();
};

static QString q(const std::string& text) { return QString::fromStdString(text); }

static std::string readText(const std::filesystem::path& path) { return readFile(path, std::size_t{32} << 20).value_or(""); }

void ConfigEdit::cases_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < test::kEditCases.size(); ++i) QTest::newRow(test::kEditCases[i].tag) << static_cast<int>(i);
}

void ConfigEdit::cases() {
    QFETCH(int, index);
    const test::EditCase& each = test::kEditCases[static_cast<std::size_t>(index)];
    const auto after = each.change(each.before);
    QVERIFY2(after.has_value(), after ? "" : after.error().text().c_str());
    QCOMPARE(q(*after), q(each.after));
}

void ConfigEdit::refusals_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("where");
    QTest::addColumn<int>("change");
    const auto row = [](const char* tag, const char* text, ErrorKind kind, const char* where, int change) {
        QTest::newRow(tag) << text << static_cast<int>(kind) << where << change;
    };
    row("no TOML", "a = \n", ErrorKind::badInput, "1:5", 0);
    row("a value where a table should be", "a = 1\n", ErrorKind::badInput, "a.b", 0);
    row("a table where a value should be", "[a.b]\n", ErrorKind::badInput, "a.b", 0);
    row("a table of dotted keys where a value should be", "a.b.c = 1\n", ErrorKind::badInput, "a.b", 0);
    row("a list of tables where a value should be", "a = { b = [ {} ] }\n", ErrorKind::badInput, "a.b", 0);
    row("an element that is not there", "[[a]]\n", ErrorKind::notFound, "a[1]", 1);
    row("a list that is not there", "", ErrorKind::notFound, "a[1]", 1);
    row("a list of texts", "a = [\"x\"]\n", ErrorKind::badInput, "a", 1);
    row("a table that exists", "[a]\n[a.b.c]\n", ErrorKind::conflict, "a.b", 2);
    row("a name that exists", "[a.b]\n[a.c]\n", ErrorKind::conflict, "a.c", 3);
    row("nothing to rename", "[a]\n", ErrorKind::notFound, "a.b", 3);
    row("nothing to remove", "[a]\n", ErrorKind::notFound, "a.b", 4);
    row("no element to move to", "[[a]]\n", ErrorKind::notFound, "a[1]", 5);
    row("bytes that are no text", "", ErrorKind::badInput, "a.b", 6);
}

void ConfigEdit::refusals() {
    QFETCH(QString, text);
    QFETCH(int, kind);
    QFETCH(QString, where);
    QFETCH(int, change);
    const std::string before = text.toStdString();
    const Path path{"a", "b"};
    const Path array{"a"};
    const std::vector<std::function<Result<std::string>()>> changes{
        [&] { return setValue(before, path, std::int64_t{1}); },
        [&] { return insertElement(before, array, text.startsWith(QLatin1String("[[a")) ? 2 : 1, {}); },
        [&] { return addTable(before, path, {}); },
        [&] { return renameTable(before, path, "c"); },
        [&] { return removeTable(before, path); },
        [&] { return moveElement(before, array, 0, 1); },
        [&] { return setValue(before, path, std::string("\xff")); }};
    const auto after = changes[static_cast<std::size_t>(change)]();
    QVERIFY(!after);
    QVERIFY(after.error().kind == static_cast<ErrorKind>(kind));
    QString expected = where;
    if (text.startsWith(QLatin1String("[[a]]")) && change == 1) expected = QStringLiteral("a[2]");
    QCOMPARE(q(after.error().where), expected);
    QVERIFY(!after.error().message.empty() && !after.error().hint.empty());
}

/// The edits of the groups and access pages on the demo, each judged by the reader.
void ConfigEdit::theDemoStaysReadable() {
    const std::string before = readText(std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "resources/demo/gateway.toml");
    const Path candidates{"routing", "groups", "auto", "candidates"};
    Path quality = candidates;
    quality.insert(quality.end(), {std::size_t{0}, "quality"});
    auto text = setValue(before, quality, 0.75);
    QVERIFY(text.has_value());
    std::string expected = before;
    expected.replace(expected.find("quality = 0.72  "), 14, "quality = 0.75");
    QCOMPARE(q(*text), q(expected));
    QVERIFY(readConfig(*text).config);
    const auto moved = moveElement(before, candidates, 0, 1);
    QVERIFY(moved && readConfig(*moved).config);
    QCOMPARE(readConfig(*moved).config->routing.groups[0].candidates[0].provider, std::string("deepseek"));
    QCOMPARE(q(*moveElement(*moved, candidates, 1, 0)), q(before));
    const auto added = insertElement(before, candidates, 2, {{"provider", std::string("lab_a")}, {"model", std::string("gemma-4-26b")}});
    QVERIFY(added && readConfig(*added).config);
    QCOMPARE(readConfig(*added).config->routing.groups[0].candidates.size(), std::size_t{3});
    QCOMPARE(q(*removeElement(*added, candidates, 2)), q(before));
    const auto group = addTable(before, {"routing", "groups", "new"}, {{"aliases", std::vector<std::string>{"new"}}});
    QVERIFY(group.has_value());
    QCOMPARE(q(*removeTable(*group, {"routing", "groups", "new"})), q(before));
    const auto mode = setValue(before, {"routing", "mode"}, std::string("shadow"));
    QVERIFY(mode && readConfig(*mode).config);
    const auto renamed = renameTable(before, {"providers", "deepseek"}, "seek");
    QVERIFY(renamed.has_value());
    QCOMPARE(q(*renameTable(*renamed, {"providers", "seek"}, "deepseek")), q(before));
    const auto without = removeTable(before, {"providers", "deepseek"});
    QVERIFY(without && without->find("# --- Presets: which endpoint") != std::string::npos);
}

void ConfigEdit::theVectorsTakeAnEdit_data() {
    QTest::addColumn<QString>("file");
    for (const auto& entry : std::filesystem::directory_iterator(test::vectorsFolder() / "smart-toml"))
        if (entry.path().extension() == ".toml")
            QTest::newRow(entry.path().filename().string().c_str()) << QString::fromStdString(entry.path().string());
}

/// A file is edited whatever the reader says of it, as long as it is TOML; the next edit takes the first one back.
void ConfigEdit::theVectorsTakeAnEdit() {
    QFETCH(QString, file);
    const std::string before = readText(file.toStdString());
    const auto loaded = readConfig(before);
    const bool isToml = loaded.config || loaded.findings.front().code != "toml_syntax";
    const auto changed = setValue(before, {"routing", "policy_version"}, std::string("edited"));
    QCOMPARE(changed.has_value(), isToml);
    if (!isToml) {
        QVERIFY(changed.error().where.find(':') != std::string::npos);
        return;
    }
    QVERIFY(changed->find("policy_version = \"edited\"") != std::string::npos);
    QCOMPARE(q(*setValue(*changed, {"routing", "policy_version"}, std::string("edited"))), q(*changed));
    if (before.find("policy_version") == std::string::npos && before.find("[routing]") != std::string::npos)
        QCOMPARE(q(*removeValue(*changed, {"routing", "policy_version"})), q(before));
    if (loaded.config) QCOMPARE(readConfig(*changed).config->routing.policyVersion, std::string("edited"));
}

QTEST_APPLESS_MAIN(ConfigEdit)
#include "tst_config_edit.moc"
