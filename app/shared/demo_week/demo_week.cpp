// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/demo_week.h"

#include "app/shared/demo_week/flows.h"
#include "app/shared/demo_week/story.h"
#include "router/base/file.h"
#include "router/base/text.h"
#include "router/gateway/recording.h"
#include "router/policy/resolve.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace signalbox::app {
namespace {

using std::chrono::days;

constexpr std::uint64_t kSeed = 0x4861'7272'6f77ULL;

struct Arrival {
    Timestamp at;
    const DemoFlow* flow = nullptr;
};

/// Log-normal around a median: the usual shape of latencies and lengths.
double spread(double median, double sigma, Random& random) {
    const double u = std::max(random.unit(), 1e-12);
    const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * random.unit());
    return median * std::exp(sigma * normal);
}

/// Share of the day at which a request comes, in 0..1.
double timeOfDay(const DemoFlow& flow, Random& random) {
    if (flow.roundTheClock && random.unit() < 0.35) return random.unit();
    for (;;) {  // 07:00 to 19:00, two humps with a dip at noon
        const double hour = 7.0 + 12.0 * random.unit();
        const double busy = std::exp(-std::pow((hour - 10.5) / 2.0, 2)) + std::exp(-std::pow((hour - 15.5) / 2.0, 2));
        if (random.unit() < busy) return hour / 24.0;
    }
}

std::size_t pickDay(const std::array<double, 7>& weights, Random& random) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double left = random.unit() * total;
    for (std::size_t day = 0; day < weights.size(); ++day) {
        left -= weights[day];
        if (left < 0) return day;
    }
    return weights.size() - 1;
}

std::vector<Arrival> arrivalsOfWeek(Timestamp now, Random& random) {
    const auto monday = Timestamp(std::chrono::floor<days>(now)) - days(6);
    std::vector<Arrival> arrivals;
    for (const DemoFlow& flow : demoFlows()) {
        for (std::uint32_t i = 0; i < flow.count;) {
            const double daysIn = static_cast<double>(pickDay(flow.days, random)) + timeOfDay(flow, random);
            const Timestamp at = monday + std::chrono::duration_cast<std::chrono::microseconds>(
                                              std::chrono::duration<double>(daysIn * 86'400.0));
            if (at >= now) continue;  // today is not over yet: draw again
            arrivals.push_back({at, &flow});
            ++i;
        }
    }
    std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
    return arrivals;
}

/// The body that the client would have sent; its text is filler of no meaning.
std::string bodyOf(const DemoFlow& flow, Random& random) {
    std::string body = R"({"model":")" + std::string(flow.model) + R"(","messages":[{"role":"user","content":"demo"}])";
    if (flow.stream) body += R"(,"stream":true)";
    if (flow.task == DemoTask::tools)
        body += R"(,"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object"}}}])";
    if (flow.task == DemoTask::structured) body += R"(,"response_format":{"type":"json_object"})";
    if (random.unit() >= flow.uncapped)
        body += R"(,"max_tokens":)" + std::to_string(flow.caps[random.unit() < 0.5 ? 0 : 1]);
    return body + '}';
}

class Generator {
public:
    Generator(const policy::PolicySnapshot& snapshot, Timestamp now) : m_snapshot(snapshot), m_story(now), m_random(kSeed) {}

    [[nodiscard]] std::vector<Arrival> arrivals(Timestamp now) { return arrivalsOfWeek(now, m_random); }

    [[nodiscard]] std::optional<evidence::DecisionRecord> record(const Arrival& arrival) {
        const DemoFlow& flow = *arrival.flow;
        evidence::DecisionRecord record;
        record.id = DecisionId::make(arrival.at, m_random);
        record.createdAt = arrival.at;
        record.origin = evidence::Origin::demo;
        nameTarget(record);
        record.principal = flow.principal;
        record.team = flow.team;

        classify::CallerHints hints;
        const double inputTokens = spread(m_story.inputTokens(flow, arrival.at), 0.45, m_random);
        hints.inputTokens = std::to_string(static_cast<std::uint64_t>(inputTokens));
        if (flow.task == DemoTask::code) hints.category = "code";
        const std::uint32_t inFlight = m_random.unit() < flow.manyAtOnce ? 2 + static_cast<std::uint32_t>(m_random.unit() * 6) : 1;
        const auto classified = classify::classify(bodyOf(flow, m_random), hints, {}, inFlight);
        if (!classified) return std::nullopt;
        record.features = classified->features;
        record.requestedModel = record.features.model;
        record.policyHash = m_snapshot.hash;
        record.tableSha256 = m_snapshot.tableSha256;
        record.policyVersion = m_snapshot.config->routing.policyVersion;
        record.decideUs = 1.2 + 2.0 * m_random.unit();

        const auto plan = policy::resolve(m_snapshot, record.features);
        if (!plan) return std::nullopt;
        gateway::recordPlan(record, m_snapshot, *plan);
        if (plan->resolvedBy == policy::ResolvedBy::smartAlias) record.mode = "off_static";
        run(record, flow, *plan);
        return record;
    }

private:
    void nameTarget(evidence::DecisionRecord& record) {
        const double share = m_random.unit();
        record.target = share < 0.47 ? "prod-a" : share < 0.92 ? "prod-b" : "staging";
        record.environment = record.target == "staging" ? "staging" : "production";
    }

    /// Tries the targets of the plan in order, as the router would, until one answers.
    void run(evidence::DecisionRecord& record, const DemoFlow& flow, const policy::RoutePlan& plan) {
        double clock = 0.4;
        for (const policy::RouteTarget& target : plan.targets) {
            evidence::Attempt attempt;
            attempt.endpointId = target.endpointId();
            attempt.role = record.attempts.empty() ? evidence::AttemptRole::primary : evidence::AttemptRole::retry;
            attempt.startedMs = clock;
            if (const auto failure = m_story.failure(attempt.endpointId, record.createdAt, m_random)) {
                attempt.status = failure->status;
                attempt.reason = failure->reason;
                clock += spread(failure->afterMs, 0.3, m_random);
                attempt.endedMs = clock;
                record.attempts.push_back(attempt);
                if (!plan.fallbackAllowed) break;
                continue;
            }
            serve(record, flow, target, attempt);
            return;
        }
        record.outcome = evidence::Outcome::failed;
        record.status = record.attempts.back().status == 429 ? 429 : 502;
        record.errorCode = "upstream_" + record.attempts.back().reason;
        record.totalMs = clock;
    }

    void serve(evidence::DecisionRecord& record, const DemoFlow& flow, const policy::RouteTarget& target,
               evidence::Attempt attempt) {
        const DemoEndpoint& endpoint = demoEndpoint(attempt.endpointId);
        const std::uint64_t input = record.features.inputTokens;
        dispatch::Usage usage;
        usage.inputTokens = input;
        usage.cachedTokens = static_cast<std::uint64_t>(static_cast<double>(input) * m_story.cachedShare(flow, record.createdAt));
        const double wanted = spread(flow.outputTokens, 0.5, m_random);
        usage.outputTokens = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min(
                                 wanted, static_cast<double>(record.features.outputCap.value_or(4096)))));
        // Prefill takes time for what is not cached; about 9,000 tokens a second on these machines.
        const double prefillMs = static_cast<double>(input - *usage.cachedTokens) / 9.0;
        const double firstMs = spread(endpoint.firstTokenMs, 0.3, m_random) + prefillMs;
        const double decodeMs = static_cast<double>(*usage.outputTokens) * 1000.0 / spread(endpoint.tokensPerSecond, 0.12, m_random);

        attempt.status = 200;
        attempt.firstContentMs = attempt.startedMs + firstMs;
        const bool left = m_random.unit() < 0.006;  // the client went away while it streamed
        attempt.endedMs = *attempt.firstContentMs + decodeMs * (left ? m_random.unit() : 1.0);
        attempt.outcome = left ? evidence::AttemptOutcome::cancelled : evidence::AttemptOutcome::served;
        if (left) attempt.reason = "client_gone";
        record.firstContentMs = attempt.firstContentMs;
        record.totalMs = attempt.endedMs;
        record.outcome = left ? evidence::Outcome::cancelled : evidence::Outcome::served;
        record.status = left ? 499 : 200;
        record.attempts.push_back(attempt);
        const bool calls = flow.task == DemoTask::tools && m_random.unit() < 0.8;
        gateway::recordAnswer(record, *m_snapshot.config, target, usage, calls ? 1 : 0);
    }

    const policy::PolicySnapshot& m_snapshot;
    DemoStory m_story;
    FastRandom m_random;
};

}  // namespace

std::size_t generateDemoWeek(const policy::PolicySnapshot& snapshot, Timestamp now,
                             const std::function<bool(const evidence::DecisionRecord&)>& write,
                             const std::atomic<bool>* cancelled) {
    Generator generator(snapshot, now);
    std::size_t written = 0;
    for (const Arrival& arrival : generator.arrivals(now)) {
        if (cancelled != nullptr && cancelled->load()) break;
        const auto record = generator.record(arrival);
        if (!record) continue;
        if (!write(*record)) break;
        ++written;
    }
    return written;
}

Result<std::size_t> seedDemoHistory(const evidence::EvidenceOptions& options, const std::filesystem::path& stateFolder,
                                    const policy::PolicySnapshot& snapshot, const Clock& clock) {
    const auto marker = stateFolder / "demo-week-written";
    std::error_code error;
    if (std::filesystem::exists(marker, error)) return std::size_t{0};
    std::filesystem::create_directories(stateFolder, error);
    if (error)
        return fail(ErrorKind::unavailable, "cannot create the folder: " + error.message(), stateFolder.string(),
                    "Check the permissions, or set SIGNALBOX_DATA_DIR to a folder of yours.");
    auto store = evidence::openEvidence(options, clock);
    if (!store) return tl::unexpected(store.error());
    auto sink = (*store)->makeSink();
    if (!sink) return tl::unexpected(sink.error());
    // The marker comes first: a demo interrupted half way shows half a week, never the same week twice.
    if (auto marked = writeFileAtomic(marker, toIso8601(clock.now()) + "\n"); !marked) return tl::unexpected(marked.error());
    return generateDemoWeek(snapshot, clock.now(), [&](const evidence::DecisionRecord& record) { return (*sink)->append(record); });
}

}  // namespace signalbox::app
