// SPDX-License-Identifier: MIT
#include "tests/app/ctl_process.h"

#include <nlohmann/json.hpp>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <sys/stat.h>

using namespace signalbox::test;

class TestCtlTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_home = std::make_unique<CtlHome>();
        m_home->write("t.json", goodTable());
    }
    void printsTheFileByteForByte();
    void readsStandardInput();
    void workspaceFolder();
    void pinIsTheOnlyChange();
    void writesWholeOrNotAtAll();
    void pipesAreNotReplaced();
    void everyVectorOfBadTables_data();
    void everyVectorOfBadTables();
    void badInput_data();
    void badInput();
    void coverageAsText();
    void coverageAsJson();
    void coverageOfUnknownFamily();

private:
    [[nodiscard]] CtlHome::Run table(const QStringList& arguments, const QByteArray& input = {}) const {
        return m_home->run(QStringList{QStringLiteral("routing-table")} + arguments, input);
    }
    std::unique_ptr<CtlHome> m_home;
};

void TestCtlTable::printsTheFileByteForByte() {
    const auto run = table({QStringLiteral("t.json"), QStringLiteral("--json")});
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(run.out, goodTable());
}

void TestCtlTable::readsStandardInput() {
    const auto run = table({QStringLiteral("-"), QStringLiteral("--json")}, goodTable());
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out, goodTable());
    const auto bad = table({QStringLiteral("-"), QStringLiteral("--validate")}, "{\n  nonsense\n}");
    QCOMPARE(bad.code, 1);
    QVERIFY2(bad.err.startsWith("<stdin>:2:"), bad.err.constData());
}

void TestCtlTable::workspaceFolder() {
    m_home->writeGoodWorkspace();
    const auto run = table({QStringLiteral("ws")});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.out.startsWith("ws/routing-table.json: valid\n"), run.out.constData());
}

void TestCtlTable::pinIsTheOnlyChange() {
    const auto run = table({QStringLiteral("t.json"), QStringLiteral("--json"), QStringLiteral("--vllm-pin"), QStringLiteral("0.11.2")});
    QVERIFY2(run.code == 0, run.err.constData());
    auto before = QJsonDocument::fromJson(goodTable()).object();
    const auto after = QJsonDocument::fromJson(run.out).object();
    QCOMPARE(after[QStringLiteral("vllm_pin")].toString(), QStringLiteral("0.11.2"));
    before[QStringLiteral("vllm_pin")] = QStringLiteral("0.11.2");
    QCOMPARE(after, before);
}

void TestCtlTable::writesWholeOrNotAtAll() {
    QCOMPARE(table({QStringLiteral("t.json"), QStringLiteral("--json"), QStringLiteral("--out"), QStringLiteral("o.json")}).code, 0);
    QCOMPARE(m_home->read("o.json"), goodTable());

    m_home->write("bad.json", "{}");
    const auto before = m_home->files(".");
    const auto refused = table({QStringLiteral("bad.json"), QStringLiteral("--out"), QStringLiteral("o.json")});
    QCOMPARE(refused.code, 1);
    QCOMPARE(m_home->read("o.json"), goodTable());
    QCOMPARE(m_home->files("."), before);

    VERIFY_ONE_MESSAGE(table({QStringLiteral("t.json"), QStringLiteral("--out"), QStringLiteral("data/x.json")}), 1,
                       "data/x.json: no such file or folder");
}

void TestCtlTable::pipesAreNotReplaced() {
    const QByteArray pipe = m_home->path("pipe").toUtf8();
    QCOMPARE(::mkfifo(pipe.constData(), 0600), 0);
    VERIFY_ONE_MESSAGE(table({QStringLiteral("t.json"), QStringLiteral("--out"), QStringLiteral("pipe")}), 1, "pipe: this is not a regular file", "standard output");
    struct stat info {};
    QVERIFY(::stat(pipe.constData(), &info) == 0 && S_ISFIFO(info.st_mode));
}

void TestCtlTable::everyVectorOfBadTables_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expect");
    const QString folder = QString::fromStdString((vectorsFolder() / "tables-bad").string());
    QFile index(folder + QStringLiteral("/index.json"));
    QVERIFY(index.open(QIODevice::ReadOnly));
    for (const auto value : QJsonDocument::fromJson(index.readAll()).object()[QStringLiteral("entries")].toArray()) {
        const auto entry = value.toObject();
        const QString name = entry[QStringLiteral("file")].toString();
        QTest::newRow(qPrintable(name)) << folder + QLatin1Char('/') + name << entry[QStringLiteral("expect")].toString();
    }
}

void TestCtlTable::everyVectorOfBadTables() {
    QFETCH(QString, file);
    QFETCH(QString, expect);
    const auto run = table({file, QStringLiteral("--validate")});
    QVERIFY2(run.code == (expect == QStringLiteral("reject") ? 1 : 0), run.err.constData());
    if (run.code == 1) {
        QVERIFY2(run.err.startsWith(file.toUtf8() + ":"), run.err.constData());
        QVERIFY2(run.err.contains(": error: "), run.err.constData());
        QVERIFY(run.out.isEmpty());
    }
    if (expect == QStringLiteral("accept_with_warning")) QVERIFY2(run.err.contains(": warning: "), run.err.constData());
}

void TestCtlTable::badInput_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("missing") << QStringLiteral("nowhere.json") << QByteArray("nowhere.json: no such file");
    QTest::newRow("workspace without a table") << QStringLiteral("empty") << QByteArray("empty/routing-table.json: no such file");
}

void TestCtlTable::badInput() {
    QFETCH(QString, file);
    QFETCH(QByteArray, says);
    QDir().mkpath(m_home->path("empty"));
    VERIFY_ONE_MESSAGE(table({file, QStringLiteral("--validate")}), 1, says);
}

void TestCtlTable::coverageAsText() {
    const auto run = m_home->run({QStringLiteral("coverage"), QStringLiteral("--table"), QStringLiteral("t.json")});
    QVERIFY2(run.code == 0, run.err.constData());
    QVERIFY2(run.out.contains("amber_moe  (default amber-base)"), run.out.constData());
    for (const char* word : {"tool_call", "structured_json", "summarization", "code_gen", "free_chat", "rule 1", "default"})
        QVERIFY2(run.out.contains(word), word);
}

void TestCtlTable::coverageAsJson() {
    const auto run = m_home->run({QStringLiteral("coverage"), QStringLiteral("--table"), QStringLiteral("t.json"),
                                  QStringLiteral("--json"), QStringLiteral("--family"), QStringLiteral("amber_moe")});
    QCOMPARE(run.code, 0);
    const auto families = QJsonDocument::fromJson(run.out).object()[QStringLiteral("families")].toArray();
    QCOMPARE(families.size(), 1);
    QCOMPARE(families[0].toObject()[QStringLiteral("cells")].toArray().size(), 30);
}

void TestCtlTable::coverageOfUnknownFamily() {
    VERIFY_ONE_MESSAGE(m_home->run({QStringLiteral("coverage"), QStringLiteral("--table"), QStringLiteral("t.json"),
                                    QStringLiteral("--family"), QStringLiteral("amber_mo")}),
                       1, "t.json: ", "Did you mean \"amber_moe\"?");
}

QTEST_APPLESS_MAIN(TestCtlTable)
#include "tst_ctl_table.moc"
