// SPDX-License-Identifier: MIT
// Who is left out of a `fixed` pool, and what its slots and quotas allow.
#include "tests/router/strategy/three_pool.h"

#include <QTest>
#include <set>

using namespace signalbox;
using namespace signalbox::test;

class FixedPoolLimitsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void drainedEndpointIsNeverTried();
    void lackingCapabilityLeavesOut();
    void F32_whatTheProtocolCannotCarryLeavesOut();
    void stopSequencesLeaveOutWhoTakesFewer();
    void permissionLeavesOut();
    void scopeNarrows();
    void slotsAreSharedAndComeBack();
    void noSlotMovesOn();
    void quotaIsSpentByWhatWasSent();
};

void FixedPoolLimitsTest::drainedEndpointIsNeverTried() {
    PoolBench bench(threeThatServe(), kThree);
    for (const char* id : {"p0:m", "p1:m"}) bench.process->circuits.of(id)->setDrained(true);
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send().endpoint, std::string("p2:m"));
    bench.process->circuits.of("p2:m")->setDrained(true);
    const auto outcome = bench.send();
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(bench.calls(), (std::vector<std::size_t>{0, 0, 20}));
    bench.process->circuits.of("p0:m")->setDrained(false);
    QCOMPARE(bench.send().endpoint, std::string("p0:m"));
}

void FixedPoolLimitsTest::lackingCapabilityLeavesOut() {
    PoolBench bench(threeThatServe(), kThree, "[providers.p@.capabilities]\nvision = false");
    bench.config.providers[1].capabilities.vision = true;
    bench.rebuild();
    bench.needs.features.add(policy::smart::Capability::vision);
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send().endpoint, std::string("p1:m"));
    QCOMPARE(bench.record->candidates.front().excluded, std::string("capability:vision"));
    bench.config.providers[1].capabilities.vision = false;
    bench.rebuild();
    const auto outcome = bench.send();
    QVERIFY(outcome.atRoute->kind == UpstreamFailure::Kind::refused);
    // For good: no repetition changes what the models can do.
    QCOMPARE(outcome.atRoute->status, 400);
    QVERIFY2(outcome.atRoute->message.find("p0:m lacks vision") != std::string::npos, outcome.atRoute->message.c_str());
    QCOMPARE(outcome.atRoute->where, std::string("messages"));
    QVERIFY(bench.attempts.empty());
}

void FixedPoolLimitsTest::F32_whatTheProtocolCannotCarryLeavesOut() {
    PoolBench bench(threeThatServe(), kThree);
    for (config::Provider& provider : bench.config.providers) provider.protocol = config::Protocol::openaiCompat;
    bench.config.providers[1].protocol = config::Protocol::anthropic;
    bench.rebuild();
    bench.needs.dialect = classify::Dialect::anthropic;
    bench.needs.peculiarities.add(classify::Peculiarity::topK);
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send().endpoint, std::string("p1:m"));
    QCOMPARE(bench.record->candidates.front().excluded, std::string("capability:top_k"));
    bench.needs.dialect = classify::Dialect::openai;
    for (int i = 0; i < 20; ++i) QVERIFY(bench.send().endpoint != "p1:m");
    bench.needs.peculiarities = {};
    std::set<std::string> served;
    for (int i = 0; i < 200; ++i) served.insert(bench.send().endpoint);
    QCOMPARE(served.size(), std::size_t{3});
}

void FixedPoolLimitsTest::stopSequencesLeaveOutWhoTakesFewer() {
    PoolBench bench(threeThatServe(), kThree);
    for (config::Provider& provider : bench.config.providers) provider.protocol = config::Protocol::openaiCompat;
    bench.config.providers[1].maxStopSequences = 16;
    bench.rebuild();
    bench.needs.dialect = classify::Dialect::anthropic;
    bench.needs.peculiarities.add(classify::Peculiarity::stopWords);
    bench.needs.stopSequences = 16;
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send().endpoint, std::string("p1:m"));
    QCOMPARE(bench.record->candidates.front().excluded, std::string("capability:stop_words"));
    bench.needs.stopSequences = 17;
    const auto outcome = bench.send();
    QCOMPARE(outcome.atRoute->status, 400);
    QVERIFY2(outcome.atRoute->where.starts_with("stop, stop_sequences"), outcome.atRoute->where.c_str());
    const std::string& message = outcome.atRoute->message;
    const std::string limits = "p0:m takes at most 4 stop sequences, p1:m takes at most 16 stop sequences";
    QVERIFY2(message.find(limits) != std::string::npos, message.c_str());
    QCOMPARE(bench.record->candidates.front().excluded, std::string("capability:stop_words"));
    // Words of white space are no matter of how many.
    for (config::Provider& provider : bench.config.providers) provider.protocol = config::Protocol::anthropic;
    bench.rebuild();
    bench.needs.dialect = classify::Dialect::openai;
    bench.needs.stopSequences = 0;
    const auto blank = bench.send();
    QVERIFY2(blank.atRoute->message.find("p1:m lacks stop_words") != std::string::npos, blank.atRoute->message.c_str());
}

void FixedPoolLimitsTest::permissionLeavesOut() {
    PoolBench bench(threeThatServe(), kThree);
    bench.mayUse = [](const policy::RouteTarget& target) { return target.providerId == "p2"; };
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send().endpoint, std::string("p2:m"));
}

void FixedPoolLimitsTest::scopeNarrows() {
    PoolBench bench(threeThatServe(), kThree);
    auto call = PoolBench::delegated();
    call.scope = dispatch::EndpointScope::ofLabels(std::vector<std::string>{"p1"}, bench.router().grant().endpoints);
    for (int i = 0; i < 20; ++i) QCOMPARE(bench.send(call).endpoint, std::string("p1:m"));
}

void FixedPoolLimitsTest::slotsAreSharedAndComeBack() {
    Act hanging{std::nullopt, wholeStream(), std::nullopt};
    PoolBench bench({hanging}, kSlots);
    auto first = bench.begin();
    auto second = bench.begin();
    QVERIFY(first && second);
    QCOMPARE(bench.slotsInUse("gpu"), 2U);
    const auto third = bench.send();
    QVERIFY(third.atRoute->kind == UpstreamFailure::Kind::refused);
    QCOMPARE(third.atRoute->code, std::string("no_free_slot"));
    QVERIFY(third.atRoute->retryAfter.has_value());
    QCOMPARE(bench.circuit(0).consecutiveFailures, 0U);
    first->reset();  // the client left
    QCOMPARE(bench.slotsInUse("gpu"), 1U);
    QVERIFY(!bench.send().atRoute);
    second->reset();
    QCOMPARE(bench.slotsInUse("gpu"), 0U);
}

void FixedPoolLimitsTest::noSlotMovesOn() {
    PoolBench bench({serves(), serves()}, R"([resources.gpu]
limit = 1
[models.pool]
[[models.pool.route]]
provider = "p0"
model = "m"
resources = ["gpu"]
[[models.pool.route]]
provider = "p1"
model = "m"
weight = 0
)");
    auto held = bench.begin();
    QCOMPARE((*held)->endpointId(), std::string("p0:m"));
    QCOMPARE(bench.send().endpoint, std::string("p1:m"));
    QCOMPARE(bench.attempts.front().reason, std::string("no_free_slot"));
    QVERIFY(bench.attempts.front().outcome == evidence::AttemptOutcome::refused);
}

void FixedPoolLimitsTest::quotaIsSpentByWhatWasSent() {
    PoolBench bench({failsAtCall(failure(UpstreamFailure::Kind::connect, "connect_refused"))}, R"([resources.day]
kind = "quota"
limit = 2
window_s = 60
[models.pool]
[[models.pool.route]]
provider = "p0"
model = "m"
resources = ["day"]
)");
    // Nothing reached the upstream: nothing is used up.
    bench.send();
    bench.send();
    bench.adapters[0]->act = serves();
    QVERIFY(!bench.send().atRoute);
    bench.adapters[0]->act = failsAtCall(status(500));
    QCOMPARE(bench.send().atRoute->status, 500);
    const auto refused = bench.send();
    QCOMPARE(refused.atRoute->code, std::string("quota_exhausted"));
    QVERIFY(refused.atRoute->retryAfter && *refused.atRoute->retryAfter <= 60s);
    bench.clock.advance(61s);
    bench.adapters[0]->act = serves();
    QVERIFY(!bench.send().atRoute);
}

QTEST_APPLESS_MAIN(FixedPoolLimitsTest)
#include "tst_fixed_pool_limits.moc"
