// SPDX-License-Identifier: MIT
// What principals may use: groups, models and providers, requests a minute, a monthly budget.
#include "router/base/text.h"
#include "tests/router/gateway/smart_policy.h"
#include "tests/support/fakes.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;

class GatewayLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void requestsPerMinute();
    void deniedGroup();
    void modelListHoldsWhatMayBeUsed();
    void softBudgetWarns();
    void hardBudgetRefuses();
    void budgetCutsWhatIsTooExpensive();
    void budgetIsAskedBeforeEveryAttempt();
    void budgetOfAGroupWhereNothingFits();
    void budgetReturnsWithTheMonth();
};

namespace {

const std::string kBatch = "x-api-key: batch-token-0123456789";

struct Limited {
    explicit Limited(const std::string& lines, const std::string& mode = "active", int percent = 100)
        : clock(std::make_shared<ManualClock>(*parseIso8601("2026-11-30T12:00:00Z"))),
          gateway(smartOptions(mode, percent, "\n[principals.batch]\ntoken_env = \"BATCH_TOKEN\"\n" + lines), clock) {}

    [[nodiscard]] std::optional<RawResponse> post(const std::string& body = kAuto) const {
        return fetch(gateway.port(), {"POST", "/v1/chat/completions", {kBatch}, body});
    }
    [[nodiscard]] double spent() const { return gateway.process().principals.of("batch")->spentUsd(); }
    void spend(double usd) const { gateway.process().principals.of("batch")->spend(usd); }

    std::shared_ptr<ManualClock> clock;
    GatewayFixture gateway;
};

bool holds(const std::optional<RawResponse>& response, const std::string& text) {
    return response->body.find(text) != std::string::npos;
}

// The fake upstream counts 12 tokens in, 3 of them cached, and 7 out; `other` costs 1 and 5 USD a million.
constexpr double kCostOfOther = (9 * 1.0 + 7 * 5.0) / 1e6;

} // namespace

void GatewayLimitsTest::requestsPerMinute() {
    Limited limited("requests_per_minute = 3\n");
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(limited.post()->status, 200);
        limited.clock->advance(5s);
    }
    const auto refused = limited.post();
    QCOMPARE(refused->status, 429);
    QCOMPARE(refused->header("retry-after"), std::string("45"));
    QVERIFY2(holds(refused, "requests_per_minute") && holds(refused, "batch"), refused->body.c_str());
    QCOMPARE(limited.gateway.refusals("too_many_requests_per_minute"), std::uint64_t{1});
    QCOMPARE(limited.gateway.records().size(), std::size_t{3});
    QVERIFY2(limited.gateway.post(kAuto)->status == 200, "nobody else is held back");
    limited.clock->advance(45s);
    QCOMPARE(limited.post()->status, 200);
}

void GatewayLimitsTest::deniedGroup() {
    Limited limited("allowed_groups = []\n");
    const auto denied = limited.post();
    QCOMPARE(denied->status, 403);
    QVERIFY2(holds(denied, "allowed_groups") || holds(denied, "not_allowed"), denied->body.c_str());
    const auto record = limited.gateway.records().at(0);
    QVERIFY(record.outcome == evidence::Outcome::refused && record.status == 403);
    QCOMPARE(limited.gateway.refusals("not_allowed"), std::uint64_t{1});
    QVERIFY(limited.gateway.upstream().requests().empty() && limited.gateway.other().requests().empty());
}

void GatewayLimitsTest::modelListHoldsWhatMayBeUsed() {
    Limited limited("allowed_groups = []\nallowed_providers = [\"other\"]\n");
    const auto list = fetch(limited.gateway.port(), {"GET", "/v1/models", {kBatch}, {}});
    QCOMPARE(list->status, 200);
    QVERIFY2(!holds(list, "\"auto\"") && !holds(list, "\"plain\"") && holds(list, "\"elsewhere\""), list->body.c_str());
    QVERIFY(holds(limited.gateway.get("/v1/models"), "\"plain\""));
    const auto one = [&](const char* id) {
        return fetch(limited.gateway.port(), {"GET", std::string("/v1/models/") + id, {kBatch}, {}});
    };
    QCOMPARE(one("elsewhere")->status, 200);
    QCOMPARE(one("plain")->status, 404);
    QVERIFY2(!holds(one("plai"), "\"plain\"") && !holds(one("plai"), "mean plain"), "nor is it suggested");
}

void GatewayLimitsTest::softBudgetWarns() {
    Limited limited("monthly_budget_soft_usd = 0.01\n");
    QCOMPARE(limited.post()->header("x-signalbox-budget"), std::string());
    QCOMPARE(limited.spent(), kCostOfOther);
    limited.spend(0.01);
    const auto warned = limited.post();
    QCOMPARE(warned->status, 200);
    QCOMPARE(warned->header("x-signalbox-budget"), std::string("soft"));
    QVERIFY(limited.gateway.get("/metrics")->body.find("signalbox_budget_soft_total{principal=\"batch\"} 1") !=
            std::string::npos);
}

void GatewayLimitsTest::hardBudgetRefuses() {
    Limited limited("monthly_budget_hard_usd = 0.01\n");
    QCOMPARE(limited.post()->status, 200);
    limited.spend(0.01);
    const auto refused = limited.post();
    QCOMPARE(refused->status, 429);
    QVERIFY2(holds(refused, "budget_exhausted") && holds(refused, "raise the hard monthly budget"), refused->body.c_str());
    QCOMPARE(refused->header("retry-after"), std::to_string(12 * 3600)); // to the first of December
    const auto record = limited.gateway.records().at(1);
    QVERIFY(record.outcome == evidence::Outcome::refused && record.errorCode == "budget_exhausted");
    QCOMPARE(limited.gateway.refusals("budget_exhausted"), std::uint64_t{1});
}

void GatewayLimitsTest::budgetCutsWhatIsTooExpensive() {
    // 100 tokens of output are estimated at 0.0005 USD at `other` and 0.005 at `up`.
    Limited limited("monthly_budget_hard_usd = 1\n", "shadow", 0);
    limited.spend(0.999);
    const auto response = limited.post();
    QCOMPARE(response->status, 200);
    QCOMPARE(response->header("x-signalbox-route"), std::string("other:elsewhere"));
    const auto group = *limited.gateway.records().at(0).group;
    QCOMPARE(group.candidates[0].cut, std::string("policy"));
    QVERIFY(limited.gateway.upstream().requests().empty());
}

void GatewayLimitsTest::budgetIsAskedBeforeEveryAttempt() {
    Limited limited("monthly_budget_hard_usd = 1\n");
    limited.spend(1 - 0.0055);
    // Both fit while planning; what the first attempt's sibling spends meanwhile leaves no room for the second.
    limited.gateway.other().setScript([&](const auto&) {
        limited.spend(0.002);
        FakeReply reply;
        reply.failure = upstreamStatus(503);
        return reply;
    });
    QCOMPARE(limited.post()->status, 503); // the attempt that was sent decides
    const auto record = limited.gateway.records().at(0);
    QCOMPARE(record.attempts.size(), std::size_t{2});
    QCOMPARE(record.attempts[1].reason, std::string("budget_exhausted"));
    QVERIFY(record.attempts[1].outcome == evidence::AttemptOutcome::refused);
    QVERIFY(limited.gateway.upstream().requests().empty());
}

void GatewayLimitsTest::budgetOfAGroupWhereNothingFits() {
    Limited limited("monthly_budget_hard_usd = 1\n");
    limited.spend(0.9999);
    const auto refused = limited.post();
    QCOMPARE(refused->status, 429);
    QVERIFY2(holds(refused, "budget_exhausted"), refused->body.c_str());
    QCOMPARE(limited.gateway.records().at(0).group->candidates.at(1).cut, std::string("policy"));
    // A single model that does not fit is refused before it is sent.
    const auto single = limited.post(R"({"model":"up:plain","max_tokens":100,"messages":[]})");
    QCOMPARE(single->status, 429);
    QVERIFY(limited.gateway.upstream().requests().empty());
    QCOMPARE(limited.gateway.refusals("budget_exhausted"), std::uint64_t{2});
}

void GatewayLimitsTest::budgetReturnsWithTheMonth() {
    Limited limited("monthly_budget_hard_usd = 0.01\n");
    limited.spend(1);
    QCOMPARE(limited.post()->status, 429);
    limited.clock->advance(12h);
    QCOMPARE(limited.post()->status, 200);
}

QTEST_APPLESS_MAIN(GatewayLimitsTest)
#include "tst_gateway_limits.moc"
