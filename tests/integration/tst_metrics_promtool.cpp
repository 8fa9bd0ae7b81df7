// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "router/config/types.h"
#include "tests/integration/gateway_scene.h"
#include "tests/integration/smart_scene.h"
#include "tests/support/spawn.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

using namespace signalbox;
using namespace signalbox::test;

/// The page that Prometheus reads, judged by Prometheus' own tool after traffic of every kind, and what is built upon it:
/// the dashboard and the alert rules in packaging/.
class MetricsPromtoolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void thePageIsAccepted();
    void clientsAddNoSeries();
    void everyFamilyHasItsKindAndHelp();
    void gaugesSayWhatIs();
    void rulesAreAccepted();
    void rulesFireWhenTheyShould();
    void dashboardAndRulesNameWhatExists_data();
    void dashboardAndRulesNameWhatExists();
    void dashboardAndRulesAskForWordsThatAreSaid_data();
    void dashboardAndRulesAskForWordsThatAreSaid();
    void everyPanelAsksAQuestion();

private:
    [[nodiscard]] std::string page() const { return fetch(portOf(*m_target), {"GET", "/metrics", {}, {}})->body; }
    int post(const std::string& model, const std::string& more = {}, std::vector<std::string> headers = {}) const;
    void sendEverything();

    std::unique_ptr<GatewayScene> m_scene;
    std::unique_ptr<engine::Target> m_target;
};

namespace {

const QString kPackaging = QStringLiteral(SIGNALBOX_SOURCE_DIR "/packaging/");

struct Ran {
    int code = -1;
    QString said;
};

Ran promtool(const QStringList& arguments, const std::string& input = {}) {
    std::vector<std::string> command{"promtool"};
    for (const QString& argument : arguments)
        command.push_back(argument.toStdString());
    const SpawnResult ran = spawn(command, input);
    if (ran.code < 0 || ran.code == 127)
        return {-1, QStringLiteral("promtool is missing; packaging/install-deps test installs it")};
    return {ran.code, QString::fromStdString(ran.output + ran.errors)};
}

/// Label names by metric, histograms under their own name.
using Labels = std::map<QString, std::set<QString>>;

QString familyOf(QString name) {
    static const QRegularExpression suffix(QStringLiteral("_(bucket|sum|count)$"));
    return name.remove(suffix);
}

Labels labelsOn(const std::string& page) {
    Labels out;
    static const QRegularExpression type(QStringLiteral("^# TYPE (\\S+) (\\S+)$"), QRegularExpression::MultilineOption);
    const QString text = QString::fromStdString(page);
    for (auto found = type.globalMatch(text); found.hasNext();)
        out[found.next().captured(1)];
    // This scene declares no gap; tst_metric_shard holds the labels to these.
    out[QStringLiteral("signalbox_gap_hits_total")] = {QStringLiteral("family"), QStringLiteral("cell")};
    static const QRegularExpression series(QStringLiteral("^([a-z_]+)\\{(.*)\\} \\S+$"), QRegularExpression::MultilineOption);
    static const QRegularExpression label(QStringLiteral("(?:^|,)([a-z_]+)=\""));
    for (auto found = series.globalMatch(text); found.hasNext();) {
        const auto line = found.next();
        const QString name = out.contains(line.captured(1)) ? line.captured(1) : familyOf(line.captured(1));
        for (auto one = label.globalMatch(line.captured(2)); one.hasNext();)
            out[name].insert(one.next().captured(1));
    }
    return out;
}

std::size_t seriesOn(const std::string& page) {
    std::size_t lines = 0;
    for (const QString& line : QString::fromStdString(page).split(QLatin1Char('\n')))
        lines += !line.isEmpty() && !line.startsWith(QLatin1Char('#'));
    return lines;
}

QString read(const QString& path) {
    const auto text = readFile(path.toStdString(), 1 << 20);
    return text ? QString::fromStdString(*text) : QString();
}

void collectExpressions(const OrderedJson& node, QStringList& out) {
    if (node.is_object())
        for (const auto& item : node.items()) {
            if (item.key() == "expr" && item.value().is_string())
                out << QString::fromStdString(item.value().get<std::string>());
            collectExpressions(item.value(), out);
        }
    if (node.is_array())
        for (const auto& item : node)
            collectExpressions(item, out);
}

OrderedJson dashboard() { return OrderedJson::parse(read(kPackaging + QStringLiteral("grafana/signalbox.json")).toStdString()); }

/// Whether a source of the router has the word in quotes; of `word.+` its beginning.
bool isLiteralOfTheRouter(const QString& word) {
    const bool isPrefix = word.endsWith(QStringLiteral(".+"));
    const QByteArray literal = '"' + (isPrefix ? word.chopped(2) : word).toUtf8() + '"';
    QDirIterator files(QStringLiteral(SIGNALBOX_SOURCE_DIR "/router"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly) && file.readAll().contains(literal))
            return true;
    }
    return false;
}

QStringList ruleExpressions() {
    // An expression is one line, or the lines below `expr: |` that are indented further.
    static const QRegularExpression expression(QStringLiteral("^ {8}expr: (?:\\|\\n((?: {10}.*\\n)+)|(.*)$)"),
                                               QRegularExpression::MultilineOption);
    QStringList out;
    for (auto found = expression.globalMatch(read(kPackaging + QStringLiteral("prometheus/signalbox-alerts.yml"))); found.hasNext();) {
        const auto one = found.next();
        out << one.captured(1) + one.captured(2);
    }
    return out;
}

} // namespace

int MetricsPromtoolTest::post(const std::string& model, const std::string& more, std::vector<std::string> headers) const {
    headers.push_back("x-api-key: " + m_scene->token());
    const auto response = fetch(portOf(*m_target), {"POST", "/v1/chat/completions", std::move(headers),
                                                    "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" + more + "}"});
    return response ? response->status : 0;
}

void MetricsPromtoolTest::initTestCase() {
    m_scene = std::make_unique<GatewayScene>("");
    m_scene->setMore(smartSections("shadow", 40, m_scene->upstream().baseUrl(),
                                   "\n[resources.lab]\nlimit = 7\n"
                                   "\n[resources.day]\nkind = \"quota\"\nlimit = 1000\nwindow_s = 86400\n"));
    m_target = m_scene->makeTarget();
    const auto started = m_target->start(m_scene->policy());
    QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
    sendEverything();
}

void MetricsPromtoolTest::sendEverything() {
    const std::string tools =
        R"(,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","required":["a"]}}}])";
    const auto call = [](const char* arguments) {
        return Reply::json(R"({"choices":[{"index":0,"finish_reason":"tool_calls","message":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":)" +
                           OrderedJson(arguments).dump() + R"(}}]}}],"usage":{"prompt_tokens":9,"completion_tokens":2}})");
    };
    QCOMPARE(post("auto"), 200);
    QCOMPARE(post("deep", "", {"X-Signalbox-Routing-Profile: quality"}), 200);
    QCOMPARE(post("alt:alt-1"), 200);
    QCOMPARE(post("model-a"), 200);
    m_scene->upstream().enqueue(call(R"({"a":1})"));
    QCOMPARE(post("model-a", tools), 200);
    m_scene->upstream().enqueue(call(R"({"b":1})"));
    QCOMPARE(post("model-a", tools), 200);
    m_scene->upstream().enqueue(Reply::stream()
                                    .event(R"({"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]})")
                                    .event(R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}})")
                                    .event("[DONE]")
                                    .end());
    QCOMPARE(post("model-a", R"(,"stream":true)"), 200);
    m_scene->upstream().enqueue(Reply::json(R"({"error":{"message":"no"}})", 500));
    QVERIFY(post("alt:alt-1") >= 500);
    QCOMPARE(post("nobody"), 404);
}

void MetricsPromtoolTest::thePageIsAccepted() {
    const std::string text = page();
    const Ran ran = promtool({QStringLiteral("check"), QStringLiteral("metrics")}, text);
    QVERIFY2(ran.code == 0 && ran.said.isEmpty(), qPrintable(ran.said));
    // The same tool must be able to say no.
    const Ran wrong = promtool({QStringLiteral("check"), QStringLiteral("metrics")}, "# TYPE a counter\na 1\n");
    QVERIFY2(wrong.code != 0, qPrintable(wrong.said));
}

void MetricsPromtoolTest::clientsAddNoSeries() {
    const auto ask = [&](int number) {
        const std::string name = "invented-" + std::to_string(number);
        QCOMPARE(post(name, R"(,"metadata":{"category":"invented"},"user":"invented")",
                      {"X-Request-Id: invented-" + std::to_string(number), "X-ModelPort-Session-Id: invented-" + std::to_string(number)}),
                 404);
        const int pinned = post("model-a", "", {"X-Signalbox-Pin: preset/" + name});
        QVERIFY2(pinned >= 400, qPrintable(QString::number(pinned)));
        QCOMPARE(post("auto", "", {"X-Signalbox-Routing-Profile: " + name}), 400);
        const int explicitly = post("up:" + name);
        QVERIFY2(explicitly != 0, qPrintable(QString::number(explicitly)));
    };
    ask(0); // new codes of refusal, at most
    const std::size_t before = seriesOn(page());
    for (int i = 1; i < 40; ++i)
        ask(i);
    const std::string after = page();
    QCOMPARE(seriesOn(after), before);
    QVERIFY(after.find("invented") == std::string::npos);
}

void MetricsPromtoolTest::everyFamilyHasItsKindAndHelp() {
    const QString text = QString::fromStdString(page());
    static const QRegularExpression type(QStringLiteral("^# TYPE (\\S+) (\\S+)$"), QRegularExpression::MultilineOption);
    int families = 0;
    for (auto found = type.globalMatch(text); found.hasNext(); ++families) {
        const auto one = found.next();
        const QString name = one.captured(1), kind = one.captured(2);
        QVERIFY2(text.contains(QStringLiteral("# HELP %1 ").arg(name)), qPrintable(name));
        QCOMPARE(name.endsWith(QStringLiteral("_total")), kind == QStringLiteral("counter"));
        if (kind == QStringLiteral("histogram"))
            QVERIFY2(name.endsWith(QStringLiteral("_seconds")) || name.endsWith(QStringLiteral("_tokens")), qPrintable(name));
        QVERIFY2(name.startsWith(QStringLiteral("signalbox_")) || name == QStringLiteral("modelport_routing_decisions_total"), qPrintable(name));
    }
    QVERIFY(families > 25);
}

void MetricsPromtoolTest::gaugesSayWhatIs() {
    const std::string text = page();
    for (const char* line : {"signalbox_slots_limit{resource=\"lab\"} 7", "signalbox_slots_in_use{resource=\"lab\"} 0",
                             "signalbox_quota_limit{resource=\"day\"} 1000", "signalbox_in_flight_limit 256", "signalbox_in_flight_requests 0",
                             "signalbox_circuit_open{endpoint=\"alt:alt-1\"} 0", "signalbox_endpoint_drained{endpoint=\"alt:alt-1\"} 0",
                             "signalbox_evidence_state{state=\"off\"} 1", "signalbox_build_info{version=\"" SIGNALBOX_VERSION "\"} 1"})
        QVERIFY2(text.find(std::string("\n") + line + "\n") != std::string::npos, (std::string(line) + " in\n" + text).c_str());
    QVERIFY(m_target->act("alt:alt-1", engine::EndpointAction::trip).has_value());
    QVERIFY(m_target->act("up:model-b", engine::EndpointAction::drain).has_value());
    const std::string then = page();
    QVERIFY(then.find("signalbox_circuit_open{endpoint=\"alt:alt-1\"} 1") != std::string::npos);
    QVERIFY(then.find("signalbox_circuit_opened_total{endpoint=\"alt:alt-1\"} 1") != std::string::npos);
    QVERIFY(then.find("signalbox_endpoint_drained{endpoint=\"up:model-b\"} 1") != std::string::npos);
    QVERIFY(m_target->off(true).has_value());
    QVERIFY(page().find("signalbox_policy_info{mode=\"off\"") != std::string::npos);
}

void MetricsPromtoolTest::rulesAreAccepted() {
    const Ran ran = promtool({QStringLiteral("check"), QStringLiteral("rules"), kPackaging + QStringLiteral("prometheus/signalbox-alerts.yml")});
    QVERIFY2(ran.code == 0, qPrintable(ran.said));
}

void MetricsPromtoolTest::rulesFireWhenTheyShould() {
    const Ran ran = promtool({QStringLiteral("test"), QStringLiteral("rules"), kPackaging + QStringLiteral("prometheus/signalbox-alerts.test.yml")});
    QVERIFY2(ran.code == 0, qPrintable(ran.said));
}

void MetricsPromtoolTest::dashboardAndRulesNameWhatExists_data() {
    QTest::addColumn<QString>("expression");
    QStringList all = ruleExpressions();
    QVERIFY(all.size() >= 10);
    const auto rules = all.size();
    collectExpressions(dashboard(), all);
    QVERIFY(all.size() >= rules + 20);
    for (qsizetype i = 0; i < all.size(); ++i)
        QTest::addRow("%s %d: %s", i < rules ? "rule" : "panel", static_cast<int>(i), qPrintable(all[i].left(60).simplified())) << all[i];
}

void MetricsPromtoolTest::dashboardAndRulesNameWhatExists() {
    QFETCH(QString, expression);
    const Labels known = labelsOn(page());
    static const QRegularExpression metric(QStringLiteral("\\b((?:signalbox|modelport)_[a-z_]+)(?:\\{([^}]*)\\})?"));
    static const QRegularExpression label(QStringLiteral("([a-z_]+)(?:=~|=|!=|!~)\""));
    static const QRegularExpression grouping(QStringLiteral("\\b(?:by|on) \\(([a-z_, ]+)\\)"));
    std::set<QString> labels{QStringLiteral("instance"), QStringLiteral("job"), QStringLiteral("le")};
    int named = 0;
    for (auto found = metric.globalMatch(expression); found.hasNext(); ++named) {
        const auto one = found.next();
        const QString name = known.contains(one.captured(1)) ? one.captured(1) : familyOf(one.captured(1));
        QVERIFY2(known.contains(name), qPrintable(name + QStringLiteral(" is not on the page")));
        const auto& its = known.at(name);
        labels.insert(its.begin(), its.end());
        for (auto used = label.globalMatch(one.captured(2)); used.hasNext();) {
            const QString which = used.next().captured(1);
            QVERIFY2(its.contains(which) || which == QStringLiteral("instance"), qPrintable(name + QStringLiteral(" has no label ") + which));
        }
    }
    QVERIFY2(named > 0 || expression.startsWith(QStringLiteral("up{")), qPrintable(expression));
    for (auto found = grouping.globalMatch(expression); found.hasNext();)
        for (const QString& which : found.next().captured(1).split(QRegularExpression(QStringLiteral("[, ]+"))))
            QVERIFY2(labels.contains(which), qPrintable(QStringLiteral("nothing here has the label ") + which));
}

void MetricsPromtoolTest::dashboardAndRulesAskForWordsThatAreSaid_data() {
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("word");
    static const QRegularExpression selector(QStringLiteral("([a-z_]+)(?:=~|=|!~|!=)\"([^\"$]+)\""));
    QStringList all = ruleExpressions();
    collectExpressions(dashboard(), all);
    std::set<std::pair<QString, QString>> asked;
    for (const QString& expression : all)
        for (auto found = selector.globalMatch(expression); found.hasNext();) {
            const auto one = found.next();
            for (const QString& word : one.captured(2).split(QLatin1Char('|')))
                asked.emplace(one.captured(1), word);
        }
    QVERIFY(asked.size() >= 15);
    for (const auto& [label, word] : asked)
        if (label != QStringLiteral("job")) // the scraper's
            QTest::addRow("%s %s", qPrintable(label), qPrintable(word)) << label << word;
}

/// A rule that asks for a word which the page never says stays silent for ever.
void MetricsPromtoolTest::dashboardAndRulesAskForWordsThatAreSaid() {
    QFETCH(QString, label);
    QFETCH(QString, word);
    // Codes of refusal and the modes that do not run now are not on a page before they happen.
    if (label == QStringLiteral("code"))
        QVERIFY2(isLiteralOfTheRouter(word), qPrintable(word + QStringLiteral(" is no code of a refusal")));
    else if (label == QStringLiteral("mode"))
        QVERIFY(std::ranges::any_of(std::array{config::RoutingMode::off, config::RoutingMode::shadow, config::RoutingMode::active},
                                    [&](auto mode) { return config::toString(mode) == word.toStdString(); }));
    else
        QVERIFY2(QString::fromStdString(page()).contains(
                     QRegularExpression(QStringLiteral("[{,]%1=\"%2\"[,}]").arg(label, QRegularExpression::escape(word)))),
                 qPrintable(label + QStringLiteral(" is never ") + word));
}

void MetricsPromtoolTest::everyPanelAsksAQuestion() {
    const OrderedJson board = dashboard();
    int panels = 0;
    for (const OrderedJson& panel : board.at("panels")) {
        const std::string title = panel.at("title").get<std::string>();
        QVERIFY2(title.ends_with("?"), title.c_str());
        if (panel.at("type") == "row")
            continue;
        ++panels;
        QVERIFY2(!panel.at("targets").empty(), title.c_str());
        QVERIFY2(!panel.at("fieldConfig").at("defaults").at("unit").get<std::string>().empty(), title.c_str());
        for (const OrderedJson& target : panel.at("targets")) {
            QVERIFY2(!target.at("legendFormat").get<std::string>().empty(), title.c_str());
            // Of such a metric the labels are the answer; its value is always 1.
            if (target.at("expr").get<std::string>().find("_info{") != std::string::npos)
                QCOMPARE(panel.at("options").at("textMode").get<std::string>(), std::string("name"));
        }
    }
    QVERIFY(panels >= 20);
}

QTEST_GUILESS_MAIN(MetricsPromtoolTest)
#include "tst_metrics_promtool.moc"
