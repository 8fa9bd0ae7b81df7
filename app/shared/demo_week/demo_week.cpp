// SPDX-License-Identifier: MIT
#include "app/shared/demo_week/demo_week.h"

#include "app/shared/demo_week/arrivals.h"
#include "app/shared/demo_week/fleet.h"
#include "app/shared/demo_week/happenings.h"
#include "app/shared/demo_week/policies.h"
#include "router/base/file.h"
#include "router/base/text.h"
#include "router/gateway/recording.h"
#include "router/policy/resolve.h"
#include "router/policy/smart/sizes.h"
#include "router/strategy/course.h"
#include "router/strategy/fault_of.h"
#include "router/strategy/plan_router.h"

#include <algorithm>
#include <vector>

namespace signalbox::app {
namespace {

namespace smart = policy::smart;

constexpr std::uint64_t kWeekSeed = 0x4861'7272'6f77ULL;

/// The body that the client would have sent; its text is filler of no meaning.
std::string bodyOf(const DemoFlow& flow, bool offersTools, Random& random) {
    std::string body = R"({"model":")" + std::string(flow.model) + R"(","messages":[{"role":"user","content":"demo"}])";
    if (flow.stream) body += R"(,"stream":true)";
    if (offersTools)
        body += R"(,"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object"}}}])";
    if (flow.task == DemoTask::structured) body += R"(,"response_format":{"type":"json_object"})";
    if (random.unit() >= flow.uncapped)
        body += R"(,"max_tokens":)" + std::to_string(flow.caps[random.unit() < 0.5 ? 0 : 1]);
    return body + '}';
}

dispatch::UpstreamFailure asUpstreamFailure(const DemoStory::Failure& failure) {
    dispatch::UpstreamFailure out;
    out.kind = failure.status == 0 ? dispatch::UpstreamFailure::Kind::timeout : dispatch::UpstreamFailure::Kind::status;
    out.status = failure.status;
    out.code = failure.reason;
    out.retryAfter = failure.retryAfter;
    return out;
}

dispatch::UpstreamFailure circuitOpen() {
    dispatch::UpstreamFailure out;
    out.kind = dispatch::UpstreamFailure::Kind::refused;
    out.code = strategy::kCircuitOpen;
    return out;
}

dispatch::UpstreamFailure streamBroken() {
    dispatch::UpstreamFailure out;
    out.kind = dispatch::UpstreamFailure::Kind::disconnected;
    out.code = "disconnected";
    return out;
}

class Generator {
public:
    Generator(const policy::PolicySnapshot& snapshot, Timestamp now)
        : m_policies(snapshot, now), m_story(now), m_fleet(snapshot), m_random(kWeekSeed) {}

    /// Every circuit of the fleet, as it happens, and what else there is to tell, at once.
    void tellTo(const std::function<void(const evidence::Event&)>& tell, Timestamp now) {
        for (const evidence::Event& event : demoHappenings(m_policies, now)) tell(event);
        m_fleet.onCircuit([this, tell](const capacity::CircuitChange& change) {
            if (const auto event = demoCircuit(change, m_fleet.now(), m_running, m_eventRandom)) tell(*event);
        });
    }

    [[nodiscard]] std::vector<Arrival> arrivals(Timestamp now) { return arrivalsOfWeek(m_story, now, m_random); }

    [[nodiscard]] std::optional<evidence::DecisionRecord> record(const Arrival& arrival) {
        const DemoFlow& flow = *arrival.flow;
        const policy::PolicySnapshot& snapshot = m_policies.at(arrival.at, flow);
        m_running = snapshot.hash;
        m_fleet.advance(arrival.at);
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
        std::uint32_t inFlight = m_random.unit() < flow.manyAtOnce ? 2 + static_cast<std::uint32_t>(m_random.unit() * 6) : 1;
        if (arrival.episode != DemoEpisode::none) inFlight = 1;  // they all meet on the same endpoint
        const auto classified = classify::classify(bodyOf(flow, offersTools(flow), m_random), hints, {}, inFlight);
        if (!classified) return std::nullopt;
        record.features = classified->features;
        record.requestedModel = record.features.model;
        record.policyHash = snapshot.hash;
        record.tableSha256 = snapshot.tableSha256;
        record.policyVersion = snapshot.config->routing.policyVersion;
        record.decideUs = 1.2 + 2.0 * m_random.unit();

        const auto plan = policy::resolve(snapshot, record.features, contextOf(flow, record));
        if (!plan) return std::nullopt;
        gateway::recordPlan(record, snapshot, *plan);
        run(record, arrival, *plan, *snapshot.config);
        return record;
    }

private:
    void nameTarget(evidence::DecisionRecord& record) {
        const double share = m_random.unit();
        record.target = share < 0.47 ? "prod-a" : share < 0.92 ? "prod-b" : "staging";
        record.environment = record.target == "staging" ? "staging" : "production";
    }

    /// What the gateway would have known of the request, from its headers and from what came of earlier ones.
    policy::RequestContext contextOf(const DemoFlow& flow, const evidence::DecisionRecord& record) {
        policy::RequestContext context;
        const double asks = m_random.unit();
        const auto conversation = static_cast<int>(m_random.unit() * 5.0);
        if (asks < flow.profileShare) context.profile = smart::parseProfile(flow.profile);
        std::optional<std::string> session;
        if (m_story.namesSession(flow, record.createdAt))
            session = std::string(flow.team) + std::to_string(record.createdAt.time_since_epoch() / std::chrono::hours(1)) +
                      std::to_string(conversation);
        context.assignment = smart::assign(record.principal, session, record.id.text());
        context.sizes = {record.features.inputTokens, record.features.outputCap.value_or(smart::kDefaultOutputTokens)};
        context.readSignals = [this](std::size_t group, std::span<smart::CandidateSignals> out) { m_fleet.read(group, out); };
        context.isCooling = [this](const std::string& endpointId) { return m_fleet.isCooling(endpointId); };
        return context;
    }

    bool offersTools(const DemoFlow& flow) { return flow.task == DemoTask::tools || (flow.toolShare > 0 && m_toolRandom.unit() < flow.toolShare); }

    /// Of an answer to a request that offers tools: most call one, and some of those with arguments that nobody can use.
    dispatch::ToolOutcome toolCalls(const DemoFlow& flow, const DemoEndpoint& endpoint) {
        const double calls = flow.task == DemoTask::tools ? m_random.unit() : m_toolRandom.unit();
        if (calls >= 0.8) return {};
        if (m_toolRandom.unit() < endpoint.toolCallsFit) return {1, 1, 1, 0};
        const std::uint32_t json = m_toolRandom.unit() < 0.7 ? 1 : 0;
        return {1, json, 0, 0};
    }

    static Timestamp after(const evidence::DecisionRecord& record, double ms) {
        return record.createdAt + std::chrono::microseconds(static_cast<std::int64_t>(ms * 1000));
    }

    static evidence::Attempt& entryFor(evidence::DecisionRecord& record, const strategy::Course::Step& step,
                                       const policy::RouteTarget& target, double clock) {
        if (!step.entry) {
            auto& attempt = record.attempts.emplace_back();
            attempt.endpointId = target.endpointId();
            attempt.role = step.target == 0 ? evidence::AttemptRole::primary : evidence::AttemptRole::retry;
        }
        evidence::Attempt& attempt = step.entry ? record.attempts[*step.entry] : record.attempts.back();
        attempt.reason.clear();
        attempt.startedMs = attempt.endedMs = clock;
        return attempt;
    }

    /// Goes the router's way through the targets, until one answers.
    void run(evidence::DecisionRecord& record, const Arrival& arrival, const policy::RoutePlan& plan, const config::GatewayConfig& config) {
        double clock = 0.4;
        strategy::Course course(plan, &record.whyNoFallback);
        capacity::RequestBlame blame;
        while (const auto step = course.next()) {
            const policy::RouteTarget& target = plan.targets[step->target];
            evidence::Attempt& attempt = entryFor(record, *step, target, clock);
            m_fleet.moveTo(after(record, clock));
            const auto endpoint = m_fleet.endpointOf(plan, step->target);
            auto permit = endpoint.tryBegin();
            if (!permit && !step->anyway) {
                attempt.outcome = evidence::AttemptOutcome::refused;
                attempt.reason = strategy::kCircuitOpen;
                course.passedOver(*step, static_cast<std::size_t>(&attempt - record.attempts.data()), circuitOpen());
                continue;
            }
            const bool lastResort = !permit;
            // Nobody drains in this week, so there is always one.
            if (auto anyway = lastResort ? endpoint.beginAnyway() : std::nullopt) permit.emplace(std::move(*anyway));
            if (const auto failure = m_story.failure(attempt.endpointId, record.createdAt, m_random)) {
                attempt.outcome = evidence::AttemptOutcome::failed;
                attempt.status = failure->status;
                attempt.reason = failure->reason;
                clock += spread(failure->afterMs, 0.3, m_random);
                attempt.endedMs = clock;
                permit->failed(strategy::faultOf(asUpstreamFailure(*failure)), attempt.endedMs - attempt.startedMs, blame);
                course.failed(asUpstreamFailure(*failure));
                continue;
            }
            answer(record, *arrival.flow, target, attempt, config);
            if (arrival.episode == DemoEpisode::brokenStream && !record.group->selected.empty() && attempt.endpointId.starts_with("lab_a:"))
                return breakOff(record, attempt, *permit, blame);
            if (lastResort && attempt.outcome == evidence::AttemptOutcome::served) attempt.reason = strategy::kLastResort;
            if (attempt.outcome == evidence::AttemptOutcome::served)
                m_fleet.succeedsAt(after(record, attempt.endedMs), attempt.endedMs - attempt.startedMs, std::move(*permit));
            return;
        }
        const evidence::Attempt& last = record.attempts.back();
        record.outcome = evidence::Outcome::failed;
        record.status = last.status == 429 ? 429 : 502;
        record.errorCode = "upstream_" + last.reason;
        record.totalMs = clock;
    }

    /// The answer ended in the middle: the client has seen content, so nothing else may follow (F6), and it is told.
    static void breakOff(evidence::DecisionRecord& record, evidence::Attempt& attempt, capacity::AttemptPermit& permit,
                         capacity::RequestBlame& blame) {
        attempt.outcome = evidence::AttemptOutcome::failed;
        attempt.reason = streamBroken().code;
        attempt.endedMs = *attempt.firstContentMs + 0.4 * (attempt.endedMs - *attempt.firstContentMs);
        permit.failed(strategy::faultOf(streamBroken()), attempt.endedMs - attempt.startedMs, blame);
        record.outcome = evidence::Outcome::failed;
        record.errorCode = attempt.reason;
        record.whyNoFallback = toString(strategy::FallbackVerdict::contentSent);
        record.totalMs = attempt.endedMs;
        record.outputTokens.reset();  // they come with the end of a stream
        record.costUsd.reset();
    }

    void answer(evidence::DecisionRecord& record, const DemoFlow& flow, const policy::RouteTarget& target,
                evidence::Attempt& attempt, const config::GatewayConfig& config) {
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
        const auto tools = record.features.toolsOffered > 0 ? toolCalls(flow, endpoint) : dispatch::ToolOutcome();
        gateway::recordAnswer(record, config, target, usage, tools);
    }

    DemoPolicies m_policies;
    DemoStory m_story;
    DemoFleet m_fleet;
    FastRandom m_random;
    FastRandom m_eventRandom{kWeekSeed};  ///< its own, so that telling changes no request
    FastRandom m_toolRandom{kWeekSeed + 1};  ///< as well: what is called changes neither lengths nor latencies
    std::string m_running;
};

}  // namespace

std::size_t generateDemoWeek(const policy::PolicySnapshot& snapshot, Timestamp now,
                             const std::function<bool(const evidence::DecisionRecord&)>& write,
                             const std::atomic<bool>* cancelled, const std::function<void(const evidence::Event&)>& tell) {
    Generator generator(snapshot, now);
    if (tell) generator.tellTo(tell, now);
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

static std::filesystem::path demoMarkerIn(const std::filesystem::path& stateFolder) { return stateFolder / "demo-week-written"; }

bool hasDemoHistory(const std::filesystem::path& stateFolder) {
    std::error_code error;
    return std::filesystem::exists(demoMarkerIn(stateFolder), error);
}

Result<std::size_t> seedDemoHistory(const evidence::EvidenceOptions& options, const std::filesystem::path& stateFolder,
                                    const policy::PolicySnapshot& snapshot, const Clock& clock) {
    if (hasDemoHistory(stateFolder)) return std::size_t{0};
    const auto marker = demoMarkerIn(stateFolder);
    std::error_code error;
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
    auto events = (*store)->makeEventSink();
    if (!events) return tl::unexpected(events.error());
    return generateDemoWeek(snapshot, clock.now(), [&](const evidence::DecisionRecord& record) { return (*sink)->append(record); }, nullptr,
                            [&](const evidence::Event& event) { (*events)->append(event); });
}

}  // namespace signalbox::app
