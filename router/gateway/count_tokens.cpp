// SPDX-License-Identifier: MIT
#include "router/gateway/count_tokens.h"

#include "router/gateway/member_at_fault.h"
#include "router/gateway/planning.h"
#include "router/gateway/recording.h"
#include "router/gateway/refused_client.h"
#include "router/gateway/request_reading.h"
#include "router/gateway/upstream_request.h"
#include "router/policy/smart/sizes.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

/// Clients count before they send, so an upstream that takes its time is not waited for.
constexpr std::chrono::seconds kCountPatience{5};

class TokenCount {
public:
    TokenCount(ThreadState& thread, std::shared_ptr<const Serving> serving, Connection& connection,
               ResponseWriter& writer, CompletionRequest request)
        : m_thread(thread), m_serving(std::move(serving)), m_connection(connection), m_writer(writer),
          m_request(std::move(request)) {}

    asio::awaitable<void> run() {
        const std::string_view own = boundedRequestId(m_request.head.requestId);
        m_id = DecisionId::make(m_thread.shared.clock.now(), m_thread.random);
        m_requestId = own.empty() ? m_id.text() : std::string(own);
        m_writer.identify(m_requestId);
        auto answer = findTarget();
        bool written = false;
        if (!answer) {
            m_thread.shared.turnAway(answer.error(), {m_request.edge, clientOf(m_request.head, m_connection, &m_request.caller), m_requestId});
            m_request.place = {};
            written = co_await m_writer.send(answer.error());
        } else {
            std::optional<std::uint64_t> counted;
            if (answer->has_value())
                counted = co_await askUpstream(**answer);
            m_request.place = {};
            m_writer.addHeader("x-signalbox-token-count", counted ? "upstream" : "estimate");
            const std::string body = OrderedJson{{"input_tokens", counted ? *counted : estimate()}}.dump();
            written = co_await m_writer.send(200, "application/json", body);
        }
        if (!written)
            m_writer.closeAfter();
    }

private:
    using Target = std::optional<policy::RouteTarget>;

    /// The endpoint of an Anthropic upstream that a message would go to first; none where our estimate has to do.
    tl::expected<Target, EdgeError> findTarget() {
        auto read = readRequest(m_request.head, m_request.caller, classify::Dialect::anthropic, m_request.body);
        if (!read)
            return tl::unexpected(std::move(read.error()));
        m_classified = std::move(read->classified);
        const PrincipalLimits limits(*m_serving, m_request.caller, m_thread.shared.clock);
        const PlanAnswer answer = askPolicy({*m_serving, m_request.caller, limits, m_classified.features, m_request.body,
                                             read->wishes, m_requestId, m_thread.shared.clock.steady()});
        if (answer.plan) {
            // A count asked of the provider spends its credential: beyond the caller's limit our estimate has to do.
            // Without a group those before the last lack their key.
            const std::vector<policy::RouteTarget>& targets = answer.plan->targets;
            const Target target = reachable(answer.plan->group ? targets.front() : targets.back());
            return target && limits.admit() ? Target() : target;
        }
        if (isAnswered(answer))
            return Target();
        return tl::unexpected(planningError(answer, m_classified.features.dialect, m_request.body));
    }

    /// What a message could not be sent to now, or not with all that it says, can still be counted for.
    bool isAnswered(const PlanAnswer& answer) const {
        const Error& error = answer.plan.error();
        const classify::RequestFeatures& features = m_classified.features;
        const bool saysTooMuch = answer.refused || !features.peculiarities.empty() || features.stopSequences > 0;
        return error.kind == ErrorKind::unavailable ||
               (error.kind == ErrorKind::badInput && saysTooMuch && !m_classified.features.model.empty());
    }

    /// Its patience, and not beyond the request's own time (F44).
    Steady endsBy() const {
        const Steady patience = m_thread.shared.clock.steady() + kCountPatience;
        const auto& budget = m_serving->snapshot->config->server.requestBudget;
        return budget ? std::min(patience, m_request.arrived + *budget) : patience;
    }

    Target reachable(const policy::RouteTarget& target) const {
        const config::Provider* provider = m_serving->snapshot->config->findProvider(target.providerId);
        if (provider == nullptr || provider->protocol != config::Protocol::anthropic)
            return std::nullopt;
        const auto endpoint = m_serving->endpoints->of(target.providerId, target.endpointId());
        const bool rests = endpoint.circuit()->isCooling(m_thread.shared.clock.steady());
        return rests || !m_serving->adapters.contains(target.providerId) ? Target() : Target(target);
    }

    /// Nullopt when it gave no number.
    asio::awaitable<std::optional<std::uint64_t>> askUpstream(const policy::RouteTarget target) {
        dispatch::UpstreamRequest request =
            upstreamRequest({m_request.head, m_classified, m_request.body, m_request.upstreamPath, m_id},
                            *m_serving->snapshot->config, target);
        request.stream = false;
        request.endsBy = endsBy();
        m_connection.startWatching();
        auto answer = co_await m_serving->adapters.find(target.providerId)->second->call(std::move(request));
        std::optional<std::uint64_t> counted;
        if (answer) {
            auto chunk = co_await (*answer)->next();
            if (chunk && chunk->has_value())
                counted = numberIn((*chunk)->bytes);
        }
        m_connection.stopWatching();
        co_return counted;
    }

    static std::optional<std::uint64_t> numberIn(const std::string& body) {
        const auto root = OrderedJson::parse(body, nullptr, false);
        if (!root.is_object())
            return std::nullopt;
        const auto found = root.find("input_tokens");
        return found != root.end() && found->is_number_unsigned() ? std::optional(found->get<std::uint64_t>())
                                                                  : std::nullopt;
    }

    std::uint64_t estimate() const {
        return policy::smart::plannedInputTokens(m_classified.features,
                                                 policy::smart::chatSizes(m_request.body).sizes);
    }

    ThreadState& m_thread;
    std::shared_ptr<const Serving> m_serving;
    Connection& m_connection;
    ResponseWriter& m_writer;
    CompletionRequest m_request;
    classify::ClassifiedRequest m_classified;
    DecisionId m_id;
    std::string m_requestId;
};

} // namespace

asio::awaitable<void> serveCountTokens(ThreadState& thread, std::shared_ptr<const Serving> serving,
                                       Connection& connection, ResponseWriter& writer, CompletionRequest request) {
    TokenCount count(thread, std::move(serving), connection, writer, std::move(request));
    co_await count.run();
}

} // namespace signalbox::gateway
