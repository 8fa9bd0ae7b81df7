// SPDX-License-Identifier: MIT
#include "tests/clients/client_stage.h"

#include "app/shared/paths.h"
#include "tests/support/speaking_upstream.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <algorithm>

namespace signalbox::test {

using namespace Qt::StringLiterals;

namespace {

constexpr auto kKey = "upstream-key";

std::string providerSection(const std::string& id, const std::string& protocol, const std::string& baseUrl, const std::string& more) {
    return "[providers." + id + "]\nprotocol = \"" + protocol + "\"\nbase_url = \"" + baseUrl + "\"\napi_key_env = \"STAGE_UPSTREAM_KEY\"\n" +
           "model_prefixes = [\"fine\", \"fault-\", \"no-index\"]\n" + more;
}

std::string groupSection(const std::string& name, const std::string& first, const std::string& firstModel, const std::string& second) {
    const auto candidate = [&](const std::string& provider, const std::string& model) {
        return "[[routing.groups.\"" + name + "\".candidates]]\nprovider = \"" + provider + "\"\nmodel = \"" + model + "\"\n";
    };
    return "[routing.groups.\"" + name + "\"]\naliases = [\"" + name + "\"]\n" + candidate(first, firstModel) + candidate(second, "fine");
}

/// Every way in which a fault meets a client: `EDGE-stream`, `EDGE-whole`.
const std::vector<std::string> kTails{"openai-stream", "openai-whole", "anthropic-stream", "anthropic-whole"};
const std::vector<std::string> kFaults{"500", "429", "529", "400", "frame", "early", "stall", "late", "latestall", "lateframe"};

std::string otherOf(const std::string& upstream) { return upstream == "oa" ? "an" : "oa"; }

std::string providerFor(const std::string& upstream, const std::string& fault) {
    return fault.find("stall") == std::string::npos ? upstream : upstream + "_brisk";
}

}  // namespace

ClientStage::ClientStage() {
    m_upstream.setResponder([this](const ReceivedRequest& request) { return reply(request); });
}

ClientStage::~ClientStage() {
    if (m_server.state() == QProcess::NotRunning) return;
    m_server.kill();
    m_server.waitForFinished(5'000);
}

Reply ClientStage::reply(const ReceivedRequest& request) {
    const std::string line = request.requestLine();
    constexpr std::string_view kSeen = "GET /seen/";
    if (line.starts_with(kSeen)) {
        const std::string model = line.substr(kSeen.size(), line.find(' ', kSeen.size()) - kSeen.size());
        return Reply::json(m_seen.contains(model) ? R"({"seen":true})" : R"({"seen":false})");
    }
    const auto body = nlohmann::json::parse(request.body, nullptr, false);
    if (body.is_object() && body.contains("model") && body["model"].is_string()) m_seen.insert(body["model"].get<std::string>());
    return speak(request);
}

std::string ClientStage::configText() const {
    const std::string baseUrl = m_upstream.baseUrl();
    const std::string brisk = "first_byte_timeout_ms = 2000\nstream_idle_timeout_ms = 2000\n";
    const std::string tokens = "max_tokens_field = \"max_completion_tokens\"\n";
    std::string out = "[server]\nlisten = \"127.0.0.1:0\"\n[evidence]\ntarget = \"client-test\"\n";
    out += providerSection("oa", "openai_compat", baseUrl, tokens) + providerSection("oa_brisk", "openai_compat", baseUrl, tokens + brisk);
    const std::string limit = "[providers.an.model_capabilities.fine]\nmax_output_tokens = 8765\n";
    out += providerSection("an", "anthropic", baseUrl, limit) + providerSection("an_brisk", "anthropic", baseUrl, brisk);
    std::string groups = "[routing]\nmode = \"off\"\n" + groupSection("duo-oa", "oa", "fine", "an") + groupSection("duo-an", "an", "fine", "oa");
    out += "[aliases]\n\"plain-oa\" = \"oa:fine\"\n\"plain-an\" = \"an:fine\"\n\"no-index\" = \"oa:no-index\"\n";
    for (const std::string upstream : {"oa", "an"}) {
        for (const std::string& fault : kFaults)
            for (const std::string& tail : kTails) {
                const std::string provider = providerFor(upstream, fault);
                out += "\"solo-" + fault + "-" + upstream + "-" + tail + "\" = \"" + provider + ":fault-" + fault + "-solo-" + tail + "\"\n";
                groups += groupSection("duo-" + fault + "-" + upstream + "-" + tail, provider, "fault-" + fault + "-" + tail, otherOf(upstream));
                if (fault == "429")
                    groups += groupSection("duo-429-tools-" + upstream + "-" + tail, provider, "fault-429-tools-" + tail, otherOf(upstream));
            }
        for (const std::string fault : {"stall", "latestall"})
            for (const std::string edge : {"openai", "anthropic"}) {
                const std::string name = upstream + "-" + edge;
                out += "\"gone-" + fault + "-" + name + "\" = \"" + upstream + ":fault-" + fault + "-gone-" + name + "\"\n";
            }
    }
    return out + groups;
}

QString ClientStage::readyAddress() {
    QByteArray ready;
    for (int waited = 0; waited < 600 && !ready.contains('\n') && m_server.state() != QProcess::NotRunning; ++waited) {
        m_server.waitForReadyRead(50);
        ready += m_server.readAllStandardOutput();
    }
    const auto at = ready.indexOf("http://");
    return at < 0 ? QString() : QString::fromUtf8(ready.mid(at, ready.indexOf('\n', at) - at).trimmed());
}

QString ClientStage::start() {
    const QString clients = QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/clients");
    for (const QString& sdk : {u"openai"_s, u"@anthropic-ai/sdk"_s})
        if (!QFile::exists(clients + u"/node_modules/"_s + sdk)) return u"tests/clients/node_modules lacks %1: run `npm ci --prefix tests/clients`"_s.arg(sdk);
    // The private cluster's server runs as `postgres` when the test runs as root, and must be let through.
    QFile::setPermissions(m_folder.path(), QFile::permissions(m_folder.path()) | QFile::ExeGroup | QFile::ExeOther);
    const QString workspace = m_folder.path() + u"/workspace"_s;
    QFile file(workspace + u"/gateway.toml"_s);
    const bool laid = QDir().mkpath(workspace) && file.open(QIODevice::WriteOnly) && file.write(QByteArray::fromStdString(configText())) > 0 &&
                      QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo/routing-table.json"), workspace + u"/routing-table.json"_s);
    file.close();
    if (!laid) return u"the workspace cannot be written"_s;

    qputenv("SIGNALBOX_DATA_DIR", (m_folder.path() + u"/data"_s).toUtf8());
    qputenv("STAGE_UPSTREAM_KEY", kKey);
    const auto environment = config::processEnvironment();
    const auto folders = app::userFolders(environment);
    if (!folders) return QString::fromStdString(folders.error().text());
    const auto home = app::homeOfWorkspace(workspace.toStdString(), *folders, environment);
    const auto options = app::evidenceOptionsOf(home, config::Evidence{}, {}, environment);
    if (!options) return QString::fromStdString(options.error().text());
    m_evidence = *options;

    m_server.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_server.start(QStringLiteral(SIGNALBOXCTL), {u"serve"_s, workspace});
    m_baseUrl = readyAddress();
    if (m_baseUrl.isEmpty()) return u"signalboxctl serve does not get ready"_s;
    m_port = static_cast<std::uint16_t>(m_baseUrl.mid(m_baseUrl.lastIndexOf(u':') + 1).toUInt());
    QFile token(QString::fromStdString((home.state / "client-token").string()));
    if (!token.open(QIODevice::ReadOnly)) return u"no token: "_s + token.fileName();
    m_token = QString::fromUtf8(token.readAll().trimmed());
    return {};
}

int ClientStage::stop() {
    m_server.terminate();
    return m_server.waitForFinished(30'000) ? m_server.exitCode() : -1;
}

std::vector<QJsonObject> ClientStage::run(const QString& suite) {
    QProcess client;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"SIGNALBOX_TEST_TOKEN"_s, m_token);
    client.setProcessEnvironment(environment);
    client.setWorkingDirectory(QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/clients"));
    client.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    client.start(u"node"_s, {suite, m_baseUrl, u"http://127.0.0.1:%1"_s.arg(m_upstream.port())});
    const bool ended = client.waitForFinished(240'000);
    std::vector<QJsonObject> out;
    for (const QByteArray& line : client.readAllStandardOutput().split('\n')) {
        if (line.isEmpty()) continue;
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        out.push_back(object.contains(u"name"_s) ? object : QJsonObject{{u"name"_s, suite}, {u"error"_s, QString::fromUtf8(line)}});
    }
    if (!ended || client.exitStatus() != QProcess::NormalExit || client.exitCode() != 0)
        out.push_back({{u"name"_s, suite}, {u"error"_s, u"the suite did not end well: %1"_s.arg(client.exitCode())}});
    return out;
}

std::map<std::string, evidence::DecisionRecord> ClientStage::rows(const std::set<std::string>& requestIds) {
    const SystemClock clock;
    evidence::HistoryFilter filter;
    filter.range = {clock.now() - std::chrono::hours(1), clock.now() + std::chrono::hours(1)};
    const auto cancel = std::make_shared<std::atomic<bool>>(false);
    std::map<std::string, evidence::DecisionRecord> out;
    std::unique_ptr<evidence::HistoryReader> reader;
    // The database comes up in the background, and rows follow their answers.
    const auto haveAll = [&] {
        if (!reader)
            if (auto opened = evidence::openHistory(m_evidence)) reader = std::move(*opened);
        if (!reader) return false;
        auto page = reader->page(filter, std::nullopt, 1000, cancel);
        if (!page) return false;
        for (evidence::DecisionRecord& row : page->rows)
            if (requestIds.contains(row.clientRequestId)) out.insert_or_assign(row.clientRequestId, std::move(row));
        return out.size() == requestIds.size();
    };
    (void)QTest::qWaitFor(haveAll, 40'000);
    return out;
}

QString difference(const QJsonObject& expected, const evidence::DecisionRecord& row) {
    const auto text = [](std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); };
    QStringList attempts;
    for (const evidence::Attempt& attempt : row.attempts)
        attempts << text(attempt.endpointId) + u' ' + text(evidence::toString(attempt.outcome)) + (attempt.status != 0 ? u" %1"_s.arg(attempt.status) : QString());
    const QString got = text(evidence::toString(row.outcome)) + u": "_s + attempts.join(u", "_s);
    const QString outcome = expected[u"outcome"_s].toString();
    if (text(evidence::toString(row.outcome)) != outcome) return u"outcome %1, not %2"_s.arg(got, outcome);
    if (expected.contains(u"attempts"_s)) {
        const QJsonArray wanted = expected[u"attempts"_s].toArray();
        bool same = wanted.size() == attempts.size();
        // A status that is not expected may stand there: of a head whose body broke.
        for (qsizetype i = 0; same && i < wanted.size(); ++i)
            same = attempts[i] == wanted[i].toString() || attempts[i].startsWith(wanted[i].toString() + u' ');
        if (!same) return u"attempts %1, not %2"_s.arg(got, QString::fromUtf8(QJsonDocument(wanted).toJson(QJsonDocument::Compact)));
    }
    const auto called = static_cast<std::uint32_t>(expected[u"called"_s].toInt());
    // The second call says more than the schema allows.
    if (row.toolsCalled != called || row.toolsValidJson != called || row.toolsFitSchema != std::min(called, 1U))
        return u"%1 calls of tools, %2 of them JSON, %3 as the schema says, not %4"_s.arg(row.toolsCalled).arg(row.toolsValidJson).arg(row.toolsFitSchema).arg(called);
    if (outcome == u"served"_s && (row.inputTokens != 21U || row.cachedTokens != 5U || row.outputTokens != 9U))
        return u"counted %1, %2 and %3 tokens"_s.arg(row.inputTokens.value_or(0)).arg(row.cachedTokens.value_or(0)).arg(row.outputTokens.value_or(0));
    return {};
}

}  // namespace signalbox::test
