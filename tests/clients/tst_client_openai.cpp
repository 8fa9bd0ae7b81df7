// SPDX-License-Identifier: MIT
// The real `openai` SDK in a process of its own, against a real `signalboxctl serve` with its private PostgreSQL:
// what the client saw, what the gateway said and what the rows hold must be the same story.
#include "app/shared/paths.h"
#include "router/evidence/evidence.h"

#include <nlohmann/json.hpp>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace signalbox;
using namespace Qt::StringLiterals;

namespace {

constexpr int kRequests = 200;
constexpr int kAtATime = 16;

QString clientsFolder() { return QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/clients"); }

// The demo's table, and endpoints that answer in milliseconds.
constexpr auto kConfig = R"([server]
listen = "127.0.0.1:0"
[evidence]
target = "client-test"
[providers.lab]
protocol = "simulated"
models = ["gemma-4-26b", "gemma-4-26b-k4", "gemma-4-31b", "qwen3.6-35b"]
[providers.lab.simulated]
first_token_ms = 12
tokens_per_second = 2000.0
output_tokens = 24
[presets."g26-default"]
provider = "lab"
model = "gemma-4-26b"
[presets."g26-struct-multi"]
provider = "lab"
model = "gemma-4-26b-k4"
[presets."g31-chat"]
provider = "lab"
model = "gemma-4-31b"
natural_for = ["gemma-4-31b"]
[presets."g31-draft"]
provider = "lab"
model = "gemma-4-31b"
[presets."q36-balanced"]
provider = "lab"
model = "qwen3.6-35b"
)";

struct Expected {
    std::optional<std::string> preset;
    std::optional<std::uint32_t> rule;
    std::string coverage;
};

/// Read off the demo's table by a person, not by the code under test.
Expected expectedFor(const QString& model, const QString& workload, const QString& length, bool many) {
    const bool structured = workload == u"tool_call"_s || workload == u"structured_json"_s;
    const bool shortOutput = length == u"short"_s;
    if (model == u"gemma-4-26b"_s) {
        if (structured && shortOutput && many) return {"g26-struct-multi", 0, "rule"};
        if (workload == u"code_gen"_s && length != u"long"_s && many) return {"g26-struct-multi", 1, "rule"};
        return {"g26-default", std::nullopt, "default"};
    }
    if (model == u"gemma-4-31b"_s) {
        const bool gap = (structured && !many) || (many && length == u"long"_s);
        return {"g31-chat", std::nullopt, gap ? "gap" : "none"};
    }
    return {"q36-balanced", std::nullopt, "none"};
}

}  // namespace

class ClientOpenai : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void rowsEqualRequests();

private:
    QTemporaryDir m_folder{QStringLiteral("/tmp/sbc-XXXXXX")};
    QProcess m_server;
    QString m_baseUrl;
    QString m_token;
    evidence::EvidenceOptions m_evidence;
};

void ClientOpenai::initTestCase() {
    if (!QFile::exists(clientsFolder() + u"/node_modules/openai"_s))
        QFAIL("tests/clients/node_modules is missing: run `npm ci --prefix tests/clients`, as packaging/test does");
    QVERIFY(m_folder.isValid());
    // The private cluster's server runs as `postgres` when the test runs as root, and must be let through.
    QFile::setPermissions(m_folder.path(), QFile::permissions(m_folder.path()) | QFile::ExeGroup | QFile::ExeOther);
    const QString workspace = m_folder.path() + u"/workspace"_s;
    QVERIFY(QDir().mkpath(workspace));
    QVERIFY(QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/routing-table.json"),
                        workspace + u"/routing-table.json"_s));
    QFile config(workspace + u"/gateway.toml"_s);
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(kConfig);
    config.close();

    const QString data = m_folder.path() + u"/data"_s;
    qputenv("SIGNALBOX_DATA_DIR", data.toUtf8());
    const auto environment = config::processEnvironment();
    const auto folders = app::userFolders(environment);
    QVERIFY(folders);
    const auto home = app::homeOfWorkspace(workspace.toStdString(), *folders, environment);
    const auto options = app::evidenceOptionsOf(home, config::Evidence{}, {}, environment);
    QVERIFY(options);
    m_evidence = *options;

    m_server.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_server.start(QStringLiteral(SIGNALBOXCTL), {u"serve"_s, workspace});
    QVERIFY(m_server.waitForStarted());
    QByteArray ready;
    QTRY_VERIFY_WITH_TIMEOUT((m_server.waitForReadyRead(50), ready += m_server.readAllStandardOutput(), ready.contains('\n')), 30'000);
    const auto at = ready.indexOf("http://");
    QVERIFY2(at >= 0, ready.constData());
    m_baseUrl = QString::fromUtf8(ready.mid(at, ready.indexOf('\n', at) - at).trimmed()) + u"/v1"_s;

    QFile token(QString::fromStdString((home.state / "client-token").string()));
    QVERIFY2(token.open(QIODevice::ReadOnly), qPrintable(token.fileName()));
    m_token = QString::fromUtf8(token.readAll().trimmed());
    QVERIFY(!m_token.isEmpty());
}

void ClientOpenai::cleanupTestCase() {
    m_server.terminate();
    QVERIFY(m_server.waitForFinished(30'000));
    QCOMPARE(m_server.exitCode(), 0);
}

void ClientOpenai::rowsEqualRequests() {
    QProcess client;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"SIGNALBOX_TEST_TOKEN"_s, m_token);
    environment.insert(u"SIGNALBOX_TEST_MODELS"_s, u"gemma-4-26b,gemma-4-31b,qwen3.6-35b"_s);
    client.setProcessEnvironment(environment);
    client.setWorkingDirectory(clientsFolder());
    client.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    client.start(u"node"_s, {u"openai_requests.mjs"_s, m_baseUrl, QString::number(kRequests), QString::number(kAtATime)});
    QVERIFY(client.waitForFinished(120'000));
    QCOMPARE(client.exitCode(), 0);

    std::map<std::string, QJsonObject> sent;  // by decision id
    int streaming = 0;
    for (const QByteArray& line : client.readAllStandardOutput().split('\n')) {
        if (line.isEmpty()) continue;
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        QVERIFY2(!object.contains(u"error"_s), line.constData());
        QVERIFY2(object[u"characters"_s].toInt() > 0, line.constData());
        QCOMPARE(object[u"usage"_s].isObject(), object[u"asked_usage"_s].toBool());  // F10
        QCOMPARE(object[u"request_id"_s].toString(), u"client-%1"_s.arg(object[u"index"_s].toInt()));
        if (object[u"stream"_s].toBool()) {
            ++streaming;
            QVERIFY2(object[u"chunks"_s].toInt() > 2, line.constData());
        }
        sent.emplace(object[u"decision"_s].toString().toStdString(), object);
    }
    QCOMPARE(sent.size(), std::size_t{kRequests});
    QCOMPARE(streaming, kRequests / 2);

    // The database comes up in the background; requests never wait for it.
    std::unique_ptr<evidence::HistoryReader> reader;
    QTRY_VERIFY_WITH_TIMEOUT(([&] {
        if (auto opened = evidence::openHistory(m_evidence)) reader = std::move(*opened);
        return reader != nullptr;
    }()), 30'000);
    const SystemClock clock;
    evidence::HistoryFilter filter;
    filter.range = {clock.now() - std::chrono::hours(1), clock.now() + std::chrono::hours(1)};
    const auto cancel = std::make_shared<std::atomic<bool>>(false);
    evidence::HistoryPage page;
    QTRY_VERIFY_WITH_TIMEOUT(([&] {
        auto answer = reader->page(filter, std::nullopt, 1000, cancel);
        if (answer) page = std::move(*answer);
        return page.rows.size() >= std::size_t{kRequests};
    }()), 20'000);
    QCOMPARE(page.rows.size(), std::size_t{kRequests});

    for (const evidence::DecisionRecord& row : page.rows) {
        const auto found = sent.find(row.id.text());
        QVERIFY2(found != sent.end(), row.id.text().c_str());
        const QJsonObject& request = found->second;
        const QByteArray what = QJsonDocument(request).toJson(QJsonDocument::Compact);
        const auto& cell = row.features.cell;
        const auto text = [&](const char16_t* key) { return request[QString::fromUtf16(key)].toString(); };
        QCOMPARE(QString::fromStdString(row.requestedModel), text(u"model"));
        QCOMPARE(row.features.stream, request[u"stream"_s].toBool());
        QCOMPARE(QString::fromStdString(row.clientRequestId), text(u"request_id"));
        QCOMPARE(QString::fromStdString(row.coverage), text(u"coverage"));
        QCOMPARE(QString::fromUtf8(table::toString(cell.workload).data()), text(u"workload"));
        QCOMPARE(QString::fromUtf8(table::toString(cell.length).data()), text(u"length"));
        const bool many = cell.concurrency == table::ConcurrencyMode::multiConc;
        QVERIFY2(row.features.inFlight.has_value(), what.constData());
        QCOMPARE(many, *row.features.inFlight >= 2);

        const Expected expected = expectedFor(text(u"model"), text(u"workload"), text(u"length"), many);
        QVERIFY2(row.presetKey == expected.preset, what.constData());
        QVERIFY2(row.ruleIndex == expected.rule, what.constData());
        QVERIFY2(row.coverage == expected.coverage, what.constData());
        QVERIFY(row.outcome == evidence::Outcome::served);
        QCOMPARE(row.status, 200);
        QCOMPARE(row.attempts.size(), std::size_t{1});
        QVERIFY(row.simulated);
        QVERIFY(row.outputTokens.value_or(0) > 0);
        sent.erase(found);
    }
    QVERIFY(sent.empty());
}

QTEST_GUILESS_MAIN(ClientOpenai)
#include "tst_client_openai.moc"
