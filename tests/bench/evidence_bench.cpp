// SPDX-License-Identifier: MIT
// What recording a decision costs, from the record at hand to its row in PostgreSQL, in CPU time of this process alone.
//
//   cmake --build --preset release --target evidence_bench && build/release/tests/bench/evidence_bench [RECORDS [ROUNDS]]
//
// For a plain table decision and for one of a smart group: append it to a journal (encoding included), let the store
// drain the journal into a real server, and, as yardsticks of the same run, write(2) as many bytes as a record has and
// copy the very rows that were stored once more with libpq alone, lines ready in memory. The server's own time is shown
// beside it. With a word behind the numbers (`encode`, `decode`, `append`, `drain`) only that runs, for callgrind.
#include "router/evidence/evidence.h"
#include "router/evidence/journal.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <libpq-fe.h>
#include <unistd.h>

using namespace signalbox;
using namespace signalbox::evidence;
using namespace std::chrono_literals;

namespace {

const Timestamp kStart = Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 28)) + 13h;

[[noreturn]] void giveUp(const std::string& why) {
    std::fprintf(stderr, "evidence_bench: %s\n", why.c_str());
    std::exit(1);
}

/// Microseconds of CPU that all threads of this process took.
double cpuUs(const std::function<void()>& work) {
    const auto now = [] {
        timespec at{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
        return static_cast<double>(at.tv_sec) * 1e6 + static_cast<double>(at.tv_nsec) / 1e3;
    };
    const double before = now();
    work();
    return now() - before;
}

/// As clocks give them: whole nanoseconds.
double ms(double value) { return std::floor(value * 1e6) / 1e6; }

/// As the gateway records it: the demo's size of table, a client's id, usage counted.
DecisionRecord tableDecision(std::uint64_t n, FastRandom& random) {
    const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random.unit() * static_cast<double>(count)); };
    DecisionRecord record;
    record.target = "workstation";
    record.environment = "production";
    record.clientRequestId = "request-" + std::to_string(n);
    record.principal = "p-" + std::to_string(pick(20));
    record.team = "team-" + std::to_string(pick(6));
    record.requestedModel = "qwen3.6-27b-fp8";
    record.resolvedBy = "table_model";
    record.policyHash = std::string(64, 'a');
    record.tableSha256 = std::string(64, 'b');
    record.features.model = record.requestedModel;
    record.features.cell = table::Cell::fromIndex(pick(table::kCellCount));
    record.features.inputTokens = 200 + pick(8000);
    record.features.inFlight = static_cast<std::uint32_t>(1 + pick(32));
    record.family = "qwen3.6-27b";
    record.ruleIndex = static_cast<std::uint32_t>(pick(4));
    record.presetKey = "qwen3.6-27b-k" + std::to_string(1 + pick(4));
    record.reason = "rule";
    record.coverage = "rule";
    for (std::uint32_t i = 0; i < 4; ++i)
        record.rules.push_back({i, "qwen3.6-27b-k" + std::to_string(1 + i), i == record.ruleIndex ? "matched" : "workload_differs"});
    record.endpointId = "vllm-" + std::to_string(pick(4)) + ":qwen3.6-27b-fp8";
    record.decideUs = ms(3.25 + random.unit());
    record.queueMs = ms(0.01 * random.unit());
    Attempt served{record.endpointId, AttemptRole::primary, AttemptOutcome::served, 200, "", ms(0.02 + 0.01 * random.unit())};
    served.firstContentMs = ms(120 + 900 * random.unit() * random.unit());
    served.endedMs = ms(*served.firstContentMs + 200 + 9000 * random.unit() * random.unit());
    record.firstContentMs = served.firstContentMs;
    record.totalMs = ms(served.endedMs + 0.02);
    served.inputTokens = record.inputTokens = record.features.inputTokens;
    served.outputTokens = record.outputTokens = 20 + pick(900);
    served.costUsd = record.costUsd = 1e-6 * static_cast<double>(*record.inputTokens + 4 * *record.outputTokens);
    record.attempts.push_back(served);
    return record;
}

DecisionRecord groupDecision(std::uint64_t n, FastRandom& random) {
    const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random.unit() * static_cast<double>(count)); };
    DecisionRecord record = tableDecision(n, random);
    record.requestedModel = record.features.model = "auto";
    record.resolvedBy = "smart_alias";
    record.family.reset(), record.ruleIndex.reset(), record.presetKey.reset(), record.rules.clear();
    record.reason.clear(), record.coverage = "none";
    record.policyVersion = "builtin-v1";
    record.mode = "shadow";
    auto& group = record.group.emplace();
    group.groupId = "group-" + std::to_string(pick(5));
    group.profile = "balanced";
    for (std::size_t i = 0; i < 4; ++i)
        group.candidates.push_back({"provider_" + std::to_string(i) + ":some-model-" + std::to_string(i), "", 0.7 + 0.05 * static_cast<double>(i),
                                    600 + 2000 * random.unit(), 0.002 * random.unit(), 0.98, 0, random.unit(), {}});
    group.candidatesTotal = group.candidateCount = 4;
    group.selected = group.candidates[0].endpointId;
    group.shadowDisagreement = pick(5) == 0;
    group.recommended = group.candidates[group.shadowDisagreement ? 1 + pick(3) : 0].endpointId;
    group.selectedScore = 0.6123;
    group.recommendedScore = group.shadowDisagreement ? 0.7345 : 0.6123;
    if (group.shadowDisagreement) group.decidingTerm = "cost";
    group.reasons = {"profile_balanced", "shadow_no_route_change"};
    group.affinity = "no_session";
    group.weights = {0.45, 0.2, 0.2, 0.15};
    group.inputTokens = record.features.inputTokens;
    group.outputTokens = 4096;
    group.minLatencyMs = 600.5, group.maxLatencyMs = 2600.25, group.maxCostUsd = 0.002;
    record.endpointId = record.attempts[0].endpointId = group.selected;
    return record;
}

/// A few hundred decisions, again and again under new ids: in the gateway, too, a record is fresh in the cache when it is
/// encoded.
class Records {
public:
    Records(DecisionRecord (*make)(std::uint64_t, FastRandom&), std::size_t count) : m_ids(count) {
        FastRandom random(20261130);
        for (std::uint64_t n = 0; n < 256; ++n) m_templates.push_back(make(n, random));
        for (std::size_t n = 0; n < count; ++n) m_ids[n] = DecisionId::make(timeOf(n), random);
    }
    [[nodiscard]] std::size_t size() const { return m_ids.size(); }
    const DecisionRecord& operator[](std::size_t n) {
        DecisionRecord& record = m_templates[n % m_templates.size()];
        record.id = m_ids[n];
        record.createdAt = timeOf(n);
        return record;
    }

private:
    static Timestamp timeOf(std::size_t n) { return kStart + std::chrono::microseconds(50 * n); }

    std::vector<DecisionRecord> m_templates;
    std::vector<DecisionId> m_ids;
};

/// Its folder outlives it: what was appended is there for a store to drain.
double appendAll(const std::filesystem::path& folder, const Clock& clock, Records& records) {
    const auto journal = Journal::open({folder}, clock);
    if (!journal) giveUp(journal.error().text());
    const auto sink = (*journal)->makeSink().value();
    return cpuUs([&] {
        for (std::size_t n = 0; n < records.size(); ++n)
            if (!sink->append(records[n])) giveUp("the journal refused a record");
    });
}

/// Seconds of CPU that the server's process has used so far.
double serverCpuUs(const test::Postgres& postgres) {
    double ticks = 0;
    for (const std::string& pid : postgres.column("SELECT pid FROM pg_stat_activity WHERE application_name = 'signalbox'")) {
        std::ifstream file("/proc/" + pid + "/stat");
        std::string text;
        for (int i = 0; i < 13; ++i) file >> text;
        double user = 0, system = 0;
        file >> user >> system;
        ticks += user + system;
    }
    return ticks * 1e6 / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

struct Drained {
    double ours = 0, server = 0;
};

Drained drain(const test::Postgres& postgres, const std::filesystem::path& folder, const Clock& clock) {
    EvidenceOptions options;
    options.journalFolder = folder;
    options.dsn = postgres.dsn();
    options.dsnName = "$BENCH_DSN";
    Drained out;
    out.ours = cpuUs([&] {
        const auto store = openEvidence(options, clock);
        if (!store) giveUp(store.error().text());
        if (!(*store)->flush(600s)) giveUp((*store)->status().lastError);
        if (const auto status = (*store)->status(); !status.lastError.empty()) giveUp(status.lastError);
        out.server = serverCpuUs(postgres);
    });
    return out;
}

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

void demand(const Connection& connection, const char* sql, ExecStatusType wanted) {
    const Result result(PQexec(connection.get(), sql), &PQclear);
    if (PQresultStatus(result.get()) != wanted) giveUp(PQerrorMessage(connection.get()));
}

/// The rows that are stored, as COPY lines.
std::string storedLines(const Connection& connection) {
    demand(connection, "COPY (SELECT * FROM signalbox.decisions) TO STDOUT", PGRES_COPY_OUT);
    std::string out;
    char* line = nullptr;
    for (int bytes; (bytes = PQgetCopyData(connection.get(), &line, 0)) > 0; PQfreemem(line)) out.append(line, static_cast<std::size_t>(bytes));
    while (const Result result{PQgetResult(connection.get()), &PQclear}) {}
    return out;
}

double copyLines(const test::Postgres& postgres) {
    const Connection connection(PQconnectdb(postgres.dsn().c_str()), &PQfinish);
    const std::string lines = storedLines(connection);
    demand(connection, "CREATE TABLE signalbox.once_more (LIKE signalbox.decisions INCLUDING ALL)", PGRES_COMMAND_OK);
    const double us = cpuUs([&] {
        demand(connection, "COPY signalbox.once_more FROM STDIN", PGRES_COPY_IN);
        constexpr std::size_t kPiece = std::size_t{64} << 10;
        for (std::size_t at = 0; at < lines.size(); at += kPiece)
            if (PQputCopyData(connection.get(), lines.data() + at, static_cast<int>(std::min(kPiece, lines.size() - at))) != 1)
                giveUp(PQerrorMessage(connection.get()));
        if (PQputCopyEnd(connection.get(), nullptr) != 1) giveUp(PQerrorMessage(connection.get()));
        while (const Result result{PQgetResult(connection.get()), &PQclear})
            if (PQresultStatus(result.get()) != PGRES_COMMAND_OK) giveUp(PQerrorMessage(connection.get()));
    });
    demand(connection, "DROP TABLE signalbox.once_more", PGRES_COMMAND_OK);
    return us;
}

double writeBytes(const std::filesystem::path& file, Records& records) {
    const std::string line = encodeRecord(records[0]);
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    const double us = cpuUs([&] {
        for (std::size_t n = 0; n < records.size(); ++n)
            if (::write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size())) giveUp("cannot write");
    });
    ::close(fd);
    std::filesystem::remove(file);
    return us;
}

double encodeAll(Records& records) {
    std::string out;
    return cpuUs([&] {
        for (std::size_t n = 0; n < records.size(); ++n) out.clear(), encodeRecord(records[n], out);
    });
}

double decodeAll(Records& records) {
    std::vector<std::string> lines;
    for (std::size_t n = 0; n < 256; ++n) lines.push_back(encodeRecord(records[n]));
    return cpuUs([&] {
        for (std::size_t n = 0; n < records.size(); ++n)
            if (!decodeRecord(lines[n % 256])) giveUp("cannot decode");
    });
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void row(const char* what, const std::vector<double>& values, std::size_t records) {
    const double each = 1.0 / static_cast<double>(records);
    std::printf("  %-34s %8.2f us (%.2f to %.2f)\n", what, median(values) * each, *std::min_element(values.begin(), values.end()) * each,
                *std::max_element(values.begin(), values.end()) * each);
}

void measure(const char* name, const test::Postgres* postgres, Records& records, int rounds, const std::string& only) {
    std::vector<double> encoded, decoded, appended, written, drained, server, copied;
    const auto wants = [&](std::string_view part) { return only.empty() || only == part; };
    const test::ManualClock clock(kStart + 1h);
    for (int round = 0; round < rounds; ++round) {
        const test::OpenTemporaryFolder folder;
        if (wants("encode")) encoded.push_back(encodeAll(records));
        if (wants("decode")) decoded.push_back(decodeAll(records));
        if (wants("append") || wants("drain")) appended.push_back(appendAll(folder.path() / "journal", clock, records));
        if (only.empty()) written.push_back(writeBytes(folder.path() / "bytes", records));
        if (!wants("drain")) continue;
        postgres->clear();
        (void)drain(*postgres, folder.path() / "none", clock);  // makes the tables
        const Drained took = drain(*postgres, folder.path() / "journal", clock);
        drained.push_back(took.ours), server.push_back(took.server);
        if (postgres->value("SELECT count(*) FROM signalbox.decisions") != std::to_string(records.size())) giveUp("not every record was stored");
        if (only.empty()) copied.push_back(copyLines(*postgres));
    }
    std::printf("%s, %zu bytes of JSON, a record\n", name, encodeRecord(records[0]).size());
    if (!encoded.empty()) row("encode", encoded, records.size());
    if (!decoded.empty()) row("decode", decoded, records.size());
    if (!appended.empty()) row("append to the journal", appended, records.size());
    if (!written.empty()) row("yardstick: write(2) of the JSON", written, records.size());
    if (!drained.empty()) row("drain into PostgreSQL", drained, records.size());
    if (!copied.empty()) row("yardstick: COPY of the same rows", copied, records.size());
    if (!server.empty()) row("the server's own time", server, records.size());
}

std::string load() {
    std::string text;
    std::ifstream("/proc/loadavg") >> text;
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 40'000;
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
    const std::string only = argc > 3 ? argv[3] : "";
    if (count < 256 || rounds < 1) giveUp("usage: evidence_bench [RECORDS, at least 256 [ROUNDS [encode|decode|append|drain]]]");
    std::unique_ptr<test::Postgres> postgres;
    if (only.empty() || only == "drain") {
        postgres = std::make_unique<test::Postgres>();
        if (!postgres->problem().empty()) giveUp(postgres->problem());
    }
    Records tables(tableDecision, count), groups(groupDecision, count);
    const std::string before = load();
    measure("a table decision", postgres.get(), tables, rounds, only);
    measure("a smart group's decision", postgres.get(), groups, rounds, only);
    std::printf("%zu records, %d rounds, load average %s before and %s after\n", count, rounds, before.c_str(), load().c_str());
    return 0;
}
