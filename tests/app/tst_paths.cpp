// SPDX-License-Identifier: MIT
#include "app/shared/demo.h"
#include "app/shared/paths.h"

#include <QTemporaryDir>
#include <QTest>
#include <map>

using namespace signalbox;

namespace {

config::Environment environmentOf(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}
QByteArray bytes(const std::filesystem::path& path) { return QByteArray::fromStdString(path.string()); }

}  // namespace

class TestPaths : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void foldersFollowTheXdgRules();
    void relativeXdgValuesCountAsUnset();
    void dataDirHoldsEverythingButTheKeys();
    void noHomeIsAnError();
    void workspaceIdIsStable();
    void databaseNamedByVariable();
    void demoIsCopiedOnceAndWhole();
};

void TestPaths::foldersFollowTheXdgRules() {
    const auto plain = app::userFolders(environmentOf({{"HOME", "/h"}}));
    QVERIFY(plain);
    QCOMPARE(bytes(plain->data), QByteArray("/h/.local/share/signalbox"));
    QCOMPARE(bytes(plain->state), QByteArray("/h/.local/state/signalbox"));
    QCOMPARE(bytes(plain->keys()), QByteArray("/h/.config/signalbox/keys"));
    const auto moved = app::userFolders(environmentOf({{"HOME", "/h"}, {"XDG_DATA_HOME", "/d"}, {"XDG_CONFIG_HOME", "/c"}, {"XDG_STATE_HOME", "/s"}}));
    QVERIFY(moved);
    QCOMPARE(bytes(moved->data), QByteArray("/d/signalbox"));
    QCOMPARE(bytes(moved->config), QByteArray("/c/signalbox"));
    QCOMPARE(bytes(moved->state), QByteArray("/s/signalbox"));
}

void TestPaths::relativeXdgValuesCountAsUnset() {
    const auto folders = app::userFolders(environmentOf({{"HOME", "/h"}, {"XDG_DATA_HOME", "d"}}));
    QCOMPARE(bytes(folders->data), QByteArray("/h/.local/share/signalbox"));
}

void TestPaths::dataDirHoldsEverythingButTheKeys() {
    const auto environment = environmentOf({{"HOME", "/h"}, {"SIGNALBOX_DATA_DIR", "/x"}});
    const auto folders = app::userFolders(environment);
    QVERIFY(folders);
    QCOMPARE(bytes(folders->data), QByteArray("/x"));
    QCOMPARE(bytes(folders->config), QByteArray("/h/.config/signalbox"));
    const auto home = app::homeOfWorkspace("/w", *folders, environment);
    for (const auto& path : {home.state, home.journal, home.cluster}) QVERIFY(bytes(path).startsWith("/x/"));
}

void TestPaths::noHomeIsAnError() {
    const auto folders = app::userFolders(environmentOf({}));
    QVERIFY(!folders);
    QVERIFY(folders.error().hint.find("HOME") != std::string::npos);
}

void TestPaths::workspaceIdIsStable() {
    const auto environment = environmentOf({{"HOME", "/h"}});
    const auto folders = app::userFolders(environment).value();
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto id = app::homeOfWorkspace(path, folders, environment).id;
    QCOMPARE(id.size(), std::size_t{12});
    QCOMPARE(bytes(app::homeOfWorkspace(path + "/", folders, environment).id), bytes(id));
    QCOMPARE(bytes(app::homeOfWorkspace(path + "/../" + path.substr(path.rfind('/') + 1), folders, environment).id), bytes(id));
    QVERIFY(app::homeOfWorkspace(path + "x", folders, environment).id != id);
}

void TestPaths::databaseNamedByVariable() {
    const auto environment = environmentOf({{"HOME", "/h"}, {"DB", "postgresql://u:secret@h/d"}});
    const auto home = app::homeOfWorkspace("/w", app::userFolders(environment).value(), environment);
    config::Evidence configured;
    const auto own = app::evidenceOptionsOf(home, configured, "", environment);
    QVERIFY(own);
    QVERIFY(own->dsn.empty() && own->managedClusterFolder == home.cluster);
    configured.dsnEnv = "DB";
    const auto named = app::evidenceOptionsOf(home, configured, "", environment);
    QVERIFY(named);
    QVERIFY(named->managedClusterFolder.empty());
    QCOMPARE(bytes(named->dsnName), QByteArray("$DB"));
    const auto unset = app::evidenceOptionsOf(home, configured, "OTHER", environment);
    QVERIFY(!unset);
    QCOMPARE(bytes(unset.error().where), QByteArray("$OTHER"));
}

void TestPaths::demoIsCopiedOnceAndWhole() {
    const auto delivered = app::deliveredDemo();
    QVERIFY2(delivered, delivered ? "" : delivered.error().text().c_str());
    QTemporaryDir folder;
    const std::filesystem::path demo = std::filesystem::path(folder.path().toStdString()) / "deep/er/demo";
    QVERIFY(app::installDemo(demo));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*delivered))
        QVERIFY(std::filesystem::exists(demo / std::filesystem::relative(entry.path(), *delivered)));
    std::filesystem::remove(demo / "gateway.toml");
    QVERIFY(app::installDemo(demo));
    QVERIFY(!std::filesystem::exists(demo / "gateway.toml"));
    const auto refused = app::installDemo("/proc/no/demo");
    QVERIFY(!refused);
}

QTEST_APPLESS_MAIN(TestPaths)
#include "tst_paths.moc"
