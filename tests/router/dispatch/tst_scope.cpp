// SPDX-License-Identifier: MIT
#include "router/dispatch/backends.h"
#include "tests/support/run_coroutine.h"

#include "router/config/types.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;

namespace {

/// Remembers what it was handed, and answers with a refusal.
class RecordingRouter final : public PoolRouter {
public:
    explicit RecordingRouter(PoolGrant grant) : m_grant(std::move(grant)) {}
    const PoolGrant& grant() const override { return m_grant; }
    asio::awaitable<AnswerResult> route(PoolCall call, const RequestRun&) override {
        calls.push_back(std::move(call));
        UpstreamFailure refused;
        refused.kind = UpstreamFailure::Kind::refused;
        refused.code = "recorded";
        co_return tl::unexpected(std::move(refused));
    }
    PoolView view(Steady) const override { return {}; }
    PoolForecast forecast(const PoolQuestion&, Steady) const override { return {}; }
    std::vector<PoolCall> calls;

private:
    PoolGrant m_grant;
};

config::Model mixedModel() {
    config::Model out;
    out.id = "m";
    for (const char* provider : {"l0", "l1", "c0", "c1"}) {
        config::Route route;
        route.provider = provider;
        route.model = "m";
        route.kind = provider[0] == 'l' ? config::RouteKind::local : config::RouteKind::cloud;
        out.routes.push_back(std::move(route));
    }
    return out;
}

std::shared_ptr<RecordingRouter> routerOf(EndpointScope::Ids ids, std::string pool = "m") {
    return std::make_shared<RecordingRouter>(PoolGrant{std::move(pool), std::move(ids)});
}

const EndpointScope::Ids kAll{"l0:m", "l1:m", "c0:m", "c1:m"};

}  // namespace

class TestScope : public QObject {
    Q_OBJECT

    static std::string hand(const TreeBackend& to, PoolCall call) {
        asio::io_context context;
        const RequestRun run;
        auto answer = test::runCoroutine(context, to.execute(std::move(call), run));
        return answer ? "served" : answer.error().code;
    }

private Q_SLOTS:
    void unrestrictedAllowsAllAndAnEmptySetNothing();
    void labelsAreExpandedWithinTheModel();
    void everyLayerIntersects();
    void partsHandOnTheirOwnRange();
    void labelsNarrowACall();
    void emptyIntersectionIsRefused();
    void backendsRefuseTheWrongRouter();
};

void TestScope::unrestrictedAllowsAllAndAnEmptySetNothing() {
    QVERIFY(EndpointScope().isUnrestricted() && !EndpointScope().isEmpty());
    QVERIFY(EndpointScope().allows("any:thing"));
    const EndpointScope none = EndpointScope::only({});
    QVERIFY(!none.isUnrestricted() && none.isEmpty());
    QVERIFY(!none.allows("any:thing"));
}

void TestScope::labelsAreExpandedWithinTheModel() {
    const EndpointScope::Ids members{"a:m", "a:n", "b:m", "ab:m"};
    const auto allowed = [&](std::vector<std::string> labels) {
        EndpointScope::Ids out;
        const EndpointScope scope = EndpointScope::ofLabels(labels, members);
        for (const std::string& id : members)
            if (scope.allows(id)) out.insert(id);
        return out;
    };
    QVERIFY((allowed({"a"}) == EndpointScope::Ids{"a:m", "a:n"}));  // a provider is all of its endpoints, and no other's
    QVERIFY((allowed({"a:n", "b"}) == EndpointScope::Ids{"a:n", "b:m"}));
    QVERIFY((allowed({"b:m", "b"}) == EndpointScope::Ids{"b:m"}));
    QVERIFY(allowed({"z", "a:z"}).empty());
    // Canonical ids of this model only: an endpoint outside is not let in by naming it.
    QVERIFY(!EndpointScope::ofLabels(std::vector<std::string>{"z:m"}, members).allows("z:m"));
    QVERIFY(EndpointScope::ofLabels(std::vector<std::string>{}, members).isEmpty());
}

void TestScope::everyLayerIntersects() {
    const EndpointScope ab = EndpointScope::only({"a:m", "b:m"}), bc = EndpointScope::only({"b:m", "c:m"});
    const EndpointScope both = ab.intersectedWith(bc);
    QVERIFY(both.allows("b:m") && !both.allows("a:m") && !both.allows("c:m"));
    QVERIFY(EndpointScope().intersectedWith(ab).allows("a:m"));
    QVERIFY(!EndpointScope().intersectedWith(ab).isUnrestricted());
    QVERIFY(!ab.intersectedWith(EndpointScope()).isUnrestricted());
    QVERIFY(EndpointScope().intersectedWith(EndpointScope()).isUnrestricted());
    // Nothing in common stays nothing, whatever comes after it.
    const EndpointScope none = ab.intersectedWith(EndpointScope::only({"z:m"}));
    QVERIFY(none.isEmpty());
    QVERIFY(none.intersectedWith(EndpointScope()).isEmpty());
}

void TestScope::partsHandOnTheirOwnRange() {
    const auto router = routerOf(kAll);
    const auto local = LocalBackend::make(router, mixedModel()).value();
    const auto cloud = FixedCloudBackend::make(router, mixedModel()).value();
    QVERIFY((local.grant().endpoints == EndpointScope::Ids{"l0:m", "l1:m"}));
    QVERIFY((cloud.grant().endpoints == EndpointScope::Ids{"c0:m", "c1:m"}));
    QCOMPARE(hand(local, {DelegatePool{"m", {}}, {}, {}, true}), std::string("recorded"));
    QCOMPARE(hand(cloud, {DelegatePool{"m", {}}, EndpointScope::only({"c1:m", "l0:m"}), {}, true}), std::string("recorded"));
    QCOMPARE(router->calls.size(), std::size_t{2});
    QVERIFY(router->calls[0].scope.allows("l1:m") && !router->calls[0].scope.allows("c0:m"));
    QVERIFY(router->calls[1].scope.allows("c1:m") && !router->calls[1].scope.allows("c0:m") && !router->calls[1].scope.allows("l0:m"));
}

void TestScope::labelsNarrowACall() {
    const auto router = routerOf(kAll);
    const auto local = LocalBackend::make(router, mixedModel()).value();
    const auto narrowed = [&](std::vector<std::string> labels, EndpointScope scope = {}) {
        return narrowedTo({DelegatePool{"m", {}}, std::move(scope), {}, true}, labels, local.grant());
    };
    QCOMPARE(hand(local, narrowed({"l1", "c0"})), std::string("recorded"));
    QVERIFY(router->calls[0].scope.allows("l1:m") && !router->calls[0].scope.allows("l0:m") && !router->calls[0].scope.allows("c0:m"));
    QCOMPARE(hand(local, narrowed({"c0"})), std::string("empty_scope"));
    QCOMPARE(hand(local, narrowed({"l1"}, EndpointScope::only({"l0:m"}))), std::string("empty_scope"));
    QCOMPARE(router->calls.size(), std::size_t{1});
}

void TestScope::emptyIntersectionIsRefused() {
    const auto router = routerOf({"l0:m"});
    // A part of which the router has nothing has nothing to offer, to whomever asks.
    const TreeBackend nothing(router, {"c0:m"});
    QCOMPARE(hand(nothing, {DelegatePool{"m", {}}, {}, {}, true}), std::string("empty_scope"));
    QCOMPARE(hand(TreeBackend(router), {DelegatePool{"m", {}}, EndpointScope::only({}), {}, true}), std::string("empty_scope"));
    QVERIFY(router->calls.empty());
}

void TestScope::backendsRefuseTheWrongRouter() {
    const config::Model model = mixedModel();
    QVERIFY(!LocalBackend::make(routerOf(kAll, "n"), model));
    QVERIFY(!FixedCloudBackend::make(routerOf(kAll, "n"), model));
    QVERIFY(!RouteWiseCloudBackend::make(routerOf({"c0:m"}, "n"), model));
    QVERIFY(!LocalBackend::make(nullptr, model));
    // Retries, hedges and probes of a router that knows local endpoints could leave the cloud part.
    QVERIFY(!RouteWiseCloudBackend::make(routerOf(kAll), model));
    QVERIFY(RouteWiseCloudBackend::make(routerOf({"c0:m", "c1:m"}), model));
    QVERIFY(RouteWiseCloudBackend::make(routerOf({"c1:m"}), model));
}

QTEST_APPLESS_MAIN(TestScope)
#include "tst_scope.moc"
