// SPDX-License-Identifier: MIT
#include "router/upstream/simulated.h"

#include "router/base/random.h"
#include "router/upstream/failures.h"
#include "router/upstream/foreign_request.h"
#include "router/upstream/simulated_text.h"
#include "router/upstream/tool_calls.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::upstream {

namespace asio = boost::asio;
using dispatch::Chunk;
using dispatch::UpstreamFailure;
using Fault = config::SimulatedBehaviour::Fault;
using Kind = UpstreamFailure::Kind;
using Waited = tl::expected<void, UpstreamFailure>;

namespace {

constexpr std::uint64_t kBytesPerToken = 4;
constexpr std::chrono::seconds kSimulatedRetryAfter{2};

/// What is drawn for one request.
struct Plan {
    SimulatedText text;
    std::optional<Fault> fault;
    Steady start{};
    std::chrono::nanoseconds firstToken{};
    std::chrono::nanoseconds perToken{};
    std::chrono::milliseconds firstByteLimit{}, idleLimit{};
    std::string providerId;
    Steady endsBy = Steady::max();  ///< the request's budget

    [[nodiscard]] Steady tokenAt(std::uint32_t index) const { return start + firstToken + perToken * index; }
};

Plan makePlan(const config::Provider& provider, dispatch::UpstreamRequest& request) {
    const config::SimulatedBehaviour& behaviour = provider.simulated;
    Plan plan;
    plan.providerId = provider.id;
    plan.firstByteLimit = provider.firstByteTimeout;
    plan.idleLimit = provider.streamIdleTimeout;
    plan.firstToken = behaviour.firstTokenDelay;
    if (behaviour.tokensPerSecond > 0)
        plan.perToken = std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 / behaviour.tokensPerSecond));

    SimulatedText& text = plan.text;
    text.kind = simulatedKindOf(request.path);
    text.id = request.decisionId;
    text.model = request.model;
    text.inputTokens = request.inputTokens != 0 ? request.inputTokens : request.body.size() / kBytesPerToken;
    text.options = readSimulatedOptions(std::move(request.body));
    text.measure(behaviour.outputTokens);
    FastRandom random(behaviour.seed ^ simulatedHash(request.decisionId.text()));
    if (random.unit() < behaviour.faultRate) plan.fault = behaviour.fault;
    text.seed = random.next();
    plan.start = std::chrono::steady_clock::now();
    plan.endsBy = request.endsBy.value_or(Steady::max());
    return plan;
}

UpstreamFailure simulatedFailure(const Plan& plan, Kind kind, int status, std::string code) {
    UpstreamFailure failure = makeFailure(kind, std::move(code),
                                          "Provider " + plan.providerId + " simulates this fault, as configured");
    failure.status = status;
    if (kind == Kind::status) failure.headStatus = status;
    if (kind == Kind::errorFrame) failure.headStatus = 200;
    return failure;
}

asio::awaitable<Waited> waitUntil(const Plan& plan, Steady at) {
    asio::steady_timer timer(co_await asio::this_coro::executor, std::min(at, plan.endsBy));
    auto [error] = co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
    if (error) co_return tl::unexpected(makeFailure(Kind::cancelled, "cancelled", "The call was given up"));
    if (plan.endsBy < at)
        co_return tl::unexpected(makeFailure(Kind::timeout, std::string(dispatch::kRequestBudget),
                                             "Provider " + plan.providerId + " was not done when the request's time was over"));
    co_return Waited{};
}

/// Both kinds of answer: a list of frames, each at its time.
class SimulatedAnswer final : public dispatch::ResponseStream {
public:
    SimulatedAnswer(Plan plan, bool stream, std::shared_ptr<const dispatch::OfferedTools> offered)
        : m_plan(std::move(plan)), m_stream(stream), m_tools(std::move(offered)) {
        m_head.simulated = true;
        m_head.contentType = stream ? "text/event-stream" : "application/json";
    }

    [[nodiscard]] const dispatch::ResponseHead& head() const override { return m_head; }
    [[nodiscard]] dispatch::Usage usage() const override { return m_usage; }
    [[nodiscard]] std::uint32_t toolCalls() const override { return m_tools.count(); }
    [[nodiscard]] dispatch::ToolOutcome toolOutcome() const override { return m_tools.outcome(); }

    [[nodiscard]] asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() override {
        const std::uint32_t step = m_step++;
        if (!m_stream) co_return step == 0 ? std::optional(Chunk{Chunk::Kind::body, wholeBody()}) : std::nullopt;
        const std::uint32_t tokens = m_plan.text.outputTokens;
        // Frames: role, tokens, finish, usage, done.
        if (step == 0) co_return Chunk{Chunk::Kind::metadata, m_plan.text.roleFrame()};
        const std::uint32_t token = step - 1;
        if (m_plan.fault && token >= tokens / 2) co_return tl::unexpected(co_await breakOff());
        if (token < tokens) {
            Waited waited = co_await waitUntil(m_plan, m_plan.tokenAt(token));
            if (!waited) co_return tl::unexpected(std::move(waited.error()));
            co_return Chunk{Chunk::Kind::content, m_plan.text.tokenFrame(token)};
        }
        if (token == tokens) {
            countCall();
            co_return Chunk{Chunk::Kind::metadata, m_plan.text.finishFrame()};
        }
        if (token == tokens + 1) {
            m_usage = m_plan.text.usage();
            co_return Chunk{Chunk::Kind::usage, m_plan.text.usageFrame()};
        }
        if (token == tokens + 2) co_return Chunk{Chunk::Kind::done, "data: [DONE]\n\n"};
        co_return std::nullopt;
    }

private:
    std::string wholeBody() {
        m_usage = m_plan.text.usage();
        countCall();
        return m_plan.text.whole();
    }

    void countCall() {
        const SimulatedDemand* call = m_plan.text.call();
        if (call == nullptr) return;
        m_tools.saw({}, call->tool);
        if (call->freeText) m_tools.setUnreadable({});
        else m_tools.setWhole({}, call->text);
        m_tools.finishAll();
    }

    asio::awaitable<UpstreamFailure> breakOff() {
        if (*m_plan.fault != Fault::stall) co_return afterHead(simulatedFailure(m_plan, Kind::disconnected, 0, "disconnected"));
        Waited waited = co_await waitUntil(m_plan, std::chrono::steady_clock::now() + m_plan.idleLimit);
        if (!waited) co_return afterHead(std::move(waited.error()));
        co_return afterHead(simulatedFailure(m_plan, Kind::timeout, 0, "timeout_stream_idle"));
    }

    UpstreamFailure afterHead(UpstreamFailure failure) const {
        failure.headStatus = m_head.status;
        return failure;
    }

    Plan m_plan;
    bool m_stream;
    dispatch::ResponseHead m_head;
    dispatch::Usage m_usage;
    ToolCalls m_tools;
    std::uint32_t m_step = 0;
};

/// The faults that show before the head; the others need a stream to break off in.
std::optional<UpstreamFailure> earlyFault(const Plan& plan, bool stream) {
    if (!plan.fault) return std::nullopt;
    switch (*plan.fault) {
    case Fault::status500: return simulatedFailure(plan, Kind::status, 500, "status_500");
    case Fault::status429: {
        UpstreamFailure failure = simulatedFailure(plan, Kind::status, 429, "status_429");
        failure.retryAfter = kSimulatedRetryAfter;
        return failure;
    }
    case Fault::errorFrame: return simulatedFailure(plan, Kind::errorFrame, 503, "error_frame_503");
    case Fault::disconnect:
        if (!stream) return simulatedFailure(plan, Kind::disconnected, 0, "disconnected");
        return std::nullopt;
    case Fault::stall:
        if (!stream) return simulatedFailure(plan, Kind::timeout, 0, "timeout_first_byte");
        return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

Simulated::Simulated(const config::Provider& provider) : m_provider(provider) {}

asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, UpstreamFailure>>
Simulated::call(dispatch::UpstreamRequest request) {
    if (request.dialect == classify::Dialect::openai) co_return co_await simulate(std::move(request));
    if (anthropicPath(request.path) != kMessagesPath) co_return tl::unexpected(noSuchOperation(providerId(), request.path));
    // It answers whatever is said, so that only the answer needs translation.
    const ForeignRequest foreign(request, providerId());
    ForeignRequest::become(request, classify::Dialect::openai, kChatPath, std::move(request.body));
    auto answer = co_await simulate(std::move(request));
    co_return foreign.answered(std::move(answer));
}

asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, UpstreamFailure>>
Simulated::simulate(dispatch::UpstreamRequest request) {
    auto offered = std::move(request.tools);
    Plan plan = makePlan(m_provider, request);
    const bool stream = request.stream && plan.text.kind != SimulatedKind::embedding;
    const std::uint32_t spoken = stream || plan.text.kind == SimulatedKind::embedding ? 0 : plan.text.outputTokens;
    Steady ready = plan.tokenAt(spoken);
    const Steady latest = plan.start + plan.firstByteLimit;
    const bool stalls = plan.fault == Fault::stall && !stream;
    if (stalls || ready > latest) ready = latest;
    Waited waited = co_await waitUntil(plan, ready);
    if (!waited) co_return tl::unexpected(std::move(waited.error()));
    if (auto fault = earlyFault(plan, stream)) co_return tl::unexpected(std::move(*fault));
    if (plan.tokenAt(spoken) > latest)
        co_return tl::unexpected(makeFailure(Kind::timeout, "timeout_first_byte",
                                             "Provider " + m_provider.id + " simulates an answer slower than its limit"));
    co_return std::make_unique<SimulatedAnswer>(std::move(plan), stream, std::move(offered));
}

}  // namespace signalbox::upstream
