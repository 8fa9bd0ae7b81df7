// SPDX-License-Identifier: MIT
#include "tests/router/gateway/smart_policy.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;

/// The admin paths and their token, which no client's is.
class GatewayAdminTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyTheAdminTokenOpensIt();
    void adminTokenIsNoClientToken();
    void withoutAdminTokenNobodyEnters();
    void onlyFromThisMachine();
    void onlyGet();
};

namespace {
const std::string kStatus = "/admin/router/status";

std::optional<RawResponse> getWith(const GatewayFixture& gateway, std::vector<std::string> headers) {
    return fetch(gateway.port(), {"GET", kStatus, std::move(headers), {}});
}

bool namesTheFile(const std::optional<RawResponse>& response) {
    return response->body.find("admin-token") != std::string::npos && response->body.find(kAdminToken) == std::string::npos;
}
} // namespace

void GatewayAdminTest::onlyTheAdminTokenOpensIt() {
    GatewayFixture gateway;
    QCOMPARE(gateway.getAsAdmin(kStatus)->status, 200);
    const auto client = getWith(gateway, {kAuth});
    QCOMPARE(client->status, 403);
    QVERIFY2(namesTheFile(client), client->body.c_str());
    QVERIFY(client->body.find("client_token_refused") != std::string::npos);
    for (const auto& headers : {std::vector<std::string>{}, std::vector<std::string>{"Authorization: Bearer wrong"}}) {
        const auto response = getWith(gateway, headers);
        QCOMPARE(response->status, 401);
        QVERIFY2(namesTheFile(response), response->body.c_str());
    }
    QCOMPARE(gateway.refusals("missing_admin_token"), std::uint64_t{1});
    QCOMPARE(fetch(gateway.port(), {"GET", kStatus, {"Authorization: Bearer " + kAdminToken, "Origin: http://evil.example"}, {}})
                 ->status,
             403);
}

void GatewayAdminTest::adminTokenIsNoClientToken() {
    GatewayFixture gateway;
    QCOMPARE(gateway.getAsAdmin("/v1/models")->status, 401);
}

void GatewayAdminTest::withoutAdminTokenNobodyEnters() {
    config::GatewayConfig config;
    const auto access = gateway::AccessPolicy::make(config, {}, kToken);
    QVERIFY(access);
    gateway::HttpRequest request;
    request.authorization = "Bearer something";
    QCOMPARE(access->checkAdmin(request, true)->status, 401);
    request.authorization = "Bearer ";
    QCOMPARE(access->checkAdmin(request, true)->status, 401);
}

void GatewayAdminTest::onlyFromThisMachine() {
    config::GatewayConfig config;
    const auto access = gateway::AccessPolicy::make(config, {}, kToken, kAdminToken);
    const std::string header = "Bearer " + kAdminToken;
    gateway::HttpRequest request;
    request.authorization = header;
    QVERIFY(!access->checkAdmin(request, true));
    QCOMPARE(access->checkAdmin(request, false)->code, std::string("admin_is_local"));
}

void GatewayAdminTest::onlyGet() {
    GatewayFixture gateway;
    const auto response = fetch(gateway.port(), {"POST", kStatus, {"Authorization: Bearer " + kAdminToken}, "{}"});
    QCOMPARE(response->status, 405);
    QCOMPARE(response->header("allow"), std::string("GET, HEAD"));
}

QTEST_APPLESS_MAIN(GatewayAdminTest)
#include "tst_gateway_admin.moc"
