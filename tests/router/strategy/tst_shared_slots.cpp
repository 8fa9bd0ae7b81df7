// SPDX-License-Identifier: MIT
// Two routers of different kinds share the slots of one local server, on eight threads: what the server itself sees at
// once never exceeds them, and when all is over nothing is held any more.
#include "router/strategy/fixed/fixed_router.h"
#include "router/strategy/greedy/greedy_router.h"
#include "tests/support/fakes.h"

#include <QTest>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdlib>
#include <thread>

using namespace signalbox;
using namespace signalbox::dispatch;
using config::RouteKind;

namespace {

constexpr std::uint32_t kSlots = 5;

/// Counts the calls that it has at once.
struct Server {
    std::atomic<std::uint32_t> now{0}, highest{0};
    std::atomic<std::uint64_t> calls{0};

    void enter() {
        ++calls;
        const std::uint32_t seen = ++now;
        std::uint32_t before = highest.load();
        while (seen > before && !highest.compare_exchange_weak(before, seen)) {}
    }
};

/// One call at the server, until it is over or dropped.
class Call {
public:
    explicit Call(Server& server) : m_server(&server) { m_server->enter(); }
    Call(Call&& other) noexcept : m_server(std::exchange(other.m_server, nullptr)) {}
    Call& operator=(Call&&) = delete;
    ~Call() { end(); }
    void end() {
        if (m_server != nullptr) --m_server->now;
        m_server = nullptr;
    }

private:
    Server* m_server;
};

asio::awaitable<void> othersTurn() {
    const auto executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);
}

class Stream final : public ResponseStream {
public:
    Stream(Call call, bool breaks) : m_call(std::move(call)), m_breaks(breaks) {}
    const ResponseHead& head() const override { return m_head; }
    asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() override {
        co_await othersTurn();
        if (m_at++ == 0) co_return Chunk{Chunk::Kind::content, "c"};
        m_call.end();
        if (m_breaks) {
            UpstreamFailure broken;
            broken.kind = UpstreamFailure::Kind::disconnected;
            broken.code = "disconnected";
            co_return tl::unexpected(std::move(broken));
        }
        if (m_at == 2) co_return Chunk{Chunk::Kind::done, "d"};
        co_return std::optional<Chunk>();
    }
    Usage usage() const override { return {1000, 0, 20}; }
    std::uint32_t toolCalls() const override { return 0; }

private:
    Call m_call;
    bool m_breaks;
    int m_at = 0;
    ResponseHead m_head;
};

/// Every 16th call is refused by the upstream, every 8th breaks in the middle; the request's number decides.
class BusyAdapter final : public Adapter {
public:
    BusyAdapter(std::string provider, Server& server) : m_provider(std::move(provider)), m_server(server) {}
    std::string_view providerId() const override { return m_provider; }
    asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>> call(UpstreamRequest request) override {
        Call call(m_server);
        co_await othersTurn();
        if (request.inputTokens % 16 == 0) {
            call.end();
            UpstreamFailure bad;  // a fault of the request's: no circuit opens by it
            bad.kind = UpstreamFailure::Kind::status;
            bad.status = 422;
            bad.code = "status_422";
            co_return tl::unexpected(std::move(bad));
        }
        co_return std::make_unique<Stream>(std::move(call), request.inputTokens % 8 == 1);
    }

private:
    std::string m_provider;
    Server& m_server;
};

struct World {
    test::ManualClock clock;
    Server local, cloud;
    config::GatewayConfig config;
    std::shared_ptr<capacity::ProcessState> process = std::make_shared<capacity::ProcessState>(clock);
    std::shared_ptr<PoolRouter> greedy, fixed;

    explicit World(double maxWaitS) {
        config.circuits.consecutiveFailures = 1000;  // that faults open circuits is not what this is about
        config.circuits.minAvailability = 0;
        process->circuits.configure(config.circuits);
        config.resources.push_back({"gpu", config::Resource::Kind::concurrency, kSlots, {}});
        for (const char* id : {"l0", "c0"}) {
            config::Provider provider;
            provider.id = id;
            provider.pricing = config::Pricing{1, 2, 0, 0, std::nullopt, std::nullopt};
            config.providers.push_back(std::move(provider));
        }
        for (const char* id : {"filled", "drawn"}) {
            config::Model model;
            model.id = id;
            model.routes.push_back({"l0", "m", RouteKind::local, 3, config::Billing::onDemand, {"gpu"}});
            model.routes.push_back({"c0", "m", RouteKind::cloud, 1, config::Billing::onDemand, {}});
            config.models.push_back(std::move(model));
        }
        config.models[0].router = config::RouterKind::greedy;
        config.models[0].parametersJson =
            R"({"prefill_tokens_per_s": 1e6, "decode_tokens_per_s": 1e4, "max_running_requests": 7, "max_reserved_tokens": 100000,
                "max_work_s": 1000, "max_wait_s": )" + std::to_string(maxWaitS) + "}";
        build();
    }

    void build() {
        strategy::AdapterMap adapters{{"l0", std::make_shared<BusyAdapter>("l0", local)}, {"c0", std::make_shared<BusyAdapter>("c0", cloud)}};
        auto book = std::make_shared<const capacity::EndpointBook>(std::vector<policy::smart::Group>{}, capacity::EndpointBook::Known{},
                                                                   process, process->runtimes.configure("v", {}));
        auto capacity = std::make_shared<const capacity::CapacityBook>(config, process->resources, clock.steady());
        const strategy::RouterContext context{
            config, std::make_shared<const strategy::MemberSource>(std::move(adapters), strategy::NotCallable{}, book, capacity), process, clock};
        greedy = strategy::makeGreedyPool({config.models[0], "p"}, context).value();
        fixed = strategy::makeFixedPool({config.models[1], "p"}, context).value();
    }
};

/// One client after the other: routes, reads on or leaves, and checks that its own attempts are closed.
asio::awaitable<void> client(World& world, std::uint64_t seed, std::uint64_t requests, std::atomic<std::uint64_t>& open) {
    FastRandom random(seed);
    for (std::uint64_t i = 0; i < requests; ++i) {
        std::vector<evidence::Attempt> attempts;
        std::string whyNoFallback;
        std::optional<evidence::RecordedPool> pool;
        RequestRun run;
        const std::uint64_t number = random.next();
        run.makeRequest = [number](const policy::RouteTarget& target) {
            UpstreamRequest request;
            request.model = target.model;
            request.stream = true;
            request.inputTokens = number;
            return request;
        };
        run.attempts = &attempts;
        run.whyNoFallback = &whyNoFallback;
        run.pool = &pool;
        run.admittedAt = world.clock.steady();
        run.promptTokens = 1000;
        run.maxTokens = 50;
        run.random = &random;
        run.blame = std::make_shared<capacity::RequestBlame>();
        const bool filled = random.next() % 2 == 0;
        PoolCall call{DelegatePool{filled ? "filled" : "drawn", {}}, {}, std::nullopt, true};
        auto routing = (filled ? world.greedy : world.fixed)->route(std::move(call), run);
        AnswerResult answer = co_await std::move(routing);
        if (answer && random.next() % 3 != 0) {  // else the client leaves
            while (true) {
                auto chunk = co_await (*answer)->next();
                if (!chunk || !*chunk) break;
            }
        }
        if (answer) answer->reset();
        for (const evidence::Attempt& attempt : attempts)
            if (attempt.outcome == evidence::AttemptOutcome::failed && attempt.reason.empty()) ++open;
    }
}

}  // namespace

class TestSharedSlots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theServerNeverSeesMoreThanItsSlots_data() {
        QTest::addColumn<double>("maxWaitS");
        QTest::newRow("decided at once") << 0.0;
        QTest::newRow("with a queue") << 0.005;
    }

    void theServerNeverSeesMoreThanItsSlots() {
        QFETCH(double, maxWaitS);
        // The ctest entry with label "long" asks for 100,000 requests; this is its short twin.
        const char* asked = std::getenv("SIGNALBOX_TEST_STEPS");
        const std::uint64_t steps = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 10'000;
        World world(maxWaitS);
        std::atomic<std::uint64_t> open{0};
        {
            std::vector<std::jthread> threads;
            for (std::uint64_t t = 0; t < 8; ++t)
                threads.emplace_back([&, t] {
                    asio::io_context context{1};
                    for (std::uint64_t c = 0; c < 4; ++c)
                        asio::co_spawn(context, client(world, 1000 + 10 * t + c, steps / 32, open), asio::detached);
                    context.run();
                });
        }
        QVERIFY2(world.local.highest.load() <= kSlots, std::to_string(world.local.highest.load()).c_str());
        QCOMPARE(world.local.highest.load(), kSlots);  // it was put to the test
        QVERIFY(world.local.calls > steps / 8 && world.cloud.calls > 0);
        QCOMPARE(world.local.now.load(), 0u);
        QCOMPARE(open.load(), std::uint64_t{0});
        QCOMPARE(world.process->resources.slots("concurrency:gpu", kSlots).value()->inUse(), 0u);
        QVERIFY(world.process->locals.of("resource gpu")->load(world.clock.steady()) == capacity::LocalLoad{});
        for (const char* id : {"l0:m", "c0:m"}) QCOMPARE(world.process->circuits.of(id)->view().inFlight, 0u);
        const auto view = *world.greedy->view(world.clock.steady()).local;
        QCOMPARE(view.runningRequests, std::int64_t{0});
        QVERIFY(view.admitted > 0);
    }
};

QTEST_APPLESS_MAIN(TestSharedSlots)
#include "tst_shared_slots.moc"
