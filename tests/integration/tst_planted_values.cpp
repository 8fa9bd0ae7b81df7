// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "tests/integration/gateway_scene.h"
#include "tests/integration/smart_scene.h"

#include <QProcess>
#include <QRegularExpression>
#include <QTest>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace signalbox;
using namespace signalbox::test;

/// Raw session ids, tokens, keys and content that went through a gateway are in nothing that it leaves behind: not in
/// the database, the journal, the log, the metrics, the status or an error.
class PlantedValuesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingPlantedIsFound_data();
    void nothingPlantedIsFound();
};

namespace {

const std::string kSession = "planted-session-81f3";
const std::string kWrongToken = "planted-wrong-token-5522";
const std::string kPrincipalToken = "planted-principal-token-9017";
const std::string kApiKey = "planted-api-key-3310";
const std::string kContent = "planted-content-4471";
/// What must be found, or the search finds nothing at all.
const std::string kRequestId = "visible-request-id-77";

/// `signalboxctl serve` with everything that it writes to its two streams.
class Serve {
public:
    Serve(const GatewayScene& scene, const QString& logFormat) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const auto& [name, value] : scene.variables())
            environment.insert(QString::fromStdString(name), QString::fromStdString(value));
        m_process.setProcessEnvironment(environment);
        m_process.start(QStringLiteral(SIGNALBOX_BINARY_DIR "/app/ctl/signalboxctl"),
                        {QStringLiteral("serve"), QString::fromStdString(scene.workspace().string()),
                         QStringLiteral("--log-level"), QStringLiteral("debug"), QStringLiteral("--log-format"), logFormat});
        while (!m_out.contains('\n') && m_process.waitForReadyRead(20'000))
            m_out += m_process.readAllStandardOutput();
        const auto match =
            QRegularExpression(QStringLiteral(":(\\d+)\\s*$")).match(QString::fromUtf8(m_out).trimmed());
        port = match.hasMatch() ? static_cast<std::uint16_t>(match.captured(1).toUInt()) : 0;
    }
    std::string stop() {
        m_process.terminate();
        m_process.waitForFinished(30'000);
        return (m_out + m_process.readAllStandardOutput() + m_process.readAllStandardError()).toStdString();
    }
    std::uint16_t port = 0;

private:
    QProcess m_process;
    QByteArray m_out;
};

std::string filesBelow(const std::filesystem::path& folder) {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        all += entry.path().string() + "\n";
        // The token files are where tokens belong.
        if (!entry.is_regular_file() || entry.path().filename().string().ends_with("-token"))
            continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        all += text.str();
    }
    return all;
}

/// Every line but the ready one is an object, and every decision in the database has one of them.
void checkObjects(const std::string& log, const Postgres& postgres) {
    std::map<std::string, OrderedJson> requests;
    for (const QString& line : QString::fromStdString(log).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        if (line.startsWith(QStringLiteral("signalbox: listening on ")))
            continue;
        const OrderedJson object = OrderedJson::parse(line.toStdString(), nullptr, false);
        QVERIFY2(object.is_object() && object.contains("time") && object.contains("level") && object.contains("message"), qPrintable(line));
        if (object.at("message") != "request")
            continue;
        // What was turned away before it became a decision has no row.
        if (!object.contains("decision_id"))
            QVERIFY2(object.at("outcome") == "refused", qPrintable(line));
        else
            requests[object.at("decision_id").get<std::string>()] = object;
    }
    const auto rows = postgres.column("SELECT 'rtd_' || replace(id::text, '-', '') || ' ' || outcome || ' ' || status || ' ' || endpoint FROM signalbox.decisions");
    QCOMPARE(requests.size(), rows.size());
    for (const std::string& row : rows) {
        const auto found = requests.find(row.substr(0, row.find(' ')));
        QVERIFY2(found != requests.end(), row.c_str());
        const OrderedJson& said = found->second;
        // Of what no endpoint answered the log names the one that was tried last.
        const std::string answeredBy = row.ends_with(' ') ? std::string() : said.value("endpoint", "");
        QCOMPARE(found->first + " " + said.at("outcome").get<std::string>() + " " + std::to_string(said.at("status").get<int>()) + " " + answeredBy, row);
        QCOMPARE(said.at("level") == "warning", said.at("outcome") == "failed" || said.at("outcome") == "refused");
        QVERIFY(said.contains("request_id") && said.contains("edge") && said.contains("model") && said.contains("ms"));
    }
}

std::string dumpOf(const Postgres& postgres) {
    std::string all;
    for (const std::string& table :
         postgres.column("SELECT quote_ident(table_name) FROM information_schema.tables WHERE table_schema = 'signalbox'")) {
        for (const std::string& row : postgres.column("SELECT t::text FROM signalbox." + table + " AS t"))
            all += table + ": " + row + "\n";
    }
    return all;
}

} // namespace

void PlantedValuesTest::nothingPlantedIsFound_data() {
    QTest::addColumn<QString>("format");
    QTest::newRow("log as text") << QStringLiteral("text");
    QTest::newRow("log as JSON") << QStringLiteral("json");
}

void PlantedValuesTest::nothingPlantedIsFound() {
    QFETCH(QString, format);
    Postgres postgres;
    QVERIFY2(postgres.problem().empty(), postgres.problem().c_str());
    GatewayScene scene(postgres.dsn());
    scene.setVariable("PLANTED_TOKEN", kPrincipalToken);
    scene.setVariable("PLANTED_KEY", kApiKey);
    std::string sections = smartSections("shadow", 0, scene.upstream().baseUrl(),
                                         "\n[principals.batch]\ntoken_env = \"PLANTED_TOKEN\"\nallowed_groups = [\"g1\"]\n"
                                         "requests_per_minute = 30\n");
    sections.insert(sections.find("models = [\"alt-1\"]"), "api_key_env = \"PLANTED_KEY\"\n");
    scene.setMore(sections);
    Serve serve(scene, format);
    QVERIFY2(serve.port != 0, "no ready line");

    std::string seen; // what clients other than the sender could get to see
    const auto post = [&](const std::string& model, std::vector<std::string> headers, const std::string& token) {
        headers.push_back("x-api-key: " + token);
        headers.push_back("X-Request-Id: " + kRequestId);
        const auto response =
            fetch(serve.port, {"POST", "/v1/chat/completions", std::move(headers),
                               "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"" + kContent + "\"}]}"});
        if (response)
            seen += response->body + "\n";
        return response ? response->status : 0;
    };
    const std::string session = "X-ModelPort-Session-Id: " + kSession;
    QCOMPARE(post("auto", {session}, kPrincipalToken), 200);
    QCOMPARE(post("auto", {"X-Signalbox-Session-Id: " + kSession}, scene.token()), 200);
    QCOMPARE(post("alt:alt-1", {session}, scene.token()), 200);
    QCOMPARE(post("model-a", {session}, scene.token()), 200);
    QCOMPARE(post("deep", {session}, kPrincipalToken), 403);
    QCOMPARE(post("auto", {session}, kWrongToken), 401);
    QCOMPARE(post("nobody", {session}, scene.token()), 404);
    QCOMPARE(post("auto", {session, "X-Signalbox-Session-Id: " + kSession + "-other"}, scene.token()), 400);
    QCOMPARE(post("auto", {session + std::string(200, 'x')}, scene.token()), 400);
    QCOMPARE(post("auto", {session, "X-Signalbox-Routing-Profile: " + kSession}, scene.token()), 400);
    // An upstream that repeats what it was sent in its error.
    scene.upstream().enqueue(Reply::json("{\"error\":{\"message\":\"bad key Bearer " + kApiKey + "\"}}", 500));
    scene.upstream().enqueue(Reply::json("{\"error\":{\"message\":\"bad key " + kApiKey + "\"}}", 500));
    QCOMPARE(post("alt:alt-1", {session}, scene.token()), 500);
    QCOMPARE(post("alt:alt-1", {session}, scene.token()), 500);
    for (const auto& upstreamSaw : scene.upstream().requests())
        QVERIFY2(upstreamSaw.head.find(kSession) == std::string::npos, "a session goes to no upstream");

    const auto admin = readFile([&] {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(scene.dataFolder()))
            if (entry.path().filename() == "admin-token")
                return entry.path();
        return std::filesystem::path();
    }(), 4096);
    QVERIFY(admin);
    const std::string adminToken = admin->substr(0, admin->find('\n'));
    const auto status = fetch(serve.port, {"GET", "/admin/router/status", {"Authorization: Bearer " + adminToken}, {}});
    QCOMPARE(status->status, 200);
    const auto metrics = fetch(serve.port, {"GET", "/metrics", {}, {}});
    QTRY_COMPARE_WITH_TIMEOUT(postgres.value("SELECT count(*) FROM signalbox.decisions"), std::string("8"), 30'000);

    const std::vector<std::pair<std::string, std::string>> places{
        {"answers", seen},
        {"status", status->body},
        {"metrics", metrics->body},
        {"database", dumpOf(postgres)},
        {"files", filesBelow(scene.dataFolder())},
        {"log", serve.stop()}};
    QVERIFY2(places[3].second.find(kRequestId) != std::string::npos, "the dump holds the rows");
    QVERIFY2(places[4].second.find(kRequestId) != std::string::npos, "the journal is among the files");
    QVERIFY2(places[5].second.find("admin-token") != std::string::npos, "the log is read");
    QVERIFY2(places[5].second.find(kRequestId) != std::string::npos, "the log has a line for every request");
    if (format == QStringLiteral("json"))
        checkObjects(places[5].second, postgres);
    QVERIFY(places[2].second.find("modelport_routing_decisions_total") != std::string::npos);
    for (const auto& [place, text] : places) {
        for (const std::string& planted :
             {kSession, kWrongToken, kPrincipalToken, kApiKey, kContent, scene.token(), adminToken}) {
            const auto at = text.find(planted);
            if (at == std::string::npos)
                continue;
            const std::string where = planted + " is in the " + place + ": " + text.substr(at > 80 ? at - 80 : 0, 200);
            QFAIL(where.c_str());
        }
    }
}

QTEST_GUILESS_MAIN(PlantedValuesTest)
#include "tst_planted_values.moc"
