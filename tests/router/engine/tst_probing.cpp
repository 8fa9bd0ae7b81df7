// SPDX-License-Identifier: MIT
#include "router/engine/probing.h"
#include "router/base/file.h"
#include "router/engine/build_serving.h"
#include "router/policy/workspace.h"
#include "router/strategy/prober.h"

#include <QTemporaryDir>
#include <QTest>
#include <mutex>
#include <stdexcept>

using namespace signalbox;
using namespace std::chrono_literals;
using evidence::AttemptOutcome;
using evidence::DecisionRecord;

namespace {

struct Records {
    void add(const DecisionRecord& record) {
        const std::lock_guard lock(mutex);
        kept.push_back(record);
    }
    std::vector<DecisionRecord> all() const {
        const std::lock_guard lock(mutex);
        return kept;
    }
    mutable std::mutex mutex;
    std::vector<DecisionRecord> kept;
};

class KeepingSink final : public evidence::RecordSink {
public:
    explicit KeepingSink(Records& records) : m_records(records) {}
    bool append(const DecisionRecord& record) noexcept override {
        m_records.add(record);
        return true;
    }

private:
    Records& m_records;
};

std::string provider(const std::string& id, const std::string& simulated) {
    return "[providers." + id + "]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers." + id + ".simulated]\n" + simulated + "\n";
}

std::string pool(const std::string& parameters) {
    return "[models.big]\nrouter = \"routewise\"\n[models.big.router_params]\n" + parameters +
           "\n[[models.big.route]]\nprovider = \"one\"\nmodel = \"m\"\n[[models.big.route]]\nprovider = \"two\"\nmodel = \"m\"\n";
}

/// The same two endpoints, the first of them a local server.
std::string greedyPool(const std::string& cloud) {
    return "[models.big]\nrouter = \"greedy\"\n[models.big.router_params]\nprefill_tokens_per_s = 1000\ndecode_tokens_per_s = 100\n"
           "max_running_requests = 8\nmax_reserved_tokens = 20000\nmax_work_s = 100\ncloud = { " + cloud + " }\n"
           "[[models.big.route]]\nprovider = \"one\"\nmodel = \"m\"\nkind = \"local\"\n"
           "[[models.big.route]]\nprovider = \"two\"\nmodel = \"m\"\nkind = \"cloud\"\n";
}

constexpr auto kQuick = "first_token_ms = 0\noutput_tokens = 1\ntokens_per_second = 100000.0";
constexpr auto kFailing = "first_token_ms = 0\nfault_rate = 1.0\nfault = \"status_500\"";
constexpr auto kEndless = "first_token_ms = 3600000";

}  // namespace

/// The thread of the probes, over simulated providers and the system's clock.
class TestProbing : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_records = std::make_unique<Records>(); }

    void F74_probesAreRecordedAsProbes() {
        const auto serving = served(provider("one", kQuick) + provider("two", kQuick), "routewise_probe_enabled = true");
        engine::Probing probing(m_clock);
        probing.follow(serving, sinks());
        QTRY_COMPARE(m_records->all().size(), std::size_t{2});
        probing.stop();
        const std::vector<DecisionRecord> records = m_records->all();
        QCOMPARE(records.size(), std::size_t{2});  // once for each idle endpoint
        for (std::size_t i = 0; i < 2; ++i) {
            const DecisionRecord& record = records[i];
            QVERIFY(record.origin == evidence::Origin::probe);
            QVERIFY(record.outcome == evidence::Outcome::served);
            QCOMPARE(record.endpointId, std::string(i == 0 ? "one:m" : "two:m"));
            QCOMPARE(record.requestedModel, std::string("big"));
            QCOMPARE(record.policyHash, serving->snapshot->hash);
            QCOMPARE(record.principal, std::string());
            QCOMPARE(record.attempts.size(), std::size_t{1});
            QVERIFY(record.attempts[0].role == evidence::AttemptRole::probe);
            QVERIFY(record.attempts[0].outcome == AttemptOutcome::served);
            QVERIFY(record.firstContentMs.has_value());
        }
        QVERIFY(!(records[0].id == records[1].id));
        QCOMPARE(serving->pools->at("big")->view(m_clock.steady()).requests, std::uint64_t{0});
    }

    void failuresAreRecordedToo() {
        const auto serving = served(provider("one", kFailing) + provider("two", kQuick), "routewise_probe_enabled = true");
        engine::Probing probing(m_clock);
        probing.follow(serving, sinks());
        QTRY_COMPARE(m_records->all().size(), std::size_t{2});
        const DecisionRecord first = m_records->all()[0];
        QVERIFY(first.outcome == evidence::Outcome::failed);
        QCOMPARE(first.status, 500);
        QCOMPARE(first.errorCode, std::string("status_500"));
        QCOMPARE(first.endpointId, std::string());
    }

    void stoppingDoesNotWaitForAnAnswer() {
        const auto serving = served(provider("one", kEndless) + provider("two", kEndless),
                                    "routewise_probe_enabled = true\nroutewise_probe_max_concurrency = 2");
        engine::Probing probing(m_clock);
        probing.follow(serving, sinks());
        const auto inFlight = [&] { return serving->endpoints->named().at("one:m").circuit()->view().inFlight; };
        QTRY_COMPARE(inFlight(), 1U);
        const Steady before = m_clock.steady();
        probing.stop();
        QVERIFY(m_clock.steady() - before < 30s);
        QCOMPARE(inFlight(), 0U);
        QVERIFY(m_records->all().empty());
    }

    // Ending them would wait for whatever they wait for, and an apply holds up every other action.
    void probesUnderWayOutliveThePolicyThatAskedForThem() {
        const auto serving = served(provider("one", kEndless) + provider("two", kEndless), "routewise_probe_enabled = true");
        engine::Probing probing(m_clock);
        probing.follow(serving, sinks());
        const auto inFlight = [&] { return serving->endpoints->named().at("one:m").circuit()->view().inFlight; };
        QTRY_COMPARE(inFlight(), 1U);
        const auto quiet = served(provider("one", kQuick) + provider("two", kQuick), "budget_alpha = 0.5");
        probing.follow(quiet, sinks());
        QCOMPARE(inFlight(), 1U);
        // And one that wants some again is followed by the same thread.
        const auto next = served(provider("one", kQuick) + provider("two", kQuick), "routewise_probe_enabled = true");
        probing.follow(next, sinks());
        QTRY_COMPARE(m_records->all().size(), std::size_t{2});
        QCOMPARE(m_records->all().front().policyHash, next->snapshot->hash);
        QCOMPARE(inFlight(), 1U);
        const auto rest = probing.stop();
        QVERIFY(rest != nullptr);
        QCOMPARE(inFlight(), 1U);
    }

    // Of a greedy pool the cloud part: its RouteWise router needs to know how fast they are, local admission does not.
    void theCloudPartOfAGreedyPool() {
        const std::string providers = provider("one", kQuick) + provider("two", kQuick);
        const auto serving = servedFrom(providers + greedyPool("routewise_probe_enabled = true"));
        engine::Probing probing(m_clock);
        probing.follow(serving, sinks());
        QTRY_COMPARE(m_records->all().size(), std::size_t{1});
        probing.stop();
        const DecisionRecord record = m_records->all().front();
        QVERIFY(record.origin == evidence::Origin::probe);
        QCOMPARE(record.endpointId, std::string("two:m"));
        QCOMPARE(record.requestedModel, std::string("big"));
        QCOMPARE(serving->endpoints->named().at("one:m").circuit()->view().attempts, 0U);
        QCOMPARE(serving->pools->at("big")->view(m_clock.steady()).requests, std::uint64_t{0});
        // Without the parameter there is nobody to probe.
        const auto quiet = std::dynamic_pointer_cast<strategy::Prober>(
            servedFrom(providers + greedyPool("budget_alpha = 0.5"))->pools->at("big"));
        QVERIFY(quiet != nullptr && !quiet->wantsProbes());
    }

    void nobodyAskedNobodyProbes() {
        const auto serving = served(provider("one", kQuick) + provider("two", kQuick), "budget_alpha = 0.5");
        engine::Probing probing(m_clock);
        probing.follow(serving, sinks());
        // With none that wants any there is no thread that could send one.
        probing.stop();
        QVERIFY(m_records->all().empty());
        QCOMPARE(serving->endpoints->named().at("one:m").circuit()->view().attempts, 0U);
    }

private:
    engine::Probing::SinkFactory sinks() {
        return [this]() -> Result<std::unique_ptr<evidence::RecordSink>> { return std::make_unique<KeepingSink>(*m_records); };
    }

    std::shared_ptr<const gateway::Serving> served(const std::string& providers, const std::string& parameters) {
        return servedFrom(providers + pool(parameters));
    }

    std::shared_ptr<const gateway::Serving> servedFrom(const std::string& sections) {
        const auto file = std::filesystem::path(m_folder.path().toStdString()) / "gateway.toml";
        const auto environment = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
        if (!writeFileAtomic(file, "[server]\nlisten = \"127.0.0.1:0\"\n" + sections))
            throw std::runtime_error("cannot write the test's gateway.toml");
        const auto loaded = policy::loadWorkspace({}, file, environment, m_clock.now());
        if (!loaded || !loaded->snapshot) throw std::runtime_error("the test's gateway.toml does not load");
        auto built = engine::buildServing(loaded->snapshot, environment, {}, std::make_shared<capacity::ProcessState>(m_clock), m_clock);
        if (!built) throw std::runtime_error(built.error().text());
        return built->serving;
    }

    SystemClock m_clock;
    QTemporaryDir m_folder;
    std::unique_ptr<Records> m_records;
};

QTEST_GUILESS_MAIN(TestProbing)
#include "tst_probing.moc"
