// SPDX-License-Identifier: MIT
// The demo's week must tell what demo-story says, and tell it through the functions that the gateway calls.
#include "app/shared/demo_week/demo_week.h"

#include "router/policy/workspace.h"
#include "tests/support/fakes.h"

#include <QTest>

#include <algorithm>

using namespace signalbox;

class DemoWeek : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void isAboutTheSizeOfTheStory();
    void everyNumberHasItsReason();
    void isTheSameEveryTime();
    void endsNow();
    void stopsWhenCancelled();

private:
    std::shared_ptr<const policy::PolicySnapshot> m_snapshot;
    std::vector<evidence::DecisionRecord> m_week;
    test::ManualClock m_clock{Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 29)) + std::chrono::hours(17)};

    [[nodiscard]] std::vector<evidence::DecisionRecord> generate() const {
        std::vector<evidence::DecisionRecord> week;
        app::generateDemoWeek(*m_snapshot, m_clock.now(), [&](const evidence::DecisionRecord& record) {
            week.push_back(record);
            return true;
        });
        return week;
    }
    template <class Predicate>
    [[nodiscard]] qsizetype countIf(Predicate predicate) const {
        return std::count_if(m_week.begin(), m_week.end(), predicate);
    }
};

void DemoWeek::initTestCase() {
    const std::filesystem::path demo(SIGNALBOX_SOURCE_DIR "/resources/demo");
    const auto none = [](const std::string&) { return std::optional<std::string>(); };
    const auto workspace = policy::loadWorkspace(demo / "routing-table.json", demo / "gateway.toml", none, m_clock.now());
    QVERIFY(workspace && workspace->snapshot);
    m_snapshot = workspace->snapshot;
    m_week = generate();
}

void DemoWeek::isAboutTheSizeOfTheStory() {
    QCOMPARE(m_week.size(), std::size_t{58'400});
    QCOMPARE(countIf([](const auto& r) { return r.resolvedBy == "table"; }), 22'600);
    QCOMPARE(countIf([](const auto& r) { return r.resolvedBy == "smart_alias"; }), 31'200);

    const auto structured26 = [](const auto& r) {
        return r.resolvedBy == "table" && r.family == "gemma4_moe_26b" && r.features.cell.workload == table::WorkloadClass::structuredJson;
    };
    QCOMPARE(countIf(structured26), 6'100);
    const auto reached = countIf([&](const auto& r) { return structured26(r) && r.presetKey == "g26-struct-multi"; });
    QVERIFY2(reached > 350 && reached < 470, QByteArray::number(reached).constData());
    const auto uncapped = countIf([&](const auto& r) { return structured26(r) && !r.features.outputCap; });
    QVERIFY2(uncapped > 4'200 && uncapped < 4'450, QByteArray::number(uncapped).constData());

    const auto gap = countIf([](const auto& r) { return r.family == "gemma4_dense_31b" && r.gapIndex == 0U; });
    QCOMPARE(gap, 1'940);
}

void DemoWeek::everyNumberHasItsReason() {
    for (const evidence::DecisionRecord& record : m_week) {
        QVERIFY(record.origin == evidence::Origin::demo);
        QVERIFY(!record.attempts.empty());
        QVERIFY(record.outcome == evidence::Outcome::failed ? record.endpointId.empty() : !record.endpointId.empty());
        QVERIFY(record.totalMs >= record.firstContentMs.value_or(0));
        if (record.coverage == "rule") QVERIFY(record.ruleIndex.has_value());
        if (record.outcome == evidence::Outcome::served && record.features.outputCap)
            QVERIFY(record.outputTokens <= record.features.outputCap);
        QCOMPARE(record.policyHash, m_snapshot->hash);
        if (&record - m_week.data() > 2'000) continue;  // the codec has a test of its own
        const auto decoded = evidence::decodeRecord(evidence::encodeRecord(record));
        QVERIFY(decoded && decoded->id == record.id);
    }
}

void DemoWeek::isTheSameEveryTime() {
    const auto again = generate();
    QCOMPARE(again.size(), m_week.size());
    for (std::size_t i = 0; i < again.size(); i += 97) QCOMPARE(evidence::encodeRecord(again[i]), evidence::encodeRecord(m_week[i]));
}

void DemoWeek::endsNow() {
    QVERIFY(std::is_sorted(m_week.begin(), m_week.end(), [](const auto& a, const auto& b) { return a.createdAt < b.createdAt; }));
    QVERIFY(m_week.back().createdAt < m_clock.now());
    QVERIFY(m_week.back().createdAt > m_clock.now() - std::chrono::hours(1));
    QVERIFY(m_week.front().createdAt >= std::chrono::floor<std::chrono::days>(m_clock.now()) - std::chrono::days(6));
}

void DemoWeek::stopsWhenCancelled() {
    std::atomic<bool> cancelled{false};
    const auto written = app::generateDemoWeek(
        *m_snapshot, m_clock.now(),
        [&](const evidence::DecisionRecord&) {
            cancelled = true;
            return true;
        },
        &cancelled);
    QCOMPARE(written, std::size_t{1});
}

QTEST_APPLESS_MAIN(DemoWeek)
#include "tst_demo_week.moc"
