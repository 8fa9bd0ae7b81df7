// SPDX-License-Identifier: MIT
// The upstream breaks at one step of its exchange after the other until the request passes, for every router of pools,
// over real sockets: the client gets the right error or the next endpoint's answer, and nothing is left behind or
// counted twice (F1 to F7, F19, F46, F50, F59, F70, F76).
#include "tests/router/gateway/faults.h"

#include "router/gateway/metrics.h"

#include <nlohmann/json.hpp>
#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using capacity::Sample;
using evidence::AttemptOutcome;
using evidence::AttemptRole;

class FaultSweepTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firstEndpointBreaks_data() { rows(false); }
    void firstEndpointBreaks() { sweep(1); }
    void allEndpointsBreak_data() { rows(true); }
    void allEndpointsBreak() { sweep(2); }

private:
    static void rows(bool onlyThoseThatFallBack);
    static void sweep(std::size_t breaking);
};

namespace {

/// One request of a scene whose first `breaking` endpoints have the fault.
struct Case {
    Case(PoolKind kind, bool stream, std::size_t step, std::size_t breaking)
        : m_kind(kind), m_fault(faultAt(stream, step)), m_breaking(breaking), m_scene(options()) {
        for (std::size_t i = 0; i < m_scene.size(); ++i) {
            // Known to be quick, so that a backup is worth sending.
            if (kind == PoolKind::hedging) m_scene.teach(i, 20ms);
            m_scene.at(i).setStandingReply(i < breaking ? m_fault.reply : goodReply(m_fault.stream));
        }
    }

    PoolSceneOptions options() const {
        PoolSceneOptions out;
        out.kind = m_kind;
        for (std::size_t i = 0; i < m_breaking; ++i) out.endpoints[i] = setupFor(m_fault);
        return out;
    }

    void ask() {
        RawClient client(m_scene.gateway().port());
        QVERIFY(client.send(poolRequest(m_fault.stream)));
        if (m_fault.afterContent) {
            QVERIFY(client.waitFor("one piece"));
            m_scene.at(0).release();
        }
        const auto response = client.response();
        QVERIFY(response.has_value());
        m_response = *response;
        const auto records = m_scene.gateway().records();
        QCOMPARE(records.size(), std::size_t{1});
        m_record = records.front();
    }

    [[nodiscard]] bool anotherAnswers() const { return m_fault.fallsBack && m_breaking < m_scene.size(); }
    [[nodiscard]] bool isAnswered() const { return m_fault.passes() || anotherAnswers(); }
    [[nodiscard]] std::size_t attempted() const { return m_fault.fallsBack ? 2 : 1; }
    [[nodiscard]] bool breaks(std::size_t endpoint) const { return endpoint < m_breaking && !m_fault.passes(); }

    void checkClient() const {
        if (isAnswered()) {
            QCOMPARE(m_response.status, 200);
            QVERIFY(m_response.complete);
            QVERIFY(m_response.body.find("one piece") != std::string::npos);
            QVERIFY(m_response.body.find("\"error\"") == std::string::npos);
            QCOMPARE(m_response.header("x-signalbox-route"), PoolScene::idOf(anotherAnswers() ? 1 : 0));
            return;
        }
        QCOMPARE(m_response.status, m_fault.afterContent ? 200 : m_fault.status);
        const auto begin = m_fault.afterContent ? m_response.body.rfind("data: ") + 6 : 0;
        const auto error = OrderedJson::parse(m_response.body.substr(begin)).at("error");
        QCOMPARE(error.at("code").get<std::string>(), m_fault.code);
        const auto message = error.at("message").get<std::string>();
        QVERIFY(!message.empty());
        // Beside the upstream's words stands who was asked, and what to look at.
        if (m_fault.reason == "status_404")
            QVERIFY2(message.find("base_url of [providers.") != std::string::npos && message.find("it broke") != std::string::npos, message.c_str());
        QVERIFY2(m_response.body.find("[DONE]") == std::string::npos, "success is never invented (F4)");
        if (m_fault.afterContent) {
            // The text once, and the error after it (F6).
            QCOMPARE(m_response.body.find("one piece"), m_response.body.rfind("one piece"));
            return;
        }
        QCOMPARE(m_response.header("content-type"), std::string("application/json"));
        QCOMPARE(m_response.headers.contains("retry-after"), m_fault.retryAfter.has_value());
        if (!m_fault.retryAfter) return;
        const auto told = std::chrono::seconds(std::stoll(m_response.header("retry-after")));
        QVERIFY2(told <= *m_fault.retryAfter && told >= *m_fault.retryAfter - (m_fault.isDate ? goneOfADate() : 0s),
                 m_response.header("retry-after").c_str());
    }

    /// At most: what a date had of its second, and the time since it was made.
    [[nodiscard]] std::chrono::seconds goneOfADate() const {
        return 1s + std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - m_madeBefore);
    }

    void checkAttempts() const {
        QCOMPARE(m_record.attempts.size(), attempted());
        for (std::size_t i = 0; i < attempted(); ++i) {
            const evidence::Attempt& attempt = m_record.attempts[i];
            QCOMPARE(attempt.endpointId, PoolScene::idOf(i));
            const bool backup = m_kind == PoolKind::hedging && m_fault.stream;
            QVERIFY(attempt.role == (i == 0 ? AttemptRole::primary : backup ? AttemptRole::hedge : AttemptRole::retry));
            QVERIFY(attempt.outcome == (breaks(i) ? AttemptOutcome::failed : AttemptOutcome::served));
            QCOMPARE(attempt.reason, breaks(i) ? m_fault.reason : std::string());
            QCOMPARE(attempt.status, breaks(i) ? m_fault.attemptStatus : 200);
            QVERIFY(attempt.endedMs >= attempt.startedMs);
            QCOMPARE(attempt.firstContentMs.has_value(), !breaks(i) || m_fault.afterContent);
        }
        // And nobody was asked more often than the list says (F70). What we gave up on may be read late by the upstream.
        for (std::size_t i = 0; i < m_scene.size(); ++i)
            QTRY_COMPARE(m_scene.at(i).requestCount(), std::size_t(i < attempted() && !(breaks(i) && m_fault.dead) ? 1 : 0));
    }

    void checkRecord() const {
        QVERIFY(m_record.outcome == (isAnswered() ? evidence::Outcome::served : evidence::Outcome::failed));
        QCOMPARE(m_record.status, isAnswered() ? 200 : m_fault.status);
        QCOMPARE(m_record.errorCode, isAnswered() ? std::string() : m_fault.reason);
        const std::string verdict = isAnswered()           ? ""
                                    : m_fault.afterContent ? "content_sent"
                                    : m_fault.fallsBack    ? "last_target"
                                                           : "not_for_this_failure";
        QCOMPARE(m_record.whyNoFallback, verdict);
        const std::string whose = anotherAnswers() ? PoolScene::idOf(1) : m_fault.passes() || m_fault.afterContent ? PoolScene::idOf(0) : "";
        QCOMPARE(m_record.endpointId, whose);
        QVERIFY(m_record.pool.has_value());
        QCOMPARE(m_record.pool->drawn, PoolScene::idOf(0));
        if (m_kind == PoolKind::hedging && m_fault.stream && m_fault.fallsBack)
            QCOMPARE(m_record.pool->hedge, std::string(anotherAnswers() ? "won" : "failed"));
    }

    /// Circuits, provider totals, profile and quota have each learned of every attempt once.
    void checkLearned() {
        const bool excused = m_breaking > 1 && m_fault.fallsBack && m_fault.blamesRequest;
        for (std::size_t i = 0; i < m_scene.size(); ++i) {
            const bool asked = i < attempted();
            const Sample sample = !asked ? Sample::none : breaks(i) ? m_fault.sample : Sample::success;
            const bool failed = sample == Sample::failure || sample == Sample::rateLimited;
            const auto circuit = m_scene.circuit(i);
            QCOMPARE(circuit.attempts, sample == Sample::none || (failed && excused) ? 0U : 1U);
            QCOMPARE(circuit.consecutiveFailures, failed && !excused ? 1U : 0U);
            QVERIFY((circuit.state == capacity::CircuitState::open) == (sample == Sample::rateLimited));
            if (sample == Sample::rateLimited && m_fault.name.find("seconds") != std::string::npos)
                QVERIFY(circuit.remaining <= *m_fault.retryAfter && circuit.remaining > *m_fault.retryAfter - 5s);
            const auto totals = m_scene.gateway().process().providers.of(PoolScene::idOf(i).substr(0, 1));
            QCOMPARE(totals->attempts(), std::uint64_t(sample == Sample::none ? 0 : 1));
            QCOMPARE(totals->successes(), std::uint64_t(sample == Sample::success ? 1 : 0));
            // A first content and a failure are two things to learn: what begins and breaks must not look fast (F59).
            const bool content = asked && (!breaks(i) || m_fault.afterContent);
            QCOMPARE(m_scene.profileSamples(i), std::size_t(content) + std::size_t(sample == Sample::failure));
            QCOMPARE(m_scene.quotaUsed(i), std::uint64_t(asked && (!breaks(i) || m_fault.reached) ? 1 : 0));
        }
    }

    /// Before the client saw the end: no waiting here.
    void checkSlots() { QCOMPARE(m_scene.slotsInUse(), 0U); }

    void checkNothingIsLeft() {
        QTRY_COMPARE(m_scene.whatIsHeld(), std::string());
        const bool waits = m_fault.stalls && !m_fault.dead;
        for (std::size_t i = 0; i < m_scene.size(); ++i)
            QTRY_COMPARE(m_scene.at(i).abandoned(), std::size_t(breaks(i) && waits && i < attempted() ? 1 : 0));
        const gateway::ServerCounters counters = m_scene.gateway().server().counters();
        QCOMPARE(counters.decided, std::uint64_t{1});
        QCOMPARE(counters.dispatched, std::uint64_t{1});
        QCOMPARE(counters.served, std::uint64_t(isAnswered() ? 1 : 0));
        QCOMPARE(m_scene.gateway().records().size(), std::size_t{1});
        const auto copy = evidence::decodeRecord(evidence::encodeRecord(m_record));
        QVERIFY(copy && copy->attempts == m_record.attempts && copy->pool == m_record.pool);
    }

private:
    const std::chrono::steady_clock::time_point m_madeBefore = std::chrono::steady_clock::now();
    const PoolKind m_kind;
    const Fault m_fault;
    const std::size_t m_breaking;
    PoolScene m_scene;
    RawResponse m_response;
    evidence::DecisionRecord m_record;
};

}  // namespace

void FaultSweepTest::rows(bool onlyThoseThatFallBack) {
    QTest::addColumn<int>("kind");
    QTest::addColumn<bool>("stream");
    QTest::addColumn<int>("step");
    for (const PoolKind kind : kPoolKinds)
        for (const bool stream : {true, false}) {
            const std::vector<Fault> faults = faultsOf(stream);
            for (std::size_t step = 0; step < faults.size(); ++step) {
                const Fault& fault = faults[step];
                if (onlyThoseThatFallBack && !fault.fallsBack) continue;
                const std::string tag = toString(kind) + (stream ? " stream: " : " whole: ") + fault.name;
                QTest::newRow(tag.c_str()) << static_cast<int>(kind) << stream << static_cast<int>(step);
            }
        }
}

void FaultSweepTest::sweep(std::size_t breaking) {
    QFETCH(int, kind);
    QFETCH(bool, stream);
    QFETCH(int, step);
    Case one(static_cast<PoolKind>(kind), stream, static_cast<std::size_t>(step), breaking);
    const auto stop = [] { return QTest::currentTestFailed(); };
    one.ask();
    if (stop()) return;
    one.checkSlots();
    for (const auto check : {&Case::checkClient, &Case::checkAttempts, &Case::checkRecord}) {
        if (stop()) return;
        (one.*check)();
    }
    if (!stop()) one.checkLearned();
    if (!stop()) one.checkNothingIsLeft();
}

QTEST_APPLESS_MAIN(FaultSweepTest)
#include "tst_fault_sweep.moc"
