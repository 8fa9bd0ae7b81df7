// SPDX-License-Identifier: MIT
// Every field case has a test that is named after it, in a program that is built and run.
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

class FieldCasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyCaseHasATest_data();
    void everyCaseHasATest();
    void everyNumberInATestsNameIsACase();

private:
    std::map<int, std::string> m_cases;             ///< what must hold, by number
    std::map<int, std::set<std::string>> m_citing;  ///< test files that name the number
    std::map<int, std::set<std::string>> m_named;   ///< test functions whose name holds it
    std::set<int> m_inNames;                        ///< numbers that the name of a test or a row begins with or holds
};

namespace {

const fs::path kTests = fs::path(SIGNALBOX_SOURCE_DIR) / "tests";

std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// A test that CMake builds, or a script that such a test beside it starts.
bool isRun(const fs::path& file) {
    const fs::path folder = file.parent_path();
    if (file.extension() == ".cpp") return textOf(folder / "CMakeLists.txt").find(file.stem().string()) != std::string::npos;
    return std::ranges::any_of(fs::directory_iterator(folder), [&](const fs::directory_entry& entry) {
        const bool isTest = entry.path().filename().string().starts_with("tst_") && entry.path().extension() == ".cpp";
        return isTest && textOf(entry.path()).find(file.filename().string()) != std::string::npos;
    });
}

std::vector<fs::path> testFiles() {
    std::vector<fs::path> out;
    for (auto at = fs::recursive_directory_iterator(kTests); at != fs::recursive_directory_iterator(); ++at) {
        if (at->path().filename() == "node_modules") at.disable_recursion_pending();
        const std::string name = at->path().filename().string();
        const bool isTest = name.starts_with("tst_") && name.ends_with(".cpp") && name != "tst_field_cases.cpp";
        if (at->is_regular_file() && (isTest || name.ends_with(".mjs"))) out.push_back(at->path());
    }
    return out;
}

struct Citation {
    int number = 0;
    std::string function;  ///< whose name holds it, where it is one that is defined
    bool isRow = false;    ///< a text begins with it, as the names of rows and of a script's tests do
};

/// From here on cases are about pages, history and tables, where a comment may say which row is whose.
constexpr int kFirstOfPages = 50;

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The name that stands round `at` in `Class::name(`; empty anywhere else.
std::string functionAround(const std::string& text, std::size_t at) {
    std::size_t begin = at, end = at;
    while (begin > 0 && isNamePart(text[begin - 1])) --begin;
    while (end < text.size() && isNamePart(text[end])) ++end;
    const bool isDefined = begin >= 2 && text.compare(begin - 2, 2, "::") == 0 && end < text.size() && text[end] == '(';
    return isDefined ? text.substr(begin, end - begin) : std::string();
}

/// Whether a text in quotes begins at `at`, in a line that is no comment.
bool beginsText(const std::string& text, std::size_t at) {
    const std::size_t line = text.rfind('\n', at) + 1;
    const std::size_t code = text.find_first_not_of(" \t", line);
    const bool isComment = text.compare(code, 2, "//") == 0;
    return !isComment && at > 0 && std::string_view("\"'`").find(text[at - 1]) != std::string_view::npos;
}

/// `F14`, `f14_name`, `F14_F15_name`; nothing inside of a longer word. By hand: a regular expression takes ten seconds.
std::vector<Citation> citationsIn(const std::string& text) {
    std::vector<Citation> out;
    for (std::size_t at = text.find_first_of("Ff"); at != std::string::npos; at = text.find_first_of("Ff", at + 1)) {
        if (at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0) continue;
        std::size_t end = at + 1;
        while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
        const std::size_t digits = end - at - 1;
        if (digits < 1 || digits > 2 || (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0)) continue;
        out.push_back({std::stoi(text.substr(at + 1, digits)), functionAround(text, at), beginsText(text, at)});
    }
    return out;
}

/// Pages speak of function keys and of cases with the same letter; only the cases from F50 on are about pages.
bool maybeAKey(const fs::path& file, int number) {
    const std::string below = file.lexically_relative(kTests).generic_string();
    return number < kFirstOfPages && (below.starts_with("ui/") || below.starts_with("visual/"));
}

}  // namespace

void FieldCasesTest::initTestCase() {
    std::ifstream list(kTests / "data/field_cases.txt");
    std::string line;
    while (std::getline(list, line)) {
        static const std::regex kLine("F([0-9]+) (.+)");
        std::smatch parts;
        if (line.empty() || line.front() == '#') continue;
        QVERIFY2(std::regex_match(line, parts, kLine), line.c_str());
        QVERIFY2(m_cases.emplace(std::stoi(parts[1]), parts[2]).second, ("listed twice: " + line).c_str());
    }
    QVERIFY(m_cases.size() > 50);

    const auto files = testFiles();
    QVERIFY(files.size() > 200);
    for (const fs::path& file : files) {
        if (!isRun(file)) continue;
        for (const Citation& one : citationsIn(textOf(file))) {
            if (!maybeAKey(file, one.number)) m_citing[one.number].insert(file.filename().string());
            if (!one.function.empty()) m_named[one.number].insert(file.filename().string() + ": " + one.function);
            if (!one.function.empty() || one.isRow) m_inNames.insert(one.number);
        }
    }
}

void FieldCasesTest::everyCaseHasATest_data() {
    QTest::addColumn<int>("number");
    for (const auto& [number, what] : m_cases) QTest::addRow("F%d %s", number, what.c_str()) << number;
}

void FieldCasesTest::everyCaseHasATest() {
    QFETCH(int, number);
    QVERIFY2(m_citing.contains(number), "no test names this case: write one, and put the number into its name");
    for (const std::string& file : m_citing[number]) qInfo("%s", file.c_str());
    if (number < kFirstOfPages) QVERIFY2(m_inNames.contains(number), "only comments name this case: name its test or its row after it");
}

void FieldCasesTest::everyNumberInATestsNameIsACase() {
    for (const auto& [number, functions] : m_named)
        QVERIFY2(m_cases.contains(number), (*functions.begin() + " names a case that is not in tests/data/field_cases.txt").c_str());
}

QTEST_APPLESS_MAIN(FieldCasesTest)
#include "tst_field_cases.moc"
