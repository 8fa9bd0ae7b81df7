// SPDX-License-Identifier: MIT
#include "router/dispatch/leaf.h"
#include "tests/support/run_coroutine.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::dispatch;

namespace {

class RecordingAdapter final : public Adapter {
public:
    explicit RecordingAdapter(std::string provider) : m_provider(std::move(provider)) {}
    std::string_view providerId() const override { return m_provider; }
    asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>> call(UpstreamRequest request) override {
        calls.push_back(request.model);
        UpstreamFailure failure;
        failure.code = "recorded";
        co_return tl::unexpected(std::move(failure));
    }
    std::vector<std::string> calls;

private:
    std::string m_provider;
};

}  // namespace

class TestBinding : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void refusesInconsistentIdentity_data();
    void refusesInconsistentIdentity();
    void keepsWhatItWasMadeOf();
    void modelsMayHoldColons();
    void leafRunsExactlyItsAdapter();
    void leafRefusesAnotherModelBeforeAnythingIsSent();
    void leafRefusesAMovedFromBinding();
    void leafKeepsTheAdapterAlive();
};

void TestBinding::refusesInconsistentIdentity_data() {
    QTest::addColumn<QString>("endpoint");
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("adapter");
    QTest::addColumn<QString>("pool");
    QTest::newRow("no adapter") << "local:m" << "m" << false << QString();
    QTest::newRow("empty model") << "local:" << "" << true << QString();
    QTest::newRow("no colon") << "local" << "m" << true << QString();
    QTest::newRow("empty provider") << ":m" << "m" << true << QString();
    QTest::newRow("another model") << "local:n" << "m" << true << QString();
    QTest::newRow("another provider") << "cloud:m" << "m" << true << QString();
    QTest::newRow("empty pool") << "local:m" << "m" << true << QStringLiteral("empty");
}

void TestBinding::refusesInconsistentIdentity() {
    QFETCH(QString, endpoint);
    QFETCH(QString, model);
    QFETCH(bool, adapter);
    QFETCH(QString, pool);
    std::optional<std::string> poolId;
    if (!pool.isEmpty()) poolId = "";
    auto binding = EndpointBinding::make(endpoint.toStdString(), model.toStdString(),
                                         adapter ? std::make_shared<RecordingAdapter>("local") : nullptr, poolId);
    QVERIFY(!binding);
    QCOMPARE(binding.error().kind, ErrorKind::internal);
    QVERIFY(!binding.error().message.empty());
}

void TestBinding::keepsWhatItWasMadeOf() {
    auto adapter = std::make_shared<RecordingAdapter>("local");
    auto binding = EndpointBinding::make("local:m", "m", adapter, "pool-a", 7);
    QVERIFY(binding);
    QCOMPARE(binding->endpointId(), std::string("local:m"));
    QCOMPARE(binding->modelId(), std::string("m"));
    QCOMPARE(*binding->poolId(), std::string("pool-a"));
    QCOMPARE(binding->generation(), std::uint64_t{7});
    QCOMPARE(binding->adapter().get(), static_cast<Adapter*>(adapter.get()));
}

void TestBinding::modelsMayHoldColons() {
    // F34: the provider is what stands before the first colon, everything after it is the model's own name.
    QVERIFY(EndpointBinding::make("local:org/name:8b@q4", "org/name:8b@q4", std::make_shared<RecordingAdapter>("local")));
}

void TestBinding::leafRunsExactlyItsAdapter() {
    auto adapter = std::make_shared<RecordingAdapter>("local");
    auto leaf = LeafBackend::make(*EndpointBinding::make("local:m", "m", adapter));
    QVERIFY(leaf);
    asio::io_context context;
    UpstreamRequest request;
    request.model = "m";
    auto result = test::runCoroutine(context, leaf->call(request));
    QVERIFY(!result);
    QCOMPARE(result.error().code, std::string("recorded"));
    QCOMPARE(adapter->calls, std::vector<std::string>{"m"});
}

void TestBinding::leafRefusesAnotherModelBeforeAnythingIsSent() {
    auto adapter = std::make_shared<RecordingAdapter>("local");
    auto leaf = LeafBackend::make(*EndpointBinding::make("local:m", "m", adapter));
    asio::io_context context;
    UpstreamRequest request;
    request.model = "other";
    auto result = test::runCoroutine(context, leaf->call(request));
    QVERIFY(!result);
    QCOMPARE(result.error().kind, UpstreamFailure::Kind::composition);
    QVERIFY(!result.error().sent());
    QVERIFY(adapter->calls.empty());
}

void TestBinding::leafRefusesAMovedFromBinding() {
    auto binding = EndpointBinding::make("local:m", "m", std::make_shared<RecordingAdapter>("local"));
    EndpointBinding taken = std::move(*binding);
    QVERIFY(!LeafBackend::make(std::move(*binding)));
    QVERIFY(LeafBackend::make(std::move(taken)));
}

void TestBinding::leafKeepsTheAdapterAlive() {
    // An apply may drop the adapter everywhere else while the request is in flight.
    auto adapter = std::make_shared<RecordingAdapter>("local");
    const std::weak_ptr<RecordingAdapter> watched = adapter;
    std::optional<LeafBackend> leaf(*LeafBackend::make(*EndpointBinding::make("local:m", "m", adapter)));
    adapter.reset();
    QVERIFY(!watched.expired());
    leaf.reset();
    QVERIFY(watched.expired());
}

QTEST_APPLESS_MAIN(TestBinding)
#include "tst_binding.moc"
