// SPDX-License-Identifier: MIT
// Holds the folders to the order of the design: each may use only what stands above it.
#include "tests/layers/source_tree.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace signalbox::test;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = SIGNALBOX_SOURCE_DIR;

const std::vector<std::string> kRouterOrder{"base",     "table",    "config",   "classify", "policy",  "signing",  "evidence",
                                            "capacity", "dispatch", "strategy", "upstream", "gateway", "engine"};

/// Folders of one rank stand beside each other. Theme and settings use no other ui folder, so all may use them.
const std::map<std::string, int> kUiRank{{"theme", 0},   {"settings", 0}, {"bridge", 1},  {"document", 2}, {"models", 3},
                                         {"delegates", 3}, {"charts", 4},   {"widgets", 4}, {"dialogs", 4},  {"pages", 5},
                                         {"shell", 6}};

std::optional<std::size_t> routerRank(const std::string& folder) {
    const auto it = std::find(kRouterOrder.begin(), kRouterOrder.end(), folder);
    if (it == kRouterOrder.end()) return std::nullopt;
    return static_cast<std::size_t>(it - kRouterOrder.begin());
}

bool startsWithAny(const std::string& text, std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return text.starts_with(p); });
}

/// QString, QtCore/qstring.h, qglobal.h; Qt headers are the only ones that start so.
bool isQt(const std::string& target) {
    return (target.size() > 1 && target[0] == 'Q' && std::isupper(static_cast<unsigned char>(target[1])) != 0) ||
           startsWithAny(target, {"Qt", "qt6", "qt5"});
}

class Broken {
public:
    void add(const std::string& where, const std::string& what) { m_text += "\n  " + where + ": " + what; }
    [[nodiscard]] bool any() const { return !m_text.empty(); }
    [[nodiscard]] const char* text() const { return m_text.c_str(); }

private:
    std::string m_text;
};

/// All CMakeLists.txt below a folder.
std::vector<std::string> cmakeFilesBelow(const std::string& folder) {
    std::vector<std::string> out;
    if (!fs::exists(kRoot / folder)) return out;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
        if (entry.path().filename() == "CMakeLists.txt") out.push_back(entry.path().lexically_relative(kRoot).generic_string());
    std::sort(out.begin(), out.end());
    return out;
}

/// In which ui folder each ui library is defined.
std::map<std::string, std::string> uiLibraries() {
    std::map<std::string, std::string> out;
    for (const std::string& file : cmakeFilesBelow("ui")) {
        const auto words = wordsOfFile(kRoot, file);
        for (std::size_t i = 0; i + 2 < words.size(); ++i)
            if (words[i].word == "signalbox_ui_library") out[words[i + 2].word] = subfolderOf(file);
    }
    return out;
}

}  // namespace

class Layers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theTreeIsSeen();
    void routerIncludesOnlyAbove();
    void routerLinksOnlyAbove();
    void routerKnowsNoQtAndNoUi();
    void uiOpensNoSocketAndNoDatabase();
    void onlyTheBridgeKnowsTheEngine();
    void uiIncludesOnlyAbove();
    void uiLinksOnlyAbove();
    void nobodyIncludesApp();
    void slowHeadersStayInFewFiles();
    void coroutinesSeeTheirFrames();
    void commandLineLinksNoWidgets();
};

/// The other checks would pass on an empty list.
void Layers::theTreeIsSeen() {
    QVERIFY(includesBelow(kRoot, "router").size() > 100);
    QVERIFY(!wordsAfter(kRoot, "router/table/CMakeLists.txt", "signalbox_router_library", "DEPENDS").empty());
    for (const auto& entry : fs::directory_iterator(kRoot / "router"))
        if (entry.is_directory())
            QVERIFY2(routerRank(entry.path().filename().string()), entry.path().c_str());
    for (const auto& entry : fs::directory_iterator(kRoot / "ui"))
        if (entry.is_directory())
            QVERIFY2(kUiRank.contains(entry.path().filename().string()), entry.path().c_str());
}

void Layers::routerIncludesOnlyAbove() {
    Broken broken;
    for (const Include& include : includesBelow(kRoot, "router")) {
        if (!include.target.starts_with("router/")) continue;
        const std::string from = subfolderOf(include.file), to = subfolderOf(include.target);
        const auto fromRank = routerRank(from), toRank = routerRank(to);
        if (!fromRank || !toRank || *toRank > *fromRank)
            broken.add(include.where(), "router/" + from + " must not include " + include.target + ", which stands below it");
    }
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::routerLinksOnlyAbove() {
    Broken broken;
    for (const std::string& file : cmakeFilesBelow("router")) {
        const auto own = routerRank(subfolderOf(file));
        if (!own) continue;
        for (const CMakeWord& word : wordsAfter(kRoot, file, "signalbox_router_library", "DEPENDS")) {
            const auto rank = routerRank(word.word);
            if (!rank || *rank >= *own)
                broken.add(word.where(), "router/" + subfolderOf(file) + " must not depend on \"" + word.word + "\", which does not stand above it");
        }
    }
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::routerKnowsNoQtAndNoUi() {
    Broken broken;
    for (const Include& include : includesBelow(kRoot, "router"))
        if (isQt(include.target) || include.target.starts_with("ui/"))
            broken.add(include.where(), "router must not include " + include.target + ": it is built without Qt");
    for (const std::string& file : cmakeFilesBelow("router"))
        for (const CMakeWord& word : wordsOfFile(kRoot, file))
            if (startsWithAny(word.word, {"Qt6::", "ui::"}))
                broken.add(word.where(), "router must not link " + word.word);
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::uiOpensNoSocketAndNoDatabase() {
    Broken broken;
    for (const Include& include : includesBelow(kRoot, "ui"))
        if (startsWithAny(include.target, {"boost/asio", "boost/beast", "pqxx", "libpq", "postgresql/", "QtNetwork", "QtSql",
                                           "QTcp", "QUdp", "QLocalSocket", "QLocalServer", "QNetwork", "QSql", "QSsl",
                                           "sys/socket.h", "netinet/"}))
            broken.add(include.where(), "ui must not include " + include.target + ": sockets and databases belong to router");
    for (const std::string& file : cmakeFilesBelow("ui"))
        for (const CMakeWord& word : wordsOfFile(kRoot, file))
            if (startsWithAny(word.word, {"Boost::", "PkgConfig::libpq", "Qt6::Network", "Qt6::Sql", "OpenSSL::"}))
                broken.add(word.where(), "ui must not link " + word.word);
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::onlyTheBridgeKnowsTheEngine() {
    Broken broken;
    for (const Include& include : includesBelow(kRoot, "ui"))
        if (startsWithAny(include.target, {"router/engine/", "router/gateway/"}) && !include.file.starts_with("ui/bridge/"))
            broken.add(include.where(), "only ui/bridge may include " + include.target + "; use ui/bridge/bridge.h");
    for (const std::string& file : cmakeFilesBelow("ui"))
        for (const CMakeWord& word : wordsOfFile(kRoot, file))
            if ((word.word == "router::engine" || word.word == "router::gateway") && !file.starts_with("ui/bridge/"))
                broken.add(word.where(), "only ui/bridge may link " + word.word);
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::uiIncludesOnlyAbove() {
    Broken broken;
    for (const Include& include : includesBelow(kRoot, "ui")) {
        if (!include.target.starts_with("ui/")) continue;
        const auto from = kUiRank.find(subfolderOf(include.file)), to = kUiRank.find(subfolderOf(include.target));
        if (from == kUiRank.end() || (to != kUiRank.end() && to->second <= from->second)) continue;
        broken.add(include.where(), "ui/" + from->first + " must not include " + include.target + ", which stands below it");
    }
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::uiLinksOnlyAbove() {
    Broken broken;
    const auto libraries = uiLibraries();
    for (const std::string& file : cmakeFilesBelow("ui")) {
        const auto own = kUiRank.find(subfolderOf(file));
        if (own == kUiRank.end()) continue;
        for (const CMakeWord& word : wordsAfter(kRoot, file, "signalbox_ui_library", "DEPENDS")) {
            const auto library = libraries.find(word.word);
            const auto to = library == libraries.end() ? kUiRank.end() : kUiRank.find(library->second);
            if (to == kUiRank.end())
                broken.add(word.where(), "no ui folder defines the library \"" + word.word + "\"");
            else if (to->second > own->second)
                broken.add(word.where(), "ui/" + own->first + " must not depend on \"" + word.word + "\" of ui/" + to->first + ", which stands below it");
        }
    }
    QVERIFY2(!broken.any(), broken.text());
}

/// Where Asio's header stands alone, frames would come from one memory and go back to another.
void Layers::coroutinesSeeTheirFrames() {
    Broken broken;
    std::size_t seen = 0;
    for (const char* folder : {"router", "app", "tests"})
        for (const Include& include : includesBelow(kRoot, folder)) {
            seen += include.target == "router/dispatch/coroutine_frames.h" ? 1 : 0;
            if (startsWithAny(include.target, {"boost/asio/awaitable.hpp", "boost/asio.hpp", "boost/asio/experimental/awaitable"}) &&
                include.file != "router/dispatch/coroutine_frames.h")
                broken.add(include.where(), "include router/dispatch/coroutine_frames.h instead of " + include.target);
        }
    QVERIFY(seen > 3);
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::nobodyIncludesApp() {
    Broken broken;
    for (const char* folder : {"router", "ui"})
        for (const Include& include : includesBelow(kRoot, folder))
            if (startsWithAny(include.target, {"app/", "tests/"}))
                broken.add(include.where(), std::string(folder) + " must not include " + include.target);
    QVERIFY2(!broken.any(), broken.text());
}

void Layers::slowHeadersStayInFewFiles() {
    std::set<std::string> cli, beast;
    for (const char* folder : {"app", "router", "ui"}) {
        for (const Include& include : includesBelow(kRoot, folder)) {
            if (include.target.starts_with("CLI/")) cli.insert(include.file);
            if (include.target.starts_with("boost/beast")) beast.insert(include.file);
        }
    }
    const auto listed = [](const std::set<std::string>& files) {
        std::string out;
        for (const std::string& file : files) out += "\n  " + file;
        return out;
    };
    QVERIFY2(cli.size() <= 1, ("CLI11 compiles slowly and belongs in one file:" + listed(cli)).c_str());
    QVERIFY2(beast.size() <= 15, ("Beast compiles slowly and belongs in at most 15 files:" + listed(beast)).c_str());
}

void Layers::commandLineLinksNoWidgets() {
    Broken broken;
    for (const char* folder : {"app/ctl", "app/shared"}) {
        for (const Include& include : includesBelow(kRoot, folder))
            if (isQt(include.target) || include.target.starts_with("ui/"))
                broken.add(include.where(), "signalboxctl must not include " + include.target);
        for (const std::string& file : cmakeFilesBelow(folder))
            for (const CMakeWord& word : wordsOfFile(kRoot, file))
                if (startsWithAny(word.word, {"Qt6::", "ui::"}))
                    broken.add(word.where(), "signalboxctl must not link " + word.word);
    }
    QVERIFY2(!broken.any(), broken.text());
}

QTEST_APPLESS_MAIN(Layers)
#include "tst_layers.moc"
