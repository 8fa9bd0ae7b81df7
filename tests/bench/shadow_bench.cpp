// SPDX-License-Identifier: MIT
// Opens the shadow page on a day of many decisions, beside the same questions asked as GROUP BY over the decisions.
//
//   cmake --build --preset release --target shadow_bench && build/release/tests/bench/shadow_bench [DECISIONS [ROUNDS]]
//
// Records go the whole way: journal, writer, sums. The day is the last 24 hours at an odd minute, so that both ends of
// the range are broken hours. Both sides are asked in turn in every round, and must count the same decisions.
#include "router/base/text.h"
#include "router/evidence/history_reader.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;
using Stopwatch = std::chrono::steady_clock;

namespace {

const Timestamp kDayStart = Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 28)) + 13h + 37min;
constexpr std::size_t kBuckets = 200;
constexpr std::uint64_t kChunk = 50'000;  // journal stays small

double since(Stopwatch::time_point start) { return std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count(); }
double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}
std::string load() {
    std::string text;
    std::ifstream("/proc/loadavg") >> text;
    return text;
}

/// Five groups of four candidates out of ten endpoints, three profiles, one disagreement in five.
class Day {
public:
    explicit Day(std::uint64_t decisions) : m_step(std::chrono::microseconds(86'400'000'000) / static_cast<std::int64_t>(decisions)) {}

    DecisionRecord record(std::uint64_t n) {
        DecisionRecord record;
        record.createdAt = kDayStart + static_cast<std::int64_t>(n) * m_step;
        record.id = DecisionId::make(record.createdAt, m_random);
        record.target = "prod-a";
        record.environment = "production";
        record.principal = "p-" + std::to_string(pick(20));
        record.team = "team-" + std::to_string(pick(6));
        record.edge = pick(4) == 0 ? Edge::anthropic : Edge::openai;
        record.requestedModel = "auto";
        record.resolvedBy = "smart_alias";
        record.policyHash = std::string(64, 'a');
        record.tableSha256 = std::string(64, 'b');
        record.policyVersion = "builtin-v1";
        record.features.cell = table::Cell::fromIndex(pick(table::kCellCount));
        record.features.inputTokens = 200 + pick(8000);
        record.coverage = "none";
        addGroup(record);
        addCalls(record);
        return record;
    }

private:
    std::size_t pick(std::size_t count) { return static_cast<std::size_t>(m_random.unit() * static_cast<double>(count)); }
    static std::string endpoint(std::size_t n) { return "provider_" + std::to_string(n % 10) + ":some-model-" + std::to_string(n % 10); }

    void addGroup(DecisionRecord& record) {
        static const char* profiles[] = {"balanced", "economy", "quality"};
        static const char* terms[] = {"quality", "cost", "latency", "reliability"};
        static const char* affinities[] = {"no_session", "followed", "not_selected", "favourite_cut"};
        auto& group = record.group.emplace();
        const std::size_t number = pick(5);
        group.groupId = "group-" + std::to_string(number);
        group.profile = profiles[pick(3)];
        record.mode = pick(10) == 0 ? "canary_control" : "shadow";
        for (std::size_t i = 0; i < 4; ++i)
            group.candidates.push_back({endpoint(number * 2 + i), pick(200) == 0 ? "provider_cooldown" : "", 0.7 + 0.05 * static_cast<double>(i),
                                        600 + 2000 * m_random.unit(), 0.002 * m_random.unit(), 0.98, 0.02 * m_random.unit(), m_random.unit()});
        group.candidatesTotal = group.candidateCount = 4;
        group.selected = group.candidates[0].endpointId;
        group.shadowDisagreement = pick(5) == 0;
        group.recommended = group.candidates[group.shadowDisagreement ? 1 + pick(3) : 0].endpointId;
        group.selectedScore = 0.6;
        group.recommendedScore = group.shadowDisagreement ? 0.6001 + 0.2 * m_random.unit() : 0.6;
        if (group.shadowDisagreement) group.decidingTerm = terms[pick(4)];
        group.reasons = {"profile_balanced", "shadow_no_route_change"};
        group.affinity = affinities[pick(4)];
        group.weights = {0.45, 0.2, 0.2, 0.15};
        group.inputTokens = record.features.inputTokens;
        group.outputTokens = 4096;
        group.minLatencyMs = 600, group.maxLatencyMs = 2600, group.maxCostUsd = 0.002;
    }

    void addCalls(DecisionRecord& record) {
        const auto& candidates = record.group->candidates;
        double clock = 0.4;
        if (pick(40) == 0) {
            record.attempts.push_back({candidates[0].endpointId, AttemptRole::primary, AttemptOutcome::failed, pick(2) == 0 ? 429 : 503, "status_429", clock, {}, clock + 90});
            clock += 90;
        }
        Attempt served;
        served.endpointId = candidates[record.attempts.size()].endpointId;
        served.outcome = AttemptOutcome::served;
        served.status = 200;
        served.startedMs = clock;
        served.firstContentMs = clock + 150 + 900 * m_random.unit() * m_random.unit();
        served.endedMs = *served.firstContentMs + 200 + 9000 * m_random.unit() * m_random.unit();
        record.attempts.push_back(served);
        record.endpointId = served.endpointId;
        record.firstContentMs = served.firstContentMs;
        record.totalMs = served.endedMs;
        record.inputTokens = record.features.inputTokens;
        record.outputTokens = 20 + pick(900);
        record.costUsd = 1e-6 * static_cast<double>(*record.inputTokens + 4 * *record.outputTokens);
    }

    std::chrono::microseconds m_step;
    FastRandom m_random{20261129};
};

[[noreturn]] void giveUp(const std::string& why) {
    std::fprintf(stderr, "shadow_bench: %s\n", why.c_str());
    std::exit(1);
}

void fill(const EvidenceOptions& options, const Clock& clock, std::uint64_t decisions) {
    auto store = openEvidence(options, clock);
    if (!store) giveUp(store.error().text());
    auto sink = (*store)->makeSink();
    if (!sink) giveUp(sink.error().text());
    Day day(decisions);
    const auto start = Stopwatch::now();
    for (std::uint64_t n = 0; n < decisions; ++n) {
        if (!(*sink)->append(day.record(n))) giveUp("the journal refused a record");
        if ((n + 1) % kChunk != 0 && n + 1 != decisions) continue;
        if (!(*store)->flush(600s)) giveUp((*store)->status().lastError);
        std::fprintf(stderr, "\r%llu decisions", static_cast<unsigned long long>(n + 1));
    }
    std::fprintf(stderr, " stored in %.0f s\n", since(start) / 1000);
}

/// The page's questions as one would ask them of the decisions themselves, grouped like the page's answers.
std::vector<std::string> rawQuestions(const TimeRange& range, const ShadowReport& report) {
    const std::string in = "created_at >= '" + toIso8601(range.from) + "' AND created_at < '" + toIso8601(range.to) +
                           "' AND origin IN ('traffic', 'demo')";
    const std::string asked = in + " AND selected <> '' AND mode IN ('shadow', 'canary_control')";
    const std::string from = " FROM signalbox.decisions WHERE ";
    const std::string calls = " FROM signalbox.decisions, jsonb_array_elements(calls) AS e WHERE " + in + " AND e ->> 'e' IN ("
                              "SELECT DISTINCT unnest(candidates) FROM signalbox.decisions WHERE " + in + ")";
    const std::string step = "floor(extract(epoch FROM created_at) / " + std::to_string(report.bucket.count()) + ")";
    return {
        "SELECT route_group, profile, " + step + ", count(*), count(*) FILTER (WHERE shadow_disagreement)" + from + asked + " GROUP BY 1, 2, 3",
        "SELECT route_group, selected, recommended, deciding_term, count(*), sum(selected_cost_usd), sum(selected_latency_ms),"
        " sum(recommended_cost_usd), sum(recommended_latency_ms)" + from + asked + " GROUP BY 1, 2, 3, 4",
        "SELECT route_group, profile, margin_slot, count(*)" + from + asked + " AND shadow_disagreement GROUP BY 1, 2, 3",
        "SELECT mode, edge, count(*)" + from + in + " AND selected <> '' GROUP BY 1, 2",
        "SELECT affinity, count(*)" + from + in + " AND selected <> '' AND affinity <> '' GROUP BY 1",
        "SELECT candidate, count(*) FILTER (WHERE candidate = ANY(cooling)) FROM signalbox.decisions, unnest(candidates) AS candidate WHERE " + in +
            " GROUP BY 1",
        "SELECT e ->> 'e', e ->> 'o', e ->> 's', count(*), count(e ->> 'c'), sum((e ->> 'c')::double precision)" + calls + " GROUP BY 1, 2, 3",
        "SELECT e ->> 'e', percentile_disc(0.5) WITHIN GROUP (ORDER BY (e ->> 'ms')::double precision),"
        " percentile_disc(0.5) WITHIN GROUP (ORDER BY (e ->> 'f')::double precision)" + calls + " AND e ->> 'o' = 'served' GROUP BY 1",
    };
}

/// Milliseconds of all questions; the first one's decisions are added up for comparison.
double askRaw(PgSession& session, const std::vector<std::string>& questions, std::vector<double>& each, std::uint64_t& decisions) {
    double total = 0;
    decisions = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const auto start = Stopwatch::now();
        const auto rows = session.query(questions[i], {}, nullptr);
        each[i] = since(start);
        if (!rows) giveUp(rows.error().message);
        total += each[i];
        for (int row = 0; i == 0 && row < rows->count(); ++row) decisions += static_cast<std::uint64_t>(rows->number(row, 3));
    }
    return total;
}

}  // namespace

int main(int argc, char** argv) {
    const std::uint64_t decisions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
    if (decisions == 0 || rounds < 1) giveUp("usage: shadow_bench [DECISIONS [ROUNDS]]");
    const test::Postgres postgres;
    if (!postgres.problem().empty()) giveUp(postgres.problem());
    const test::OpenTemporaryFolder folder;
    const test::ManualClock clock(kDayStart + 24h);
    EvidenceOptions options;
    options.journalFolder = folder.path();
    options.dsn = postgres.dsn();
    options.dsnName = "$BENCH_DSN";
    fill(options, clock, decisions);
    (void)postgres.column("VACUUM ANALYZE");  // as autovacuum would have done, for both sides

    PgHistoryReader reader(std::make_shared<Database>(options), ReaderOptions{.statementTimeout = 600s});
    const auto session = PgSession::open(options.dsn, 600s, nullptr);
    if (!session) giveUp(session.error().message);
    const ShadowFilter filter{.range = {kDayStart, kDayStart + 24h}};
    const auto first = reader.shadow(filter, kBuckets, nullptr);
    if (!first) giveUp(first.error().text());
    const auto questions = rawQuestions(filter.range, *first);
    std::vector<double> ours, theirs, each(questions.size());
    std::uint64_t counted = 0;
    (void)askRaw(**session, questions, each, counted);  // warm caches, as the first question of ours did
    const std::string before = load();
    for (int round = 0; round < rounds; ++round) {
        const auto start = Stopwatch::now();
        const auto report = reader.shadow(filter, kBuckets, nullptr);
        ours.push_back(since(start));
        theirs.push_back(askRaw(**session, questions, each, counted));
        if (!report || report->decisions != counted || counted != decisions) giveUp("both sides count different decisions");
    }
    std::printf("%llu decisions, %d rounds, load average %s before and %s after\n", static_cast<unsigned long long>(decisions), rounds,
                before.c_str(), load().c_str());
    std::printf("shadow page  %8.1f ms (median; %.1f to %.1f)\n", median(ours), *std::min_element(ours.begin(), ours.end()),
                *std::max_element(ours.begin(), ours.end()));
    std::printf("raw GROUP BY %8.1f ms (median; %.1f to %.1f)\n", median(theirs), *std::min_element(theirs.begin(), theirs.end()),
                *std::max_element(theirs.begin(), theirs.end()));
    std::printf("page / raw   1/%.1f\n", median(theirs) / median(ours));
    static const char* const names[] = {"over time", "pairs", "margins", "served", "affinity", "candidates", "calls", "latencies"};
    for (std::size_t i = 0; i < each.size(); ++i) std::printf("  raw %-10s %8.1f ms in the last round\n", names[i], each[i]);
    return median(ours) * 20 <= median(theirs) ? 0 : 1;
}
