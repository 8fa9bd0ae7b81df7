// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/probes.h"

#include "router/strategy/attempt.h"
#include "router/strategy/race.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace signalbox::strategy::routewise {

namespace asio = dispatch::asio;
using dispatch::AnswerResult;
using dispatch::UpstreamFailure;

namespace {

constexpr std::string_view kProbeTimeout = "probe_timeout";

/// One token, streamed, so that its first content is what a stream's would be.
dispatch::UpstreamRequest requestFor(const policy::RouteTarget& target, config::TokensField field) {
    OrderedJson body;
    body["model"] = target.model;
    body["messages"] = OrderedJson::array({{{"role", "user"}, {"content", "ping"}}});
    if (field != config::TokensField::maxCompletionTokens) body["max_tokens"] = 1;
    if (field == config::TokensField::maxCompletionTokens || field == config::TokensField::both) body["max_completion_tokens"] = 1;
    body["stream"] = true;
    dispatch::UpstreamRequest out;
    out.path = "/chat/completions";
    out.body = body.dump();
    out.model = target.model;
    out.stream = true;
    out.inputTokens = 1;
    return out;
}

AnswerResult timedOut() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::timeout;
    failure.code = kProbeTimeout;
    failure.message = "The probe had no answer within its time";
    return tl::unexpected(std::move(failure));
}

asio::awaitable<AnswerResult> wholeAnswer(ReadyAttempt ready, const dispatch::RequestRun& run) {
    AnswerResult answer = co_await sendAttempt(std::move(ready), run);
    while (answer) {
        auto chunk = co_await (*answer)->next();
        if (!chunk) answer = tl::unexpected(std::move(chunk.error()));
        else if (!*chunk) break;
    }
    co_return answer;
}

asio::awaitable<AnswerResult> alarm(Waiter& waiter, Steady when) {
    co_await waiter.until(when);
    co_return timedOut();
}

/// However the coroutine ends.
class AtEnd {
public:
    explicit AtEnd(std::function<void()> what) : m_what(std::move(what)) {}
    ~AtEnd() { m_what(); }
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;

private:
    std::function<void()> m_what;
};

}  // namespace

Probes::Probes(std::shared_ptr<const Pool> pool) : m_pool(std::move(pool)), m_last(m_pool->members().size()) {}

std::vector<std::size_t> Probes::takeDue(Steady now) {
    std::vector<std::size_t> out;
    const ProbeOptions& options = m_pool->parameters().probe;
    if (!options.enabled) return out;
    const std::lock_guard lock(m_mutex);
    for (std::size_t i = 0; i < m_last.size() && m_underWay.size() < options.maxConcurrency; ++i) {
        if (m_underWay.contains(i) || (m_last[i] && now - *m_last[i] < options.interval) || !isDue(i, now)) continue;
        m_last[i] = now;
        m_underWay.insert(i);
        out.push_back(i);
    }
    return out;
}

bool Probes::isDue(std::size_t member, Steady now) const {
    const PoolMember& one = m_pool->members()[member];
    const auto& circuit = one.member.endpoint.circuit();
    if (one.member.adapter == nullptr || circuit->isCooling(now) || circuit->isDrained()) return false;
    if (!m_pool->parameters().probe.idleOnly) return true;
    const std::optional<Steady> newest = m_pool->newestSample(member);
    return !newest || now - *newest >= m_pool->parameters().probe.idleThreshold;
}

asio::awaitable<std::optional<UpstreamFailure>> Probes::send(std::size_t member, Waiter& waiter,
                                                             const dispatch::RequestRun& given) {
    const AtEnd end([this, member] { ended(member); });
    const Steady now = m_pool->clock().steady();
    dispatch::RequestRun run;
    run.attempts = given.attempts;
    run.admittedAt = given.admittedAt;
    run.blame = given.blame ? given.blame : std::make_shared<capacity::RequestBlame>();
    run.makeRequest = [field = m_pool->tokensField(member)](const policy::RouteTarget& target) { return requestFor(target, field); };
    auto ready = admitAttempt(m_pool->members()[member].member, run, m_pool->clock(), m_pool->probeTerms(member));
    if (!ready) co_return std::move(ready.error().failure);
    const std::size_t entry = ready->record.index();
    auto answering = wholeAnswer(std::move(*ready), run);
    auto waiting = alarm(waiter, now + m_pool->parameters().probe.timeout);
    RaceRule decides = [](std::size_t, const AnswerResult&) { return true; };
    RaceEnd how = co_await race(std::move(answering), std::move(waiting), std::move(decides));
    const bool late = how.decidedBy == std::size_t{1};
    if (late) {
        // Our side gave up: no matter for its circuit, but its slowness is what was asked about.
        evidence::Attempt& attempt = (*given.attempts)[entry];
        attempt.outcome = evidence::AttemptOutcome::failed;
        attempt.reason = kProbeTimeout;
        m_pool->countSlowProbe(member);
    }
    AnswerResult& result = *how.legs[*how.decidedBy];
    if (result) co_return std::nullopt;
    co_return std::move(result.error());
}

void Probes::ended(std::size_t member) {
    const std::lock_guard lock(m_mutex);
    m_underWay.erase(member);
}

}  // namespace signalbox::strategy::routewise
