// SPDX-License-Identifier: MIT
// The demo's week must tell what demo-story says, and tell it through the functions that the gateway calls.
#include "app/shared/demo_week/demo_week.h"

#include "router/policy/workspace.h"
#include "tests/support/fakes.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace signalbox;

class DemoWeek : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void isAboutTheSizeOfTheStory();
    void everyNumberHasItsReason();
    void shadowTellsWhatItWouldRather();
    void theGuessWasWrong();
    void toolCallsFitAsOftenAsTheStorySays();
    void theOutageIsToldRequestByRequest();
    void theCanaryKeepsToItsShare();
    void whatHappenedToTheGatewaysIsTold();
    void isTheSameEveryTime();
    void endsNow();
    void stopsWhenCancelled();

private:
    std::shared_ptr<const policy::PolicySnapshot> m_snapshot;
    std::vector<evidence::DecisionRecord> m_week;
    std::vector<evidence::Event> m_events;  ///< oldest first
    test::ManualClock m_clock{Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 29)) + std::chrono::hours(17)};

    [[nodiscard]] std::vector<evidence::DecisionRecord> generate() const {
        std::vector<evidence::DecisionRecord> week;
        app::generateDemoWeek(*m_snapshot, m_clock.now(), [&](const evidence::DecisionRecord& record) {
            week.push_back(record);
            return true;
        });
        return week;
    }
    /// 00:00 of the story's first day; all times are UTC.
    [[nodiscard]] Timestamp monday() const { return Timestamp(std::chrono::floor<std::chrono::days>(m_clock.now())) - std::chrono::days(6); }
    [[nodiscard]] Timestamp at(int day, int hour, int minute) const {
        return monday() + std::chrono::days(day) + std::chrono::hours(hour) + std::chrono::minutes(minute);
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
    app::generateDemoWeek(
        *m_snapshot, m_clock.now(), [&](const evidence::DecisionRecord& record) { return m_week.push_back(record), true; }, nullptr,
        [&](const evidence::Event& event) { m_events.push_back(event); });
    std::stable_sort(m_events.begin(), m_events.end(), [](const auto& a, const auto& b) { return a.createdAt < b.createdAt; });
}

void DemoWeek::whatHappenedToTheGatewaysIsTold() {
    using evidence::EventKind;
    const auto find = [&](EventKind kind, Timestamp from, Timestamp to, const char* target) {
        return std::count_if(m_events.begin(), m_events.end(), [&](const auto& e) {
            return e.kind == kind && e.createdAt >= from && e.createdAt < to && e.target == target;
        });
    };
    for (const char* prod : {"prod-a", "prod-b"}) {
        QCOMPARE(find(EventKind::apply, at(0, 9, 10), at(0, 9, 12), prod), 1);  // release 14 puts both into shadow
        QCOMPARE(find(EventKind::mode, at(0, 9, 10), at(0, 9, 12), prod), 1);
        QCOMPARE(find(EventKind::apply, at(5, 9, 0), at(5, 9, 2), prod), 1);  // the canary of Saturday
        QCOMPARE(find(EventKind::mode, at(5, 9, 0), at(5, 9, 2), prod), 1);
    }
    QCOMPARE(find(EventKind::environmentOverride, at(4, 16, 40), at(4, 16, 41), "prod-b"), 1);
    QCOMPARE(find(EventKind::start, at(4, 16, 39), at(4, 16, 47), "prod-b"), 2);
    QCOMPARE(find(EventKind::note, at(2, 13, 55), at(2, 16, 35), "prod-a"), 2);

    // Thursday's outage: the cloud's circuit opens within it, and works again before or soon after its end.
    int opened = 0, closed = 0;
    std::map<std::string, bool> isOpen;
    for (const auto& event : m_events) {
        QVERIFY(event.createdAt <= m_clock.now() && !event.id.isNull() && !event.words.empty() && !event.actor.empty());
        QVERIFY(event.policyHash.size() == 64);
        const auto back = evidence::decodeEvent(evidence::encodeEvent(event));
        QVERIFY(back && *back == event);
        const bool opens = event.kind == EventKind::circuitOpened;
        if (!opens && event.kind != EventKind::circuitClosed) continue;
        // An opening and a closing take turns.
        QVERIFY2(isOpen[event.subject] != opens, event.words.c_str());
        isOpen[event.subject] = opens;
        if (!event.subject.starts_with("deepseek:") || event.createdAt < at(3, 2, 14) || event.createdAt >= at(3, 3, 0)) continue;
        ++(opens ? opened : closed);
    }
    qInfo("%zu events; the cloud's circuit opened %d times and closed %d times in the outage", m_events.size(), opened, closed);
    QVERIFY(opened >= 1 && closed == opened);
    std::set<evidence::EventId> ids;
    for (const auto& event : m_events) ids.insert(event.id);
    QCOMPARE(ids.size(), m_events.size());
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
        const bool unanswered = record.outcome == evidence::Outcome::failed && record.whyNoFallback != "content_sent";
        QCOMPARE(record.endpointId.empty(), unanswered);
        QVERIFY(record.totalMs >= record.firstContentMs.value_or(0));
        QCOMPARE(record.group.has_value(), record.resolvedBy == "smart_alias");
        if (record.mode == "shadow" || record.resolvedBy != "smart_alias")
            QVERIFY(record.policyHash == m_snapshot->hash || record.createdAt < monday() + std::chrono::minutes(9 * 60 + 10));
        if (record.coverage == "rule") QVERIFY(record.ruleIndex.has_value());
        if (record.outcome == evidence::Outcome::served && record.features.outputCap)
            QVERIFY(record.outputTokens <= record.features.outputCap);
        if (&record - m_week.data() > 2'000) continue;  // the codec has a test of its own
        const auto decoded = evidence::decodeRecord(evidence::encodeRecord(record));
        QVERIFY(decoded && decoded->id == record.id);
    }
}

static QByteArray shown(double value) { return QByteArray::number(value, 'f', 4); }

// 18.4 % (+-0.5) of about 22,000, 61 % of it tool calls of support-bot: from release 14 to the review on Friday 11:00.
void DemoWeek::shadowTellsWhatItWouldRather() {
    double asked = 0, differ = 0, supportTools = 0;
    std::map<std::string, int> terms;
    for (const auto& r : m_week) {
        if (r.mode != "shadow" || r.createdAt >= at(4, 11, 0)) continue;
        ++asked;
        if (!r.group->shadowDisagreement) continue;
        ++differ;
        ++terms[r.group->decidingTerm];
        if (r.team == "support-bot" && r.features.cell.workload == table::WorkloadClass::toolCall) ++supportTools;
    }
    qInfo("%.0f decisions, %.4f differ, %.4f of them tool calls; latency %d cost %d quality %d", asked, differ / asked, supportTools / differ,
          terms["latency"], terms["cost"], terms["quality"]);
    QVERIFY2(std::abs(asked - 22'000) <= 500, shown(asked).constData());
    QVERIFY2(std::abs(differ / asked - 0.184) <= 0.005, shown(differ / asked).constData());
    QVERIFY2(std::abs(supportTools / differ - 0.61) <= 0.02, shown(supportTools / differ).constData());
    QVERIFY(terms["latency"] > 500 && terms["cost"] > 500);
    QCOMPARE(countIf([&](const auto& r) { return r.mode == "off_static" && r.createdAt >= at(0, 9, 10); }), 0);
    QCOMPARE(countIf([&](const auto& r) { return r.mode != "off_static" && r.group && r.createdAt < at(0, 9, 10); }), 0);
}

// The hint says 1,200 ms; the local model takes about 3,900.
void DemoWeek::theGuessWasWrong() {
    std::vector<double> measured, learned;
    for (const auto& r : m_week) {
        if (!r.group || r.group->groupId != "auto") continue;
        for (const auto& attempt : r.attempts)
            if (attempt.endpointId == "lab_b:qwen3.5-9b" && attempt.outcome == evidence::AttemptOutcome::served)
                measured.push_back(attempt.endedMs - attempt.startedMs);
        for (const auto& candidate : r.group->candidates)
            if (candidate.endpointId == "lab_b:qwen3.5-9b" && r.createdAt > at(1, 0, 0)) learned.push_back(candidate.latencyMs);
    }
    const auto middle = [](std::vector<double>& values) {
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
        return values[values.size() / 2];
    };
    qInfo("measured %.0f ms, learned %.0f ms", middle(measured), middle(learned));
    QVERIFY2(std::abs(middle(measured) - 3900) <= 200, shown(middle(measured)).constData());
    QVERIFY2(middle(learned) > 3000, shown(middle(learned)).constData());  // planning has noticed
}

// Valid tool arguments: 91.2 % local, 97.8 % cloud; what the Groups page shows beside both candidates of `auto` on any day.
void DemoWeek::toolCallsFitAsOftenAsTheStorySays() {
    struct Calls {
        double all = 0, fit = 0, lastDay = 0, notJson = 0;
        [[nodiscard]] double share() const { return all == 0 ? 0 : fit / all; }
    };
    std::map<std::string, Calls> byEndpoint;
    for (const auto& r : m_week) {
        QVERIFY(r.toolsFitSchema <= r.toolsValidJson && r.toolsValidJson <= r.toolsCalled && r.toolsUnchecked == 0);
        if (r.toolsCalled == 0) continue;
        QVERIFY(r.features.toolsOffered > 0 && r.features.cell.workload == table::WorkloadClass::toolCall && !r.endpointId.empty());
        Calls& calls = byEndpoint[r.endpointId];
        calls.all += r.toolsCalled, calls.fit += r.toolsFitSchema, calls.notJson += r.toolsCalled - r.toolsValidJson;
        if (r.createdAt >= m_clock.now() - std::chrono::hours(24)) calls.lastDay += r.toolsCalled;
    }
    for (const auto& [endpoint, calls] : byEndpoint)
        qInfo("%s: %.0f calls, %.4f fit, %.0f no JSON, %.0f in the last day", endpoint.c_str(), calls.all, calls.share(), calls.notJson, calls.lastDay);
    const Calls &local = byEndpoint["lab_b:qwen3.5-9b"], &cloud = byEndpoint["deepseek:deepseek-v4-flash"];
    QVERIFY2(std::abs(local.share() - 0.912) <= 0.005, shown(local.share()).constData());
    QVERIFY2(std::abs(cloud.share() - 0.978) <= 0.015, shown(cloud.share()).constData());
    for (const Calls* calls : {&local, &cloud}) QVERIFY2(calls->lastDay >= 50 && calls->notJson > 0, shown(calls->lastDay).constData());
    // Agents call tools, too, whatever else their requests are.
    QVERIFY(countIf([](const auto& r) { return r.team == "coding-agents" && r.toolsCalled > 0; }) > 2'000);
}

// Thursday 02:14 to 02:41: 214 served by fallback, three ended after content, eleven served as the last resort.
void DemoWeek::theOutageIsToldRequestByRequest() {
    int fallback = 0, ended = 0, lastResort = 0, open = 0, limited = 0, broken = 0;
    for (const auto& r : m_week) {
        if (!r.group || r.createdAt < at(3, 2, 14) || r.createdAt >= at(3, 2, 41) || r.group->groupId != "auto-extract") continue;
        const bool allCooled = std::count(r.group->reasons.begin(), r.group->reasons.end(), "all_candidates_cooling") > 0;
        const bool served = r.outcome == evidence::Outcome::served || r.outcome == evidence::Outcome::cancelled;
        if (allCooled && served) ++lastResort;
        if (!allCooled && served && r.endpointId.starts_with("lab_a:")) ++fallback;
        if (r.whyNoFallback == "content_sent") {
            ++ended;
            QVERIFY(r.firstContentMs && r.outcome == evidence::Outcome::failed);
        }
        for (const auto& candidate : r.group->candidates) open += candidate.cut == "provider_cooldown";
        for (const auto& attempt : r.attempts) limited += attempt.status == 429, broken += attempt.status == 503;
    }
    QCOMPARE(fallback, 214);
    QCOMPARE(ended, 3);
    QCOMPARE(lastResort, 11);
    QVERIFY(open > 50 && limited > 10 && broken > 10);
}

// `auto-extract` is active for 20 % from Saturday 09:00; the rest is its control.
void DemoWeek::theCanaryKeepsToItsShare() {
    const auto canary = [&](const auto& r) { return r.group && r.group->groupId == "auto-extract" && r.createdAt >= at(5, 9, 0); };
    const double all = static_cast<double>(countIf(canary));
    const double active = static_cast<double>(countIf([&](const auto& r) { return canary(r) && r.mode == "active"; }));
    QVERIFY(all > 200);
    QCOMPARE(countIf([&](const auto& r) { return canary(r) && r.mode != "active" && r.mode != "canary_control"; }), 0);
    QVERIFY2(std::abs(active / all - 0.20) < 0.08, shown(active / all).constData());
    for (const auto& r : m_week)
        if (canary(r)) QCOMPARE(r.mode == "active", r.group->bucket < 20);
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
