// SPDX-License-Identifier: MIT
// A name server that does not answer holds up who looks a name up, for as long as it likes, and nobody else: least of all
// an operator's actions. The C library's look-up cannot be broken off, so here it is one that waits for the test.
#include "router/base/file.h"
#include "router/engine/metrics_polling.h"
#include "router/engine/target.h"
#include "router/policy/workspace.h"

#include <QTemporaryDir>
#include <QTest>
#include <condition_variable>
#include <cstring>
#include <dlfcn.h>
#include <future>
#include <mutex>
#include <netdb.h>
#include <stdexcept>

using namespace signalbox;
using namespace std::chrono_literals;

namespace {

/// Holds everybody who looks up a name below `.blocked` until it is opened.
class NameServer {
public:
    void wait() {
        std::unique_lock lock(m_mutex);
        ++m_waiting;
        m_opened.wait(lock, [this] { return m_isOpen; });
        --m_waiting;
    }
    int waiting() {
        const std::scoped_lock lock(m_mutex);
        return m_waiting;
    }
    void setOpen(bool open) {
        const std::scoped_lock lock(m_mutex);
        m_isOpen = open;
        m_opened.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_opened;
    bool m_isOpen = false;
    int m_waiting = 0;
};

NameServer& nameServer() {
    static NameServer server;
    return server;
}

std::optional<std::string> nothingSet(const std::string&) { return std::nullopt; }

constexpr auto kSoon = 10s;

} // namespace

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** out) {
    if (node != nullptr && std::strstr(node, ".blocked") != nullptr) {
        nameServer().wait();
        return EAI_NONAME;
    }
    using LookUp = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
    static const auto real = reinterpret_cast<LookUp>(::dlsym(RTLD_NEXT, "getaddrinfo"));
    return real(node, service, hints, out);
}

class BlockedNamesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { nameServer().setOpen(false); }
    void cleanup() { nameServer().setOpen(true); }
    void followingNoPageAnyMoreWaitsForNobody();
    void stoppingLeavesTheLookUpToWhoHasTime();
    void actionsGoOnWhileAStopWaits();

private:
    engine::Policy policyOf(const std::string& toml) const;
    QTemporaryDir m_folder;
};

namespace {

config::GatewayConfig withPage() {
    config::Provider provider;
    provider.id = "far";
    provider.baseUrl = "http://engine.blocked:8000/v1";
    provider.metricsUrl = "auto";
    provider.metricsInterval = 5ms;
    config::GatewayConfig config;
    config.providers = {provider};
    return config;
}

} // namespace

engine::Policy BlockedNamesTest::policyOf(const std::string& toml) const {
    const auto file = std::filesystem::path(m_folder.path().toStdString()) / "gateway.toml";
    if (!writeFileAtomic(file, toml))
        throw std::runtime_error("cannot write the test's gateway.toml");
    const auto loaded = policy::loadWorkspace({}, file, nothingSet, SystemClock().now());
    if (!loaded || !loaded->snapshot)
        throw std::runtime_error("the test's gateway.toml does not load");
    return {loaded->snapshot, {}};
}

// As an apply does, which holds up every other action.
void BlockedNamesTest::followingNoPageAnyMoreWaitsForNobody() {
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    polling.follow(withPage(), nothingSet);
    QTRY_COMPARE(nameServer().waiting(), 1);
    auto following = std::async(std::launch::async, [&] { polling.follow({}, nothingSet); });
    const bool cameBack = following.wait_for(kSoon) == std::future_status::ready;
    nameServer().setOpen(true);
    following.get();
    QVERIFY(cameBack);
    QVERIFY(!book.of("far")->state().isConfigured());
}

void BlockedNamesTest::stoppingLeavesTheLookUpToWhoHasTime() {
    const SystemClock clock;
    capacity::EngineMetricsBook book;
    engine::MetricsPolling polling(book, clock);
    polling.follow(withPage(), nothingSet);
    QTRY_COMPARE(nameServer().waiting(), 1);
    auto stopping = std::async(std::launch::async, [&] { return polling.stop(); });
    const bool cameBack = stopping.wait_for(kSoon) == std::future_status::ready;
    nameServer().setOpen(true);
    QVERIFY(stopping.get() != nullptr);
    QVERIFY(cameBack);
}

void BlockedNamesTest::actionsGoOnWhileAStopWaits() {
    engine::EmbeddedOptions options;
    options.evidenceEnabled = false;
    options.stateFolder = std::filesystem::path(m_folder.path().toStdString()) / "state";
    options.environment = nothingSet;
    const auto gateway = engine::makeEmbeddedTarget(std::move(options)).value();
    const std::string provider = "[server]\nlisten = \"127.0.0.1:0\"\n[providers.far]\nbase_url = \"http://engine.blocked:8000/v1\"\nmodels = [\"m\"]\n";
    QVERIFY(gateway->start(policyOf(provider + "metrics_url = \"auto\"\n")).has_value());
    QTRY_COMPARE(nameServer().waiting(), 1);
    // A policy without the page, then the kill switch: both while the name is being looked up.
    auto applying = std::async(std::launch::async, [&] {
        return gateway->apply(policyOf(provider)).has_value() && gateway->off(true).has_value();
    });
    const bool applied = applying.wait_for(kSoon) == std::future_status::ready;
    auto stopping = std::async(std::launch::async, [&] { return gateway->stop(0ms).has_value(); });
    const auto isStopped = [&] { return gateway->status().state == engine::GatewayState::stopped; };
    const bool stopped = applied && QTest::qWaitFor(isStopped, 10'000);
    // The gateway is stopped, its name still being looked up: somebody waits for that, but no other action does.
    auto starting = std::async(std::launch::async, [&] { return gateway->start(policyOf(provider)).has_value(); });
    const bool started = stopped && starting.wait_for(kSoon) == std::future_status::ready;
    const int waiting = nameServer().waiting();
    nameServer().setOpen(true);
    QVERIFY(applied && applying.get());
    QVERIFY(stopping.get());
    QVERIFY(stopped);
    QVERIFY(started && starting.get());
    QCOMPARE(waiting, 1);
}

QTEST_APPLESS_MAIN(BlockedNamesTest)
#include "tst_blocked_names.moc"
