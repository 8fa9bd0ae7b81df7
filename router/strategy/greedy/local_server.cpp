// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/local_server.h"

#include "router/strategy/admission/admit.h"
#include "router/strategy/admission/local_model.h"
#include "router/strategy/admission/validate.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cmath>

namespace signalbox::strategy {

namespace asio = boost::asio;

namespace {

/// The slots that a route names stand for the server whose slots they are; without any, the endpoint stands for itself.
std::string serverOf(const PoolMember& member, const config::GatewayConfig& config) {
    for (const std::string& name : member.route.resources) {
        const config::Resource* resource = config.findResource(name);
        if (resource != nullptr && resource->kind == config::Resource::Kind::concurrency) return "resource " + name;
    }
    return "endpoint " + member.id;
}

std::int64_t bounded(double tokens) {
    return static_cast<std::int64_t>(std::clamp(tokens, 0.0, static_cast<double>(admission::kMostTokens)));
}

std::int64_t bounded(std::int64_t tokens) { return std::min(tokens, admission::kMostTokens); }

LocalServer::Judgement judgementOf(const admission::Decision& decision) {
    return {decision.selected, decision.reason, decision.predictedTtftS, decision.predictedTpotS, {}};
}

/// Values are bounded before they come here, so that there is nothing to find fault with; if there were, nothing may be
/// admitted by it.
LocalServer::Judgement unusable() { return {false, admission::Reason::tokenCapacity, {}, {}, {}}; }

Steady::duration patienceOf(std::chrono::duration<double> mostWait, const dispatch::RequestRun& run, Steady now) {
    const auto most = std::chrono::duration_cast<Steady::duration>(mostWait);
    return run.endsBy ? std::min(most, *run.endsBy - now) : most;
}

/// Adds the time of one wait to a request's, also when the wait is broken off.
class QueueTime {
public:
    QueueTime(const Clock& clock, Steady began, double* sumMs) : m_clock(clock), m_began(began), m_sumMs(sumMs) {}
    ~QueueTime() {
        if (m_sumMs != nullptr) *m_sumMs += std::chrono::duration<double, std::milli>(m_clock.steady() - m_began).count();
    }
    QueueTime(const QueueTime&) = delete;
    QueueTime& operator=(const QueueTime&) = delete;

private:
    const Clock& m_clock;
    Steady m_began;
    double* m_sumMs;
};

}  // namespace

double admissionSeconds(Steady at) { return std::chrono::duration<double>(at.time_since_epoch()).count(); }

/// One request in the queue. The timer is touched on its own executor only; what is granted, under the server's lock.
struct LocalServer::Waiting {
    Waiting(admission::Request asked, asio::any_io_executor on) : request(std::move(asked)), timer(std::move(on)) {}
    admission::Request request;
    asio::steady_timer timer;
    Judgement judgement;
};

/// A request's place in the queue, given up on every way out.
class LocalServer::Place {
public:
    Place(LocalServer& server, std::shared_ptr<Waiting> waiting) : m_server(server), m_waiting(std::move(waiting)) {
        const std::lock_guard lock(m_server.m_mutex);
        m_server.m_waiting.push_back(m_waiting);
        m_server.serveQueue();
    }
    ~Place() {
        const std::lock_guard lock(m_server.m_mutex);
        std::erase(m_server.m_waiting, m_waiting);
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    /// As the queue was served last; a hold moves out with it.
    [[nodiscard]] Judgement judgement() const {
        const std::lock_guard lock(m_server.m_mutex);
        return std::move(m_waiting->judgement);
    }
    /// Time passed, and load shrinks with time.
    [[nodiscard]] Judgement afterAnotherLook() const {
        const std::lock_guard lock(m_server.m_mutex);
        if (!m_waiting->judgement.admitted) m_server.serveQueue();
        return std::move(m_waiting->judgement);
    }

private:
    LocalServer& m_server;
    std::shared_ptr<Waiting> m_waiting;
};

std::shared_ptr<LocalServer> LocalServer::make(PoolMember member, const GreedyParameters& parameters,
                                               const RouterContext& context) {
    const std::shared_ptr<LocalServer> out(new LocalServer(std::move(member), parameters, context));
    out->m_ledger->watch(out);
    return out;
}

LocalServer::LocalServer(PoolMember member, const GreedyParameters& parameters, const RouterContext& context)
    : m_member(std::move(member)), m_profile(parameters.profile), m_policy(parameters.policy), m_maxWait(parameters.maxWaitS),
      m_clock(context.clock), m_ledger(context.process->locals.of(serverOf(m_member, context.config))),
      m_engine(context.process->engines.of(m_member.route.provider)) {}

// Our own requests are in the engine's numbers with everybody else's: the larger count, never the sum.
admission::Load LocalServer::loadOf(const capacity::LocalLoad& ours, Steady now) const {
    admission::Load out{ours.runningRequests, bounded(ours.reservedTokens), bounded(ours.remainingPrefillTokens),
                        bounded(ours.remainingDecodeTokens)};
    const auto live = m_engine->liveLoad(m_member.route.model, now);
    if (!live) return out;
    const double running = static_cast<double>(live->running.value_or(0)) + static_cast<double>(live->waiting.value_or(0));
    out.runningRequests = std::max(out.runningRequests, bounded(running));
    const double held = std::ceil(live->kvUsed.value_or(0) * static_cast<double>(m_profile.maxReservedTokens));
    out.reservedTokens = std::max(out.reservedTokens, bounded(held));
    return out;
}

LocalServer::Judgement LocalServer::ask(const admission::Request& request, Steady now) const {
    const auto admission = admission::admit(m_policy, m_profile, loadOf(m_ledger->load(now), now), std::span(&request, 1),
                                            admissionSeconds(now));
    return admission ? judgementOf(admission->decisions.front()) : unusable();
}

LocalServer::Judgement LocalServer::take(const admission::Request& request, Steady now) {
    return std::move(judge(std::span(&request, 1), now).front());
}

std::vector<LocalServer::Judgement> LocalServer::judge(std::span<const admission::Request> requests, Steady now) {
    std::vector<Judgement> out(requests.size());
    std::vector<std::size_t> selected;
    std::vector<capacity::LocalHold> holds = m_ledger->take(now, [&](const capacity::LocalLoad& ours) {
        std::vector<capacity::LocalDemand> demands;
        const auto admission = admission::admit(m_policy, m_profile, loadOf(ours, now), requests, admissionSeconds(now));
        if (!admission) {
            for (Judgement& one : out) one = unusable();
            return demands;
        }
        for (const admission::Decision& decision : admission->decisions) out[decision.request] = judgementOf(decision);
        selected = admission->selected;
        for (const std::size_t position : selected) {
            const admission::Request& request = requests[position];
            demands.push_back({admission::LocalModel::reservedTokens(request), request.uncachedPrefillTokens,
                               request.estimatedOutputTokens, m_profile.decodeTokensPerS});
        }
        return demands;
    });
    for (std::size_t i = 0; i < selected.size(); ++i) out[selected[i]].hold = std::move(holds[i]);
    return out;
}

bool LocalServer::mayFitLater(const admission::Request& request, Steady now) const {
    return m_policy != admission::Policy::allApi &&
           !admission::LocalModel(m_profile, admissionSeconds(now)).refusal({}, request);
}

asio::awaitable<LocalServer::Judgement> LocalServer::takeInTime(admission::Request request, const dispatch::RequestRun& run) {
    const Steady began = m_clock.steady();
    const auto patience = patienceOf(m_maxWait, run, began);
    if (patience.count() <= 0 || !mayFitLater(request, began)) co_return take(request, began);
    const std::shared_ptr<LocalServer> self = shared_from_this();
    const auto executor = co_await asio::this_coro::executor;
    const auto waiting = std::make_shared<Waiting>(request, executor);
    // In the same turn as the wait begins: what is granted meanwhile is told by a later turn of this executor.
    waiting->timer.expires_after(patience);
    const Place place(*this, waiting);
    Judgement atOnce = place.judgement();
    if (atOnce.admitted) co_return atOnce;
    const QueueTime queued(m_clock, began, run.queueMs);
    co_await waiting->timer.async_wait(asio::as_tuple(asio::use_awaitable));
    const auto cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none)
        throw boost::system::system_error(asio::error::operation_aborted);
    co_return place.afterAnotherLook();
}

void LocalServer::serveQueue() {
    if (m_waiting.empty()) return;
    std::vector<admission::Request> requests;
    for (const auto& waiting : m_waiting) requests.push_back(waiting->request);
    std::vector<Judgement> judged = judge(requests, m_clock.steady());
    auto at = m_waiting.begin();
    for (Judgement& judgement : judged) {
        const std::shared_ptr<Waiting>& waiting = *at;
        waiting->judgement = std::move(judgement);
        if (!waiting->judgement.admitted) {
            ++at;
            continue;
        }
        asio::post(waiting->timer.get_executor(), [told = std::weak_ptr(waiting)] {
            if (const auto alive = told.lock()) alive->timer.cancel();
        });
        at = m_waiting.erase(at);
    }
}

void LocalServer::mayHaveRoom() {
    const std::lock_guard lock(m_mutex);
    serveQueue();
}

LocalServer::State LocalServer::state(Steady now) const {
    State out;
    out.load = loadOf(m_ledger->load(now), now);
    out.usesEngineMetrics = m_engine->liveLoad(m_member.route.model, now).has_value();
    const std::lock_guard lock(m_mutex);
    out.waiting = m_waiting.size();
    return out;
}

}  // namespace signalbox::strategy
