// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "tests/router/config/toml_edits.h"
#include "tests/support/text_undo.h"
#include "tests/support/vectors.h"

#include <QTest>

#include <algorithm>
#include <regex>

using namespace signalbox;

/// 100 random sequences of edits: after each the text says what the same edit makes of its values, other lines are as
/// they were, and undoing all of them gives the first text byte for byte.
class ConfigEditRandom : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sequences_data();
    void sequences();
};

using Lines = std::vector<std::string>;

static Lines linesOf(const std::string& text) {
    Lines out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.find_first_not_of(" \t\r") != std::string::npos) out.push_back(line);
    return out;
}

/// The length of the longest common subsequence.
static int common(const Lines& a, const Lines& b) {
    std::vector<int> row(b.size() + 1, 0);
    for (const std::string& line : a) {
        int diagonal = 0;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const int above = row[j + 1];
            row[j + 1] = line == b[j] ? diagonal + 1 : std::max(row[j], above);
            diagonal = above;
        }
    }
    return row.back();
}

static std::vector<std::string> comments(const std::string& text) {
    static const std::regex kNamed("# c[0-9][0-9][^\n\r]*");
    std::vector<std::string> out;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), kNamed); it != std::sregex_iterator(); ++it)
        out.push_back(it->str());
    std::sort(out.begin(), out.end());
    return out;
}

/// Without the comma that the last element of a list lacks.
static Lines sorted(Lines lines) {
    for (std::string& line : lines) std::erase(line, ',');
    std::sort(lines.begin(), lines.end());
    return lines;
}

static std::string trouble(const std::string& before, const std::string& after, const test::TomlStep& step) {
    const Lines old = linesOf(before);
    const Lines now = linesOf(after);
    const int same = common(old, now);
    if (step.lost >= 0 && static_cast<int>(old.size()) - same > step.lost) return "lines of others are gone";
    if (step.gained >= 0 && static_cast<int>(now.size()) - same > step.gained) return "more lines are new than were asked for";
    if (step.removes) {
        const auto left = comments(after);
        const auto had = comments(before);
        return std::includes(had.begin(), had.end(), left.begin(), left.end()) ? "" : "a comment changed";
    }
    // Only a list that lost an element may have lost its comment.
    const bool moves = step.label.starts_with("move");
    if ((step.lost >= 0 || moves || step.label.starts_with("rename")) && comments(before) != comments(after))
        return "a comment is gone";
    if (moves && before.find("= [ {") == std::string::npos && sorted(old) != sorted(now)) return "a line changed";
    return "";
}

void ConfigEditRandom::sequences_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("count");
    std::string crlf;
    for (const char c : test::kEveryWay) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    QTest::newRow("every way") << QString::fromStdString(test::kEveryWay) << 100;
    QTest::newRow("every way with CRLF") << QString::fromStdString(crlf) << 20;
    QTest::newRow("from nothing") << QString() << 20;
    const auto demo = std::filesystem::path(SIGNALBOX_SOURCE_DIR) / "resources/demo/gateway.toml";
    QTest::newRow("demo") << QString::fromStdString(readFile(demo, 1 << 20).value()) << 15;
    for (const char* name : {"05-boundaries.toml", "09-unicode.toml", "14-crlf.toml"})
        QTest::newRow(name) << QString::fromStdString(readFile(test::vectorsFolder() / "smart-toml" / name, 1 << 20).value()) << 10;
}

void ConfigEditRandom::sequences() {
    QFETCH(QString, text);
    QFETCH(int, count);
    for (int seed = 1; seed <= count; ++seed) {
        test::TomlEdits edits(static_cast<std::uint64_t>(seed));
        std::string now = text.toStdString();
        test::json tree = test::valuesOf(toml::parse(now));
        std::vector<test::Undo> undo;
        for (int step = 0; step < 8; ++step) {
            const test::TomlStep next = edits.next(now, tree);
            const std::string where = "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ": " + next.label;
            QVERIFY2(next.text.has_value(), (where + ": " + (next.text ? "" : next.text.error().text()) + "\n" + now).c_str());
            const test::json values = test::valuesOf(toml::parse(*next.text));
            const bool right = next.removes ? test::pruned(values) == test::pruned(next.tree) : values == next.tree;
            QVERIFY2(right, (where + "\n--- before\n" + now + "\n--- after\n" + *next.text).c_str());
            const std::string fault = trouble(now, *next.text, next);
            QVERIFY2(fault.empty(), (where + ": " + fault + "\n--- before\n" + now + "\n--- after\n" + *next.text).c_str());
            undo.push_back(test::undoOf(now, *next.text));
            now = *next.text;
            tree = values;
        }
        while (!undo.empty()) {
            now = undo.back().apply(now);
            undo.pop_back();
        }
        QVERIFY(now == text.toStdString());
    }
}

QTEST_APPLESS_MAIN(ConfigEditRandom)
#include "tst_config_edit_random.moc"
