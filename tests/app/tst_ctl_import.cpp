// SPDX-License-Identifier: MIT
// `signalboxctl import`: a models registry in YAML goes into gateway.toml, or is refused without touching anything.
#include "tests/app/ctl_process.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace signalbox::test;

namespace {

QByteArray registry(const char* name) {
    QFile file(QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/data/registries/") + QString::fromUtf8(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList words(const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); }

}  // namespace

class TestCtlImport : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
        m_home->write("models.yaml", registry("fleet.yaml"));
        m_home->write("keys.yaml", registry("spelled_out.yaml"));
    }
    void addsToTheWorkspace();
    void anEmptyWorkspaceGetsItsTable();
    void keepsTheRightsOfTheFile();
    void twiceChangesNothing();
    void dryRunWritesNothing();
    void makesAFileOfItsOwn();
    void goesThroughAPipe();
    void whatDiffersIsNotOverwritten();
    void jsonHoldsTheReport();
    void badInput_data();
    void badInput();
    void noKeyGetsOut();

private:
    [[nodiscard]] CtlHome::Run import(const char* arguments, const QByteArray& input = {}) const {
        return m_home->run(QStringList{QStringLiteral("import")} + words(arguments), input);
    }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlImport::addsToTheWorkspace() {
    const QByteArray before = m_home->read("ws/gateway.toml");
    const auto run = import("models.yaml --workspace ws");
    QVERIFY2(run.code == 0, (run.out + run.err).constData());
    const QByteArray after = m_home->read("ws/gateway.toml");
    QVERIFY(after.contains("[models.basalt-fast]") && after.contains("[providers.lab]"));
    for (const QByteArray& line : before.split('\n')) QVERIFY2(after.contains(line), line.constData());
    QVERIFY2(run.out.contains("carried (") && run.out.contains("not carried (") && run.out.contains("changed ("), run.out.constData());
    QVERIFY2(run.out.contains("  models.yaml:17:5: required_role: "), run.out.constData());
    QVERIFY2(run.err.startsWith("ws/gateway.toml written: "), run.err.constData());
    const auto check = m_home->run(words("check ws"));
    QVERIFY2(check.code == 0, (check.out + check.err).constData());
}

void TestCtlImport::anEmptyWorkspaceGetsItsTable() {
    QDir().mkpath(m_home->path("empty"));
    QCOMPARE(import("models.yaml --workspace empty --dry-run").code, 0);
    QVERIFY(m_home->files("empty").isEmpty());
    const auto run = import("models.yaml --workspace empty");
    QVERIFY2(run.code == 0 && run.err.contains("empty/routing-table.json written: an empty routing table"), (run.out + run.err).constData());
    const auto check = m_home->run(words("check empty"));
    QVERIFY2(check.code == 0, (check.out + check.err).constData());
    QVERIFY2(!import("models.yaml --workspace ws").err.contains("empty routing table"), "the table of ws is there");
    QCOMPARE(m_home->read("ws/routing-table.json"), goodTable());
}

void TestCtlImport::keepsTheRightsOfTheFile() {
    QFile::setPermissions(m_home->path("ws/gateway.toml"), QFile::ReadOwner | QFile::WriteOwner);
    QCOMPARE(import("models.yaml --workspace ws").code, 0);
    QCOMPARE(QFile::permissions(m_home->path("ws/gateway.toml")) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
}

void TestCtlImport::twiceChangesNothing() {
    QCOMPARE(import("models.yaml --workspace ws").code, 0);
    const QByteArray first = m_home->read("ws/gateway.toml");
    const auto run = import("models.yaml --workspace ws");
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.startsWith("nothing to change: "), run.err.constData());
    QCOMPARE(m_home->read("ws/gateway.toml"), first);
}

void TestCtlImport::dryRunWritesNothing() {
    const QByteArray before = m_home->read("ws/gateway.toml");
    const auto run = import("models.yaml --workspace ws --dry-run");
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.startsWith("dry run, nothing was written: "), run.err.constData());
    QVERIFY(run.out.contains("[models.basalt-fast]"));
    QCOMPARE(m_home->read("ws/gateway.toml"), before);
}

void TestCtlImport::makesAFileOfItsOwn() {
    QCOMPARE(import("models.yaml --output new.toml").code, 0);
    const QByteArray made = m_home->read("new.toml");
    QVERIFY(made.contains("[models.cedar-8b]"));
    QCOMPARE(m_home->run(words("check --config new.toml")).code, 0);
    // The same again is fine; another file is not written over.
    QCOMPARE(import("models.yaml --output new.toml").code, 0);
    const auto run = import("keys.yaml --output new.toml");
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("new.toml stands there already"), run.err.constData());
    QCOMPARE(m_home->read("new.toml"), made);
    // A folder without a configuration gets one.
    m_home->write("empty/routing-table.json", goodTable());
    QCOMPARE(import("models.yaml --workspace empty").code, 0);
    QCOMPARE(m_home->read("empty/gateway.toml"), made);
}

void TestCtlImport::goesThroughAPipe() {
    QCOMPARE(import("models.yaml --output new.toml").code, 0);
    const auto run = import("- --output -", registry("fleet.yaml"));
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, m_home->read("new.toml"));
    QVERIFY2(run.err.contains("<stdin>:17:5: required_role: "), run.err.constData());
}

void TestCtlImport::whatDiffersIsNotOverwritten() {
    QCOMPARE(import("models.yaml --workspace ws").code, 0);
    QByteArray edited = m_home->read("ws/gateway.toml");
    edited.replace("weight = 0.25", "weight = 0.75");
    m_home->write("ws/gateway.toml", edited);
    QByteArray more = registry("fleet.yaml");
    more += "  - {id: dune, base_url: 'https://dune.example/v1'}\n";
    m_home->write("models.yaml", more);
    const auto run = import("models.yaml --workspace ws");
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.startsWith("nothing was written: ") && run.err.contains("--keep-existing"), run.err.constData());
    QVERIFY2(run.out.contains("conflicts (1)\n") && run.out.contains("other routes"), run.out.constData());
    QCOMPARE(m_home->read("ws/gateway.toml"), edited);
    const auto kept = import("models.yaml --workspace ws --keep-existing");
    QVERIFY2(kept.code == 0, (kept.out + kept.err).constData());
    QVERIFY(m_home->read("ws/gateway.toml").contains("weight = 0.75"));
    QVERIFY(m_home->read("ws/gateway.toml").contains("[models.dune]"));
}

void TestCtlImport::jsonHoldsTheReport() {
    const auto run = import("keys.yaml --workspace ws --json");
    QCOMPARE(run.code, 0);
    const QJsonObject json = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(json.value(QLatin1String("written")).toBool(), true);
    QCOMPARE(json.value(QLatin1String("set_variables")).toArray().size(), 4);
    const QJsonObject counts = json.value(QLatin1String("counts")).toObject();
    const QJsonArray report = json.value(QLatin1String("report")).toArray();
    int all = 0;
    for (const QString& outcome : counts.keys()) all += counts.value(outcome).toInt();
    QCOMPARE(all, report.size());
    QVERIFY(counts.value(QLatin1String("not_carried")).toInt() > 0);
    for (const auto& entry : report) {
        QVERIFY(!entry.toObject().value(QLatin1String("message")).toString().isEmpty());
        QVERIFY(!entry.toObject().value(QLatin1String("code")).toString().isEmpty());
    }
}

void TestCtlImport::badInput_data() {
    QTest::addColumn<QByteArray>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* arguments, int code, const char* says) {
        QTest::newRow(name) << QByteArray(arguments) << code << QByteArray(says);
    };
    row("no file", "nowhere.yaml --workspace ws", 1, "nowhere.yaml: ");
    row("no YAML", "broken.yaml --workspace ws", 1, "broken.yaml:2:");
    row("no models", "none.yaml --workspace ws", 1, "none.yaml:1:1: error: there are no models in it");
    row("no usable model", "useless.yaml --workspace ws", 1, "nothing was written: not one model could be carried");
    row("no workspace", "models.yaml --workspace nowhere", 1, "no such workspace");
    row("broken configuration", "models.yaml --workspace bad", 1, "bad/gateway.toml:1:");
    row("both targets", "models.yaml --workspace ws --output x.toml", 2, "--output");
    row("nothing named", "--workspace ws", 2, "FILE");
}

void TestCtlImport::badInput() {
    QFETCH(QByteArray, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, says);
    m_home->write("broken.yaml", "models:\n\t- x\n");
    m_home->write("none.yaml", "models: []\n");
    m_home->write("useless.yaml", "models:\n- {id: a}\n");
    m_home->write("bad/gateway.toml", "[");
    const QByteArray before = m_home->read("ws/gateway.toml");
    const auto run = import(arguments.constData());
    QVERIFY2(run.code == code, (run.out + run.err).constData());
    QVERIFY2(run.err.contains(says), run.err.constData());
    QCOMPARE(m_home->read("ws/gateway.toml"), before);
    QCOMPARE(m_home->read("bad/gateway.toml"), QByteArray("["));
    QVERIFY(!QFile::exists(m_home->path("x.toml")));
}

void TestCtlImport::noKeyGetsOut() {
    for (const char* arguments : {"keys.yaml --workspace ws --dry-run", "keys.yaml --workspace ws --json", "keys.yaml --output -", "keys.yaml --output k.toml"}) {
        const auto run = import(arguments);
        QCOMPARE(run.code, 0);
        QVERIFY2(!(run.out + run.err).toUpper().contains("PLANTED"), (run.out + run.err).constData());
    }
    QVERIFY(m_home->read("k.toml").contains("OPENROUTER_API_KEY_2"));
    QVERIFY(!m_home->read("k.toml").toUpper().contains("PLANTED"));
    QVERIFY(!m_home->read("ws/gateway.toml").toUpper().contains("PLANTED"));
}

QTEST_APPLESS_MAIN(TestCtlImport)
#include "tst_ctl_import.moc"
