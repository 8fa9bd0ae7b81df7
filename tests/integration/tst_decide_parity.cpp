// SPDX-License-Identifier: MIT
#include "tests/integration/gateway_scene.h"

#include "router/base/json_document.h"
#include "router/policy/explain.h"
#include "tests/support/spawn.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

/// `signalboxctl decide` and the gateway give one answer for the same request.
class DecideParityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sameAnswer_data();
    void sameAnswer();
};

namespace {

struct ParityCase {
    const char* tag;
    std::string body;
    std::vector<std::pair<std::string, std::string>> hints;
};

std::vector<ParityCase> cases() {
    std::vector<ParityCase> all;
    const char* kinds[][2] = {{"free", ""},
                              {"structured", R"(,"response_format":{"type":"json_object"})"},
                              {"tools", R"(,"tools":[{"type":"function","function":{"name":"f"}}])"},
                              {"empty tools", R"(,"tools":[])"}};
    const char* caps[][2] = {{"no cap", ""},
                             {"short", R"(,"max_tokens":256)"},
                             {"medium", R"(,"max_completion_tokens":512)"},
                             {"long", R"(,"max_tokens":513)"}};
    for (const char* model : {"model-a", "org/model-a", "a-k4", "model-b", "up:model-b", "model-a-k4"}) {
        for (const auto& kind : kinds) {
            for (const auto& cap : caps) {
                all.push_back(
                    {kind[0],
                     std::string("{\"model\":\"") + model + "\",\"messages\":[]" + kind[1] + cap[1] + "}",
                     {}});
            }
        }
    }
    const std::string structured = R"({"model":"model-a","response_format":{"type":"json_object"}})";
    all.push_back({"length hint", structured, {{"expected_length", "short"}}});
    all.push_back({"malformed hint", structured, {{"expected_length", "tiny"}}});
    all.push_back({"code hint", R"({"model":"model-a"})", {{"category", "code"}}});
    all.push_back({"input hint", R"({"model":"model-a","max_tokens":10})", {{"input_tokens", "50"}}});
    all.push_back(
        {"metadata", R"({"model":"model-a","metadata":{"expected_length":"short"},"tools":[1]})", {}});
    return all;
}

std::string headerOf(const std::string& hint) {
    if (hint == "expected_length")
        return "X-Signalbox-Expected-Length";
    return hint == "category" ? "X-Signalbox-Category" : "X-Signalbox-Input-Tokens";
}

/// `inFlight` is what the gateway counted; it counts nothing where the model has no family.
OrderedJson decideByCommand(const GatewayScene& scene, const ParityCase& row,
                            std::optional<std::uint32_t> inFlight) {
    std::vector<std::string> command{SIGNALBOX_BINARY_DIR "/app/ctl/signalboxctl",
                                     "decide",
                                     "--json",
                                     "--request",
                                     "-",
                                     "--table",
                                     (scene.workspace() / "routing-table.json").string(),
                                     "--config",
                                     (scene.workspace() / "gateway.toml").string()};
    if (inFlight)
        command.insert(command.end(), {"--in-flight", std::to_string(*inFlight)});
    for (const auto& [name, value] : row.hints)
        command.insert(command.end(), {"--hint", name + "=" + value});
    const auto variables = scene.variables();
    const SpawnResult ran = spawn(command, row.body, {variables.begin(), variables.end()});
    return OrderedJson::parse(ran.output, nullptr, false);
}

} // namespace

void DecideParityTest::sameAnswer_data() {
    QTest::addColumn<int>("index");
    const auto all = cases();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::addRow("%zu %s", i, all[i].tag) << static_cast<int>(i);
}

void DecideParityTest::sameAnswer() {
    QFETCH(int, index);
    static GatewayScene scene("");
    static const auto target = [] {
        auto made = scene.makeTarget();
        if (const auto started = made->start(scene.policy()); !started)
            throw std::runtime_error(started.error().text());
        return made;
    }();
    const ParityCase row = cases()[static_cast<std::size_t>(index)];
    const auto feed = target->subscribe(4);
    std::vector<std::string> headers{"x-api-key: " + scene.token()};
    for (const auto& [name, value] : row.hints)
        headers.push_back(headerOf(name) + ": " + value);
    const auto response = fetch(portOf(*target), {"POST", "/v1/chat/completions", headers, row.body});
    QVERIFY(response);
    const auto batch = feed->take();
    QCOMPARE(batch.records.size(), std::size_t{1});
    const evidence::DecisionRecord& record = *batch.records[0];

    // The gateway's decision, told in the command's words.
    const auto snapshot = target->running();
    const auto plan = policy::resolve(*snapshot, record.features);
    OrderedJson expected = policy::explainJson(*snapshot, record.features, plan);
    OrderedJson told = decideByCommand(scene, row, record.features.inFlight);
    QVERIFY2(told.is_object(), told.dump().c_str());
    told.erase("configured");
    QCOMPARE(QString::fromStdString(told.dump(1)), QString::fromStdString(expected.dump(1)));
    // And what it did is what that decision says.
    QCOMPARE(plan.has_value(), response->status == 200);
    if (plan) {
        QCOMPARE(record.endpointId, plan->targets.front().endpointId());
        QCOMPARE(record.presetKey, plan->targets.front().presetKey);
        QCOMPARE(response->header("x-signalbox-coverage"), std::string(policy::toString(plan->coverage)));
    }
}

QTEST_GUILESS_MAIN(DecideParityTest)
#include "tst_decide_parity.moc"
