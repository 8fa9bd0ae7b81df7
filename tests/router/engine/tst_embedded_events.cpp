// SPDX-License-Identifier: MIT
// What a gateway writes down about itself, with a database out of reach: the journal is enough.
#include "router/base/file.h"
#include "router/engine/local_operator.h"
#include "router/engine/target.h"
#include "router/evidence/segment_cursor.h"
#include "router/policy/workspace.h"
#include "tests/support/raw_http.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <stdexcept>

using namespace signalbox;
using namespace signalbox::test;
using namespace std::chrono_literals;
using evidence::Event;

namespace fs = std::filesystem;

class EmbeddedEventsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void startAndStopAreWritten();
    void whatIsDoneAtHandIsToldOfTheOneWhoseProcessItIs();
    void theLocalOperatorIsAnAccountAtAHost();
    void applyNamesBothPolicies();
    void aModeOfAnotherShareIsAnEvent();
    void theKillSwitchIsWrittenBothWays();
    void applyingReleasesTheKillSwitchInWriting();
    void overridesAreWrittenAtStart();
    void anOpenedCircuitIsWrittenOnce();
    void whatFailedIsNoEvent();
    void withoutEvidenceNothingIsWritten();
    void theApplyThatEndsTheEvidenceIsItsLastEvent();
    void theApplyThatBeginsTheEvidenceIsItsFirstEvent();
    void recordsFollowThePolicyThatIsApplied();
    void whatCannotFollowIsSaid();

private:
    engine::Policy policyOf(const std::string& toml) const;
    std::unique_ptr<engine::Target> target(bool withStore = true) const;
    /// What is in the journal once the gateway has gone, oldest first.
    std::vector<Event> eventsAfter(std::unique_ptr<engine::Target> gateway) const;
    fs::path folder() const { return m_folder->path().toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::map<std::string, std::string> m_variables;
    std::string m_operatedBy;
};

namespace {

std::string provider(const std::string& id, const std::string& more = {}) {
    return "[providers." + id + "]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers." + id +
           ".simulated]\nfirst_token_ms = 0\noutput_tokens = 3\ntokens_per_second = 100000.0\n" + more;
}

std::string policyText(const std::string& mode, int percent = 100, const std::string& fault = {}, const std::string& more = {}) {
    return "[server]\nlisten = \"127.0.0.1:0\"\n[evidence]\ntarget = \"prod-a\"\nenvironment = \"test\"\n" +
           provider("slow", fault) + provider("fast") + "[routing]\nmode = \"" + mode + "\"\nactivation_percent = " +
           std::to_string(percent) +
           "\n[routing.groups.g]\naliases = [\"auto\"]\n"
           "[[routing.groups.g.candidates]]\nprovider = \"slow\"\nmodel = \"m\"\nlatency_hint_ms = 9000\n"
           "[[routing.groups.g.candidates]]\nprovider = \"fast\"\nmodel = \"m\"\nlatency_hint_ms = 10\n" +
           more;
}

std::string withoutEvidence(std::string policy) {
    return policy.replace(policy.find("[evidence]\n"), 11, "[evidence]\nenabled = false\n");
}

void ask(const engine::Target& target) {
    const std::string address = target.status().address;
    const auto answer = fetch(static_cast<std::uint16_t>(std::stoi(address.substr(address.rfind(':') + 1))),
                              {"POST", "/v1/chat/completions", {"Authorization: Bearer " + target.clientToken()},
                               R"({"model":"auto","messages":[{"role":"user","content":"hi"}]})"});
    QVERIFY(answer && answer->status == 200);
}

/// "start", "kill_switch on", …: kinds, and subjects that are no hash.
QStringList kindsOf(const std::vector<Event>& events) {
    QStringList out;
    for (const Event& event : events) {
        QString text = QString::fromStdString(std::string(toString(event.kind)));
        if (event.subject.size() != 64)
            text += QLatin1Char(' ') + QString::fromStdString(event.subject);
        out << text;
    }
    return out;
}

QString words(const Event& event) {
    return QString::fromStdString(event.words);
}

} // namespace

void EmbeddedEventsTest::init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_variables.clear();
    m_operatedBy.clear();
}

engine::Policy EmbeddedEventsTest::policyOf(const std::string& toml) const {
    const auto file = folder() / "gateway.toml";
    if (!writeFileAtomic(file, toml))
        throw std::runtime_error("cannot write the test's gateway.toml");
    const config::Environment environment = [&](const std::string& name) -> std::optional<std::string> {
        const auto it = m_variables.find(name);
        return it == m_variables.end() ? std::nullopt : std::optional(it->second);
    };
    const auto loaded = policy::loadWorkspace({}, file, environment, SystemClock().now());
    if (!loaded || !loaded->snapshot)
        throw std::runtime_error("the test's gateway.toml does not load");
    return {loaded->snapshot, {}};
}

std::unique_ptr<engine::Target> EmbeddedEventsTest::target(bool withStore) const {
    engine::EmbeddedOptions options;
    options.evidenceEnabled = withStore;
    options.evidence.journalFolder = folder() / "journal";
    options.evidence.dsn = "host=/nonexistent";
    options.evidence.dsnName = "$NOWHERE";
    options.stateFolder = folder() / "state";
    options.operatedBy = m_operatedBy;
    options.environment = [variables = m_variables](const std::string& name) -> std::optional<std::string> {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
    };
    return std::move(engine::makeEmbeddedTarget(std::move(options)).value());
}

std::vector<Event> EmbeddedEventsTest::eventsAfter(std::unique_ptr<engine::Target> gateway) const {
    gateway.reset();
    std::vector<Event> events;
    for (const auto& entry : fs::directory_iterator(folder() / "journal")) {
        if (entry.path().extension() != evidence::Segment::kSuffix)
            continue;
        evidence::SegmentCursor cursor(evidence::Segment::openLeftOver(entry.path()).value());
        while (const auto payload = cursor.next()) {
            if (cursor.kind() == evidence::FrameKind::event)
                events.push_back(evidence::decodeEvent(*payload).value());
        }
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.createdAt < b.createdAt; });
    return events;
}

void EmbeddedEventsTest::startAndStopAreWritten() {
    auto gateway = target();
    auto policy = policyOf(policyText("active", 20));
    policy.signedBy = "the release desk";
    QVERIFY(gateway->start(policy).has_value());
    QVERIFY(gateway->stop(1s).has_value());
    QVERIFY(gateway->stop(1s).has_value()); // nothing left to stop
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("start"), QStringLiteral("stop")}));
    QCOMPARE(events[0].subject, policy.snapshot->hash);
    QVERIFY2(words(events[0]).contains(QStringLiteral("smart routing active for 20 % of the requests")) &&
                 words(events[0]).contains(QStringLiteral("signed by the release desk")),
             events[0].words.c_str());
    for (const Event& event : events) {
        QCOMPARE(event.target, std::string("prod-a"));
        QCOMPARE(event.environment, std::string("test"));
        QCOMPARE(event.policyHash, policy.snapshot->hash);
        QCOMPARE(event.actor, std::string("operator"));
    }
}

void EmbeddedEventsTest::whatIsDoneAtHandIsToldOfTheOneWhoseProcessItIs() {
    m_operatedBy = "ada@ops-1";
    auto gateway = target();
    QVERIFY(gateway->start(policyOf(policyText("shadow"))).has_value());
    QVERIFY(gateway->act("slow:m", engine::EndpointAction::drain).has_value());
    QVERIFY(gateway->off(true).has_value());
    QVERIFY(gateway->apply(policyOf(policyText("active", 20))).has_value());
    QVERIFY(gateway->note("so that it is known").has_value());
    QVERIFY(gateway->stop(1s).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QVERIFY(events.size() >= 6);
    for (const Event& event : events) QVERIFY2(event.actor == "operator:ada@ops-1", (std::string(toString(event.kind)) + " by " + event.actor).c_str());
}

void EmbeddedEventsTest::theLocalOperatorIsAnAccountAtAHost() {
    const std::string who = engine::localOperator();
    const auto at = who.find('@');
    QVERIFY2(at != std::string::npos && at > 0 && at + 1 < who.size(), who.c_str());
    QVERIFY(who.size() <= 128);
    QVERIFY(std::all_of(who.begin(), who.end(), [](char c) { return c > 0x20 && c < 0x7f; }));
}

void EmbeddedEventsTest::applyNamesBothPolicies() {
    auto gateway = target();
    const auto first = policyOf(policyText("shadow"));
    const auto second = policyOf(policyText("shadow", 100, {}, "[aliases]\nquick = \"fast:m\"\n"));
    QVERIFY(first.snapshot->hash != second.snapshot->hash);
    QVERIFY(gateway->start(first).has_value());
    QVERIFY(gateway->apply(second).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("start"), QStringLiteral("apply"), QStringLiteral("stop")}));
    QCOMPARE(events[1].subject, second.snapshot->hash);
    QCOMPARE(events[1].policyHash, second.snapshot->hash);
    QVERIFY2(events[1].words.find(first.snapshot->hash.substr(0, 12)) != std::string::npos, events[1].words.c_str());
}

void EmbeddedEventsTest::aModeOfAnotherShareIsAnEvent() {
    auto gateway = target();
    QVERIFY(gateway->start(policyOf(policyText("shadow"))).has_value());
    QVERIFY(gateway->apply(policyOf(policyText("active", 5))).has_value());
    QVERIFY(gateway->apply(policyOf(policyText("active", 20))).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("start"), QStringLiteral("apply"), QStringLiteral("mode active"),
                                           QStringLiteral("apply"), QStringLiteral("mode active"), QStringLiteral("stop")}));
    QCOMPARE(words(events[2]), QStringLiteral("Smart routing went from shadow to active for 5 % of the requests."));
    QCOMPARE(words(events[4]), QStringLiteral("Smart routing went from active for 5 % of the requests to active for 20 % of the requests."));
}

void EmbeddedEventsTest::theKillSwitchIsWrittenBothWays() {
    auto gateway = target();
    const auto policy = policyOf(policyText("active"));
    QVERIFY(gateway->start(policy).has_value());
    QVERIFY(gateway->off(true).has_value());
    const std::string killed = gateway->status().runningHash;
    QVERIFY(gateway->off(true).has_value()); // changes nothing
    QVERIFY(gateway->off(false).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("start"), QStringLiteral("kill_switch on"),
                                           QStringLiteral("kill_switch off"), QStringLiteral("stop")}));
    QCOMPARE(events[1].policyHash, killed);
    QCOMPARE(events[2].policyHash, policy.snapshot->hash);
}

void EmbeddedEventsTest::applyingReleasesTheKillSwitchInWriting() {
    auto gateway = target();
    const auto policy = policyOf(policyText("active"));
    QVERIFY(gateway->start(policy).has_value());
    QVERIFY(gateway->off(true).has_value());
    QVERIFY(gateway->apply(policy).has_value());
    QCOMPARE(kindsOf(eventsAfter(std::move(gateway))),
             (QStringList{QStringLiteral("start"), QStringLiteral("kill_switch on"), QStringLiteral("apply"),
                          QStringLiteral("kill_switch off"), QStringLiteral("stop")}));
}

void EmbeddedEventsTest::overridesAreWrittenAtStart() {
    m_variables["SIGNALBOX_SMART_ROUTING_MODE"] = "off";
    m_variables["MODELPORT_SMART_ROUTING_ACTIVATION_PERCENT"] = "7";
    m_variables["SOME_KEY"] = "sk-secret";
    auto gateway = target();
    QVERIFY(gateway->start(policyOf(policyText("active"))).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events),
             (QStringList{QStringLiteral("start"), QStringLiteral("override SIGNALBOX_SMART_ROUTING_MODE"),
                          QStringLiteral("override MODELPORT_SMART_ROUTING_ACTIVATION_PERCENT"), QStringLiteral("stop")}));
    QVERIFY2(words(events[2]).contains(QStringLiteral("PERCENT=7")), events[2].words.c_str());
    for (const Event& event : events)
        QVERIFY(!words(event).contains(QStringLiteral("sk-secret")));
}

void EmbeddedEventsTest::anOpenedCircuitIsWrittenOnce() {
    auto gateway = target();
    QVERIFY(gateway->start(policyOf(policyText("shadow", 100, "fault_rate = 1.0\nfault = \"status_429\"\n"))).has_value());
    for (int i = 0; i < 5; ++i)
        ask(*gateway);
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("start"), QStringLiteral("circuit_opened slow:m"), QStringLiteral("stop")}));
    QCOMPARE(events[1].actor, std::string("gateway"));
    QVERIFY2(words(events[1]).contains(QStringLiteral("UTC")) && words(events[1]).contains(QStringLiteral("429")), events[1].words.c_str());
}

void EmbeddedEventsTest::whatFailedIsNoEvent() {
    auto gateway = target();
    const auto policy = policyOf(policyText("shadow"));
    QVERIFY(!gateway->apply(policy).has_value());
    QVERIFY(!gateway->off(true).has_value());
    QVERIFY(!gateway->start(policyOf("[auth]\ntoken_env = \"MISSING\"\n" + policyText("shadow"))).has_value());
    QVERIFY(gateway->start(policy).has_value());
    QVERIFY(!gateway->start(policy).has_value());
    QCOMPARE(kindsOf(eventsAfter(std::move(gateway))), (QStringList{QStringLiteral("start"), QStringLiteral("stop")}));
}

void EmbeddedEventsTest::withoutEvidenceNothingIsWritten() {
    auto gateway = target();
    QVERIFY(gateway->start(policyOf(withoutEvidence(policyText("shadow")))).has_value());
    QVERIFY(eventsAfter(std::move(gateway)).empty());
}

// Under the name where the history is, whatever the policy that keeps none calls itself.
void EmbeddedEventsTest::theApplyThatEndsTheEvidenceIsItsLastEvent() {
    m_operatedBy = "ada@ops-1";
    auto gateway = target();
    const auto keeps = policyOf(policyText("shadow"));
    std::string renamed = withoutEvidence(policyText("active", 20));
    renamed.replace(renamed.find("prod-a"), 6, "prod-z");
    const auto keepsNone = policyOf(renamed);
    QVERIFY(gateway->start(keeps).has_value());
    QVERIFY(gateway->off(true).has_value());
    QVERIFY(gateway->apply(keepsNone).has_value());
    QVERIFY(gateway->act("slow:m", engine::EndpointAction::drain).has_value()); // when nothing is kept any more
    QVERIFY(gateway->apply(keepsNone).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("start"), QStringLiteral("kill_switch on"), QStringLiteral("apply"),
                                           QStringLiteral("kill_switch off"), QStringLiteral("mode active")}));
    for (const Event& event : events) {
        QCOMPARE(event.actor, std::string("operator:ada@ops-1"));
        QCOMPARE(event.target, std::string("prod-a"));
        QCOMPARE(event.environment, std::string("test"));
    }
    QCOMPARE(events[2].subject, keepsNone.snapshot->hash);
    QCOMPARE(events[2].policyHash, keepsNone.snapshot->hash);
    QVERIFY2(words(events[2]).contains(QStringLiteral("keeps no evidence from here on")), events[2].words.c_str());
}

void EmbeddedEventsTest::theApplyThatBeginsTheEvidenceIsItsFirstEvent() {
    auto gateway = target();
    QVERIFY(gateway->start(policyOf(withoutEvidence(policyText("shadow")))).has_value());
    QVERIFY(gateway->apply(policyOf(policyText("shadow"))).has_value());
    const auto events = eventsAfter(std::move(gateway));
    QCOMPARE(kindsOf(events), (QStringList{QStringLiteral("apply"), QStringLiteral("stop")}));
    QVERIFY2(!words(events[0]).contains(QStringLiteral("no evidence")), events[0].words.c_str());
}

void EmbeddedEventsTest::recordsFollowThePolicyThatIsApplied() {
    const auto gateway = target();
    const auto recorded = [&] { return gateway->status().evidence.recorded; };
    const auto keeps = policyOf(policyText("shadow"));
    const auto keepsNone = policyOf(withoutEvidence(policyText("shadow")));
    QVERIFY(gateway->start(keepsNone).has_value());
    ask(*gateway);
    QCOMPARE(recorded(), std::uint64_t{0});
    QVERIFY(gateway->apply(keeps).has_value());
    ask(*gateway);
    QCOMPARE(recorded(), std::uint64_t{1});
    QVERIFY(gateway->apply(keepsNone).has_value());
    ask(*gateway);
    QCOMPARE(recorded(), std::uint64_t{1});
    const std::string remark = gateway->status().lastError;
    QVERIFY2(remark.find("evidence.enabled is false") != std::string::npos, remark.c_str());
    QVERIFY(gateway->apply(keeps).has_value());
    QVERIFY2(gateway->status().lastError.empty(), gateway->status().lastError.c_str());
}

// The store opens with the process; without one there is nowhere to record.
void EmbeddedEventsTest::whatCannotFollowIsSaid() {
    const auto gateway = target(false);
    const auto keeps = policyOf(policyText("shadow"));
    QVERIFY(gateway->start(policyOf(withoutEvidence(policyText("shadow")))).has_value());
    QCOMPARE(gateway->status().lastError, std::string());
    for (int i = 0; i < 2; ++i) {
        QVERIFY(gateway->apply(keeps).has_value());
        QVERIFY2(gateway->status().lastError.starts_with("evidence.enabled is true now"), gateway->status().lastError.c_str());
    }
}

QTEST_APPLESS_MAIN(EmbeddedEventsTest)
#include "tst_embedded_events.moc"
