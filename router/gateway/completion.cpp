// SPDX-License-Identifier: MIT
#include "router/gateway/completion.h"

#include "router/gateway/failed_candidates.h"
#include "router/gateway/group_recording.h"
#include "router/gateway/heartbeat.h"
#include "router/gateway/member_at_fault.h"
#include "router/gateway/offered_tools.h"
#include "router/gateway/planning.h"
#include "router/gateway/recording.h"
#include "router/gateway/refused_client.h"
#include "router/gateway/request_reading.h"
#include "router/gateway/upstream_request.h"
#include "router/policy/permissions.h"
#include "router/upstream/failures.h"

#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

namespace signalbox::gateway {

namespace {

using dispatch::Chunk;
using evidence::Outcome;

constexpr int kClientGoneStatus = 499;

/// Whatever is ready on this thread goes first. Requests that came together so go step by step together, as a cohort: they are
/// all read before the first is decided, and all decided before the first call goes out, so that calls leave close to one
/// another. On an idle thread the first goes ahead at once, and this is true of those behind it. Costs a fifth less processor
/// time under load (tests/bench/RESULTS.md).
[[nodiscard]] auto letOthersRun(Connection& connection) { return asio::post(connection.executor(), asio::deferred); }

/// What belongs to one request while it runs.
class Exchange {
public:
    Exchange(ThreadState& thread, std::shared_ptr<const Serving> serving, Connection& connection,
             ResponseWriter& writer, CompletionRequest request)
        : m_thread(thread), m_shared(thread.shared), m_serving(std::move(serving)), m_connection(connection),
          m_writer(writer), m_request(std::move(request)),
          m_limits(*m_serving, m_request.caller, thread.shared.clock) {
        if (const auto& budget = m_serving->snapshot->config->server.requestBudget)
            m_endsBy = m_request.arrived + *budget;
        if (m_endsBy)
            m_writer.endBy(*m_endsBy);
    }

    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// Also the way out when the client left in the middle of a wait, or when something threw.
    ~Exchange() {
        if (m_tools)
            m_tools->forget();
        if (!m_admission || m_admission->isFinished())
            return;
        if (m_answer)
            completeRecord();
        m_answer.reset();
        if (m_connection.clientLeft()) {
            m_admission->finish(Outcome::cancelled, kClientGoneStatus, cancelCode());
        } else {
            m_admission->finish(Outcome::failed, 500, "internal_error");
        }
    }

    asio::awaitable<void> run() {
        const Steady arrived = m_shared.clock.steady();
        Steady begun = arrived;
        if (m_thread.underWay > 0) {
            co_await letOthersRun(m_connection);
            begun = m_shared.clock.steady();
        }
        auto refusal = admit(arrived);
        if (!refusal)
            refusal = decide(arrived, begun);
        if (refusal) {
            m_request.place = {};
            if (m_admission)
                m_shared.refuse(*refusal, m_request.edge, client());
            else
                turnAway(*refusal);
            co_await sendError(*refusal);
            co_return;
        }
        if (m_thread.underWay > 1)
            co_await letOthersRun(m_connection);
        m_connection.startWatching();
        startHeartbeat();
        const bool routed = co_await dispatchRequest();
        if (routed)
            co_await relay();
        m_connection.stopWatching();
    }

private:
    /// Nothing is recorded before it succeeds; what is refused here is only counted.
    std::optional<EdgeError> admit(Steady arrived) {
        if (auto refused = m_limits.admit())
            return refused;
        auto read = readRequest(m_request.head, m_request.caller, dialectOf(m_request.edge), m_request.body);
        if (!read)
            return std::move(read.error());
        m_wishes = std::move(read->wishes);
        m_classified = std::move(read->classified);
        m_admission.emplace(m_thread, m_serving, std::move(m_request.place), arrived);
        m_admission->charge(m_limits.account());
        describeRequest();
        return std::nullopt;
    }

    void describeRequest() {
        countInFlight();
        evidence::DecisionRecord& record = m_admission->record();
        record.clientRequestId = boundedRequestId(m_request.head.requestId);
        record.principal = m_request.caller.id;
        record.team = m_request.caller.team;
        record.edge = m_request.edge;
        record.requestedModel = m_classified.features.model;
        record.features = m_classified.features;
        m_decisionId = record.id.text();
        m_writer.identify(requestId());
        m_writer.addHeader("x-signalbox-decision-id", m_decisionId);
    }

    /// The client's own, else the decision's.
    std::string_view requestId() {
        const evidence::DecisionRecord& record = m_admission->record();
        return record.clientRequestId.empty() ? m_decisionId : record.clientRequestId;
    }

    /// The body is read once, before the model and so the family is known; the number joins the features
    /// here.
    void countInFlight() {
        const auto key = policy::concurrencyKey(*m_serving->snapshot, m_classified.features.model);
        if (!key)
            return;
        auto guard = m_shared.inFlight.enter(*key);
        m_classified.features.inFlight = guard.number();
        m_classified.features.cell.concurrency =
            guard.number() >= 2 ? table::ConcurrencyMode::multiConc : table::ConcurrencyMode::singleStream;
        m_admission->hold(std::move(guard));
    }

    /// `begun` is when its own work began, which others on the thread may have preceded.
    std::optional<EdgeError> decide(Steady arrived, Steady begun) {
        evidence::DecisionRecord& record = m_admission->record();
        if (auto exhausted = m_limits.checkBudget())
            return refuse(std::move(*exhausted));
        PlanAnswer answer = askPolicy({*m_serving, m_request.caller, m_limits, m_classified.features, m_request.body,
                                       m_wishes, requestId(), arrived});
        record.decideUs =
            std::chrono::duration<double, std::micro>(m_shared.clock.steady() - begun).count();
        if (answer.degraded)
            m_shared.metrics.planningFailed();
        if (!answer.plan) {
            if (answer.refused)
                record.group = recordedRefusal(*m_serving->snapshot, *answer.refused);
            const bool forBudget = answer.overBudget && answer.plan.error().kind == ErrorKind::denied;
            return refuse(forBudget ? m_limits.budgetError() : planningError(answer, m_classified.features.dialect, m_request.body));
        }
        m_plan = std::move(*answer.plan);
        m_poolInputs = std::move(answer.pool);
        m_admission->decided(m_plan);
        recordPlan(record, *m_serving->snapshot, m_plan);
        m_writer.addHeader("x-signalbox-coverage", policy::toString(m_plan.coverage));
        noteSoftBudget();
        return std::nullopt;
    }

    EdgeError refuse(EdgeError error) {
        // A name that is nobody's may be a key in the wrong place.
        if (error.status == 404)
            m_admission->record().requestedModel = upstream::redacted(m_admission->record().requestedModel, {});
        m_admission->finish(Outcome::refused, error.status, error.code);
        return error;
    }

    void noteSoftBudget() {
        if (!m_limits.isOverSoft())
            return;
        m_writer.addHeader("x-signalbox-budget", "soft");
        m_thread.metrics.softBudget(m_request.caller.id);
    }

    dispatch::UpstreamRequest requestTo(const policy::RouteTarget& target) {
        auto out = upstreamRequest({m_request.head, m_classified, m_request.body, m_request.upstreamPath,
                                    m_admission->record().id},
                                   *m_serving->snapshot->config, target);
        out.tools = offeredTools();
        return out;
    }

    /// Looks into the client's own body, whatever was spliced into or translated from it.
    std::shared_ptr<const dispatch::OfferedTools> offeredTools() {
        const classify::RequestFeatures& features = m_classified.features;
        const bool offers = features.toolsOffered > 0 || features.functionsOffered > 0;
        if (offers && !m_tools)
            m_tools = std::make_shared<BodyTools>(m_request.body);
        return m_tools;
    }

    void describeToPool(strategy::RouteCall& call) {
        call.pool = &m_admission->record().pool;
        call.promptTokens = m_poolInputs->promptTokens;
        call.maxTokens = m_classified.features.outputCap;
        call.needs = m_poolInputs->needs;
        call.session = m_poolInputs->session;
        if (const config::Principal* principal = m_limits.principal())
            call.mayUse = [principal](const policy::RouteTarget& target) {
                return policy::Permissions(principal).allowsProvider(target.providerId);
            };
    }

    /// Only where the answer is a stream, too.
    void startHeartbeat() {
        std::optional<std::chrono::milliseconds> interval;
        if (m_classified.features.stream && !m_classified.features.peculiarities.contains(classify::Peculiarity::embeddings))
            interval = m_serving->snapshot->config->server.heartbeat;
        m_heartbeat.emplace(m_connection, m_writer, m_request.edge, interval);
    }

    asio::awaitable<bool> dispatchRequest() {
        strategy::RouteCall call;
        call.plan = &m_plan;
        call.makeRequest = [this](const policy::RouteTarget& target) { return requestTo(target); };
        call.mayTry = [this](const policy::RouteTarget& target) {
            return m_limits.checkAttempt(target, m_classified.features);
        };
        call.attempts = &m_admission->record().attempts;
        call.whyNoFallback = &m_admission->record().whyNoFallback;
        call.admittedAt = m_admission->admittedAt();
        call.random = &m_thread.random;
        call.endsBy = m_endsBy;
        call.queueMs = &m_admission->record().queueMs;
        if (m_poolInputs)
            describeToPool(call);
        m_heartbeat->resume();
        auto answer = co_await m_serving->router->route(std::move(call));
        if (m_heartbeat->isOn())
            co_await m_heartbeat->pause();
        if (!answer) {
            co_await fail(answer.error());
            co_return false;
        }
        m_answer = std::move(*answer);
        m_admission->upstreamAnswered(m_answer->firstByteMs());
        m_admission->record().simulated = m_answer->head().simulated;
        addRouteHeaders();
        co_return true;
    }

    void addRouteHeaders() {
        const policy::RouteTarget& target = m_answer->target();
        m_writer.addHeader("x-signalbox-route", headerSafe(m_answer->endpointId()));
        if (target.presetKey)
            m_writer.addHeader("x-signalbox-preset", headerSafe(*target.presetKey));
        if (m_answer->head().simulated)
            m_writer.addHeader("x-signalbox-simulated", "true");
        if (m_answer->isLastResort())
            m_writer.addHeader("x-signalbox-last-resort", "cooling");
        if (!m_answer->head().leftOut.empty())
            m_writer.addHeader("x-signalbox-left-out", m_answer->head().leftOut);
    }

    asio::awaitable<void> relay() {
        std::string last; // a whole body, or `[DONE]`: waits for the record
        bool whole = !m_classified.features.stream;
        for (;;) {
            m_heartbeat->resume();
            auto next = co_await m_answer->next();
            if (m_heartbeat->isOn())
                co_await m_heartbeat->pause();
            if (!next) {
                co_await fail(next.error());
                co_return;
            }
            if (!next->has_value())
                break;
            Chunk chunk = std::move(**next);
            noteContent(chunk);
            if (chunk.kind == Chunk::Kind::body) { // it is all there is
                whole = true;
                last = std::move(chunk.bytes);
                break;
            }
            if (chunk.kind == Chunk::Kind::usage && !wantsUsage())
                continue;
            if (whole || chunk.kind == Chunk::Kind::done) {
                last += chunk.bytes;
                continue;
            }
            m_writer.startEvents();
            const bool written = co_await m_writer.event(chunk.bytes);
            if (!written) {
                clientGone();
                co_return;
            }
        }
        if (whole && m_writer.headSent()) {
            co_await fail(notAStream());
            co_return;
        }
        completeRecord();
        if (m_admission->finishServed(m_answer->head().status, m_connection.executor()))
            co_await m_thread.commits.wait();
        const bool written = co_await sendLast(whole, last);
        if (!written)
            m_writer.closeAfter();
    }

    /// F10; on the Anthropic edge it belongs to the answer.
    bool wantsUsage() const {
        return m_request.edge == Edge::anthropic || m_classified.features.includeUsage;
    }

    asio::awaitable<bool> sendLast(bool whole, const std::string& last) {
        if (whole)
            return sendWhole(last);
        m_writer.startEvents();
        return m_writer.finishEvents(std::string_view(last));
    }

    /// A heartbeat has promised one already.
    static dispatch::UpstreamFailure notAStream() {
        dispatch::UpstreamFailure failure;
        failure.kind = dispatch::UpstreamFailure::Kind::protocol;
        failure.code = "not_a_stream";
        failure.message = "The upstream answered a request for a stream with a whole body";
        return failure;
    }

    asio::awaitable<bool> sendWhole(const std::string& body) {
        const dispatch::ResponseHead head = m_answer->head();
        const std::string type = head.contentType.empty() ? "application/json" : head.contentType;
        return m_writer.send(head.status, type, body);
    }

    void noteContent(const Chunk& chunk) {
        const bool content = chunk.kind == Chunk::Kind::content || chunk.kind == Chunk::Kind::body;
        auto& first = m_admission->record().firstContentMs;
        if (content && !first)
            first = m_admission->elapsedMs();
    }

    void completeRecord() {
        recordAnswer(m_admission->record(), *m_serving->snapshot->config, m_answer->target(),
                     m_answer->usage(), m_answer->toolOutcome());
    }

    void clientGone() {
        completeRecord();
        m_answer.reset();
        // A client that takes the answer too slowly uses the budget up, too.
        const bool tooSlow = m_endsBy && !m_connection.clientLeft() && m_shared.clock.steady() >= *m_endsBy;
        if (tooSlow)
            m_admission->finish(Outcome::failed, 504, std::string(dispatch::kRequestBudget));
        else
            m_admission->finish(Outcome::cancelled, kClientGoneStatus, cancelCode());
        m_writer.closeAfter();
    }

    std::string cancelCode() const { return m_connection.aborted() ? "gateway_stopped" : "client_gone"; }

    /// Before the head is out it is an HTTP error; after it, an event of the stream and then the end (F6).
    asio::awaitable<void> fail(const dispatch::UpstreamFailure failure) {
        EdgeError error = attemptError(failure, m_classified.features.dialect, m_request.body);
        const bool midway = m_answer != nullptr;
        if (!midway) {
            nameCandidates(error, m_admission->record().attempts);
            addFailedRoute();
        }
        if (midway)
            completeRecord();
        m_answer.reset();
        const bool cancelled =
            m_connection.clientLeft() || failure.kind == dispatch::UpstreamFailure::Kind::cancelled;
        const bool refused =
            failure.kind == dispatch::UpstreamFailure::Kind::refused && !failure.ranOutOfBudget();
        const std::string& code = failure.code.empty() ? error.code : failure.code;
        if (cancelled) {
            m_admission->finish(Outcome::cancelled, kClientGoneStatus, cancelCode());
            m_writer.closeAfter();
            co_return;
        }
        if (midway)
            m_admission->record().whyNoFallback = toString(strategy::FallbackVerdict::contentSent);
        m_admission->finish(refused ? Outcome::refused : Outcome::failed, error.status, code);
        if (refused)
            m_shared.refuse(error, m_request.edge, client());
        co_await sendError(error);
    }

    /// Where one alone came to nothing; the message names several.
    void addFailedRoute() {
        const auto& attempts = m_admission->record().attempts;
        if (attempts.size() == 1 && !attempts.front().endpointId.empty() && !m_writer.headSent())
            m_writer.addHeader("x-signalbox-route", headerSafe(attempts.front().endpointId));
    }

    asio::awaitable<void> sendError(const EdgeError error) {
        bool written = false;
        // The last chunk ends the body, so that the connection can be used again: a close that the head did not announce
        // meets the next request of a client that pools its connections.
        if (m_writer.headSent()) {
            written = co_await m_writer.finishEvents(error);
        } else {
            written = co_await m_writer.send(error);
        }
        if (!written)
            m_writer.closeAfter();
    }

    /// What was not admitted has no record: the log names the id that its client is given.
    void turnAway(const EdgeError& error) {
        std::string id = requestIdOrNew();
        m_writer.identify(id);
        m_shared.turnAway(error, {m_request.edge, client(), std::move(id)});
    }

    RefusedClient client() const { return clientOf(m_request.head, m_connection, &m_request.caller); }

    std::string requestIdOrNew() {
        const std::string_view own = boundedRequestId(m_request.head.requestId);
        return own.empty() ? DecisionId::make(m_shared.clock.now(), m_thread.random).text()
                           : std::string(own);
    }

    ThreadState& m_thread;
    SharedState& m_shared;
    std::shared_ptr<const Serving> m_serving;
    Connection& m_connection;
    ResponseWriter& m_writer;
    CompletionRequest m_request;
    PrincipalLimits m_limits;
    classify::ClassifiedRequest m_classified;
    RoutingWishes m_wishes;
    policy::RoutePlan m_plan;
    std::optional<PoolInputs> m_poolInputs;
    std::optional<Admission> m_admission;
    std::string m_decisionId; ///< as text
    std::unique_ptr<strategy::RoutedAnswer> m_answer;
    std::optional<Heartbeat> m_heartbeat; ///< while upstreams are waited for
    std::shared_ptr<BodyTools> m_tools; ///< reads m_request.body while the answer lasts
    std::optional<Steady> m_endsBy; ///< when the request's budget is used up
};

} // namespace

asio::awaitable<void> serveCompletion(ThreadState& thread, std::shared_ptr<const Serving> serving,
                                      Connection& connection, ResponseWriter& writer,
                                      CompletionRequest request) {
    Exchange exchange(thread, std::move(serving), connection, writer, std::move(request));
    co_await exchange.run();
}

} // namespace signalbox::gateway
