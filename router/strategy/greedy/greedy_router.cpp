// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/greedy_router.h"

#include "router/strategy/admission/validate.h"
#include "router/strategy/greedy/greedy_pool.h"
#include "router/strategy/pool_attempts.h"
#include "router/strategy/routewise/routewise_router.h"

#include <algorithm>
#include <cmath>

namespace signalbox::strategy {

using dispatch::AnswerResult;
using dispatch::UpstreamFailure;
using evidence::RecordedPool;

namespace {

/// When nothing was sent, and nobody says when to come back.
constexpr std::chrono::seconds kRetryAfter{5};

/// Of a pool's local part in the book of what pools learn; no model has a name with a line end in it.
std::string learningKey(const std::string& poolId) { return poolId + "\nlocal"; }

std::size_t restingCount(const LocalChoice& choice) {
    return static_cast<std::size_t>(
        std::count_if(choice.all.begin(), choice.all.end(), [](const LocalChoice::One& one) { return one.isResting; }));
}

std::int64_t tokens(double count) {
    return static_cast<std::int64_t>(std::clamp(std::ceil(count), 0.0, static_cast<double>(admission::kMostTokens)));
}

UpstreamFailure refusalOf(const LocalServer& server, const LocalServer::Judgement& judgement,
                          const dispatch::RequestRun& run, Steady now) {
    if (run.endsBy && now >= *run.endsBy) return noTimeLeft();  // it waited in vain (F44)
    UpstreamFailure out;
    out.kind = UpstreamFailure::Kind::refused;
    out.code = "local_" + std::string(toString(judgement.reason));
    out.message = "The local server " + server.member().id + " does not admit the request now (" +
                  std::string(toString(judgement.reason)) + ")";
    out.retryAfter = kRetryAfter;
    return out;
}

Finding compositionProblem(const PoolSpec& spec, const Error& error) {
    Finding out;
    out.code = "cloud_part_unusable";
    out.pointer = spec.parametersPath + ".cloud";
    out.message = error.message;
    out.hint = error.hint;
    return out;
}

}  // namespace

GreedyRouter::GreedyRouter(const config::Model& model, const GreedyParameters& parameters, const RouterContext& context,
                           std::optional<dispatch::RouteWiseCloudBackend> cloud)
    : m_aliases(model.aliases), m_grant(grantOf(model)), m_parameters(parameters), m_routes(model.routes),
      m_cloud(std::move(cloud)), m_prober(m_cloud ? std::dynamic_pointer_cast<Prober>(m_cloud->router()) : nullptr),
      m_clock(context.clock) {
    for (PoolMember& member : poolMembers(model, context)) {
        if (member.route.kind == config::RouteKind::local)
            m_servers.push_back(LocalServer::make(std::move(member), parameters, context));
        else if (member.pricing && member.route.billing == config::Billing::onDemand)
            m_cloudPrices.push_back(*member.pricing);
    }
    capacity::PoolLearning::Options options;
    options.output = parameters.output;
    const std::string key = std::to_string(options.output.defaultOutput) + " " + std::to_string(options.output.minBucketSamples) +
                            " " + std::to_string(options.output.minModelSamples) + " " + std::to_string(options.output.minGlobalSamples);
    const auto learning = context.process->pools.of(learningKey(model.id), key, options);
    m_predictor = std::shared_ptr<capacity::OutputPredictor>(learning, &learning->predictor);
}

double GreedyRouter::remoteCost(std::int64_t promptTokens, std::int64_t outputTokens) const {
    std::optional<double> least;
    for (const config::Pricing& price : m_cloudPrices) {
        const double cost = (price.inputPerMillion * static_cast<double>(promptTokens) +
                             price.outputPerMillion * static_cast<double>(outputTokens)) / 1e6;
        least = std::min(least.value_or(cost), cost);
    }
    return std::max(least.value_or(0), 0.0);
}

admission::Request GreedyRouter::requestOf(std::uint64_t promptTokens, std::optional<std::uint64_t> maxTokens, Steady now) const {
    // Ids only order requests that arrive at the same moment: the first to come stays first.
    static std::atomic<std::uint64_t> arrivals{0};
    const std::string arrival = std::to_string(arrivals.fetch_add(1, std::memory_order_relaxed));
    admission::Request out;
    out.requestId = std::string(20 - std::min<std::size_t>(arrival.size(), 20), '0') + arrival;
    out.arrivalS = admissionSeconds(now);
    out.deadlineS = out.arrivalS + m_parameters.ttftDeadlineS;
    out.promptTokens = tokens(static_cast<double>(promptTokens));
    out.uncachedPrefillTokens = out.promptTokens;  // what the server's prefix cache holds is not known to us
    out.estimatedOutputTokens = tokens(m_predictor->predict(m_grant.poolId, promptTokens, maxTokens).tokens);
    out.estimatedRemoteCost = remoteCost(out.promptTokens, out.estimatedOutputTokens);
    return out;
}

// Those that would take it now; when none would, but waiting is allowed, the one that would be soonest.
std::vector<std::size_t> GreedyRouter::localsToTry(const LocalChoice& choice, const std::string& preferred) const {
    std::vector<std::size_t> out = choice.order;
    std::stable_partition(out.begin(), out.end(), [&](std::size_t at) { return m_servers[at]->member().id == preferred; });
    if (!out.empty() || m_parameters.maxWaitS <= 0) return out;
    const LocalChoice::One* soonest = nullptr;
    for (const LocalChoice::One& one : choice.all)
        if (one.judgement && (soonest == nullptr || one.judgement->ttftS < soonest->judgement->ttftS)) soonest = &one;
    if (soonest != nullptr) out.push_back(soonest->server);
    return out;
}

bool GreedyRouter::cloudCanServe(const dispatch::PoolCall& call) const {
    return m_cloud && !call.scope.intersectedWith(dispatch::EndpointScope::only(m_cloud->grant().endpoints)).isEmpty();
}

void GreedyRouter::count(const LocalServer::Judgement& judgement) {
    auto& counter = judgement.admitted ? m_admitted : m_refused[static_cast<std::size_t>(judgement.reason)];
    counter.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<LocalAttempt> GreedyRouter::attemptOf(LocalServer::Judgement admitted, std::uint64_t promptTokens) const {
    return std::make_shared<LocalAttempt>(std::move(admitted), m_predictor, m_grant.poolId, promptTokens, m_clock);
}

void GreedyRouter::note(Way& way, std::size_t server, const LocalServer::Judgement& judgement) {
    count(judgement);
    LocalChoice::One& one = way.choice.all[server];
    one.judgement = LocalServer::Judgement{judgement.admitted, judgement.reason, judgement.ttftS, judgement.tpotS, {}};
    // The first that admits it stays the one that was to serve.
    if (!judgement.admitted) std::erase(way.choice.order, server);
    else if (std::find(way.choice.order.begin(), way.choice.order.end(), server) == way.choice.order.end())
        way.choice.order.push_back(server);
    if (!one.isResting) one.excluded = judgement.admitted ? std::string_view() : toString(judgement.reason);
    way.record.judged(recordOf(way.choice, m_servers, m_grant.poolId, m_clock.steady()));
}

GreedyRouter::Way GreedyRouter::begin(const dispatch::PoolCall& call, const dispatch::RequestRun& run) const {
    const Steady now = m_clock.steady();
    admission::Request request = requestOf(run.promptTokens, run.maxTokens, now);
    LocalChoice choice = chooseLocal(m_servers, request, now, [&](const PoolMember& member) {
        return exclusionOf(member, call.scope, run);
    });
    RecordedPool own = recordOf(choice, m_servers, m_grant.poolId, now);
    return {call, run, run.attempts->size(), std::move(request), std::move(choice),
            StageVerdict(call.allowFallback, run.whyNoFallback), {run, std::move(own)}};
}

bool GreedyRouter::mayGoOn(Way& way, UpstreamFailure failure, std::size_t left) const {
    const bool untouched = !way.verdict.sent() && !failure.sent();
    return way.verdict.mayGoOn(std::move(failure), left + (untouched ? restingCount(way.choice) : 0));
}

dispatch::asio::awaitable<AnswerResult> GreedyRouter::route(dispatch::PoolCall call, const dispatch::RequestRun& run) {
    m_requests.fetch_add(1, std::memory_order_relaxed);
    if (std::holds_alternative<dispatch::ExecuteEndpoint>(call.instruction)) {
        auto bound = exactly(std::move(call), run);
        AnswerResult answer = co_await std::move(bound);
        co_return answer;
    }
    const std::string preferred = std::get<dispatch::DelegatePool>(call.instruction).preferredEndpoint;
    Way way = begin(call, run);
    const std::vector<std::size_t> locals = localsToTry(way.choice, preferred);
    if (locals.empty()) countRefusal(way.choice);
    bool cloudLeft = cloudCanServe(call);
    if (cloudLeft && m_cloud->grant().endpoints.contains(preferred)) {
        cloudLeft = false;
        AnswerResult answer = co_await tryCloud(way, &preferred);
        if (answer) co_return answer;
        if (!mayGoOn(way, std::move(answer.error()), locals.size())) co_return tl::unexpected(failureOf(way));
    }
    for (std::size_t i = 0; i < locals.size(); ++i) {
        AnswerResult answer = co_await tryLocal(way, locals[i], false);
        if (answer) co_return answer;
        const std::size_t left = locals.size() - i - 1 + (cloudLeft ? 1 : 0);
        if (!mayGoOn(way, std::move(answer.error()), left)) co_return tl::unexpected(failureOf(way));
    }
    if (cloudLeft) {
        AnswerResult answer = co_await tryCloud(way, nullptr);
        if (answer) co_return answer;
        if (!mayGoOn(way, std::move(answer.error()), 0)) co_return tl::unexpected(failureOf(way));
    }
    AnswerResult answer = co_await lastResort(way);
    co_return answer;
}

// Nothing was sent to anyone: a local server that cools may get it all the same, if it has room (F57).
dispatch::asio::awaitable<AnswerResult> GreedyRouter::lastResort(Way& way) {
    std::size_t left = restingCount(way.choice);
    for (std::size_t at = 0; at < way.choice.all.size(); ++at) {
        if (!way.choice.all[at].isResting) continue;
        AnswerResult answer = co_await tryLocal(way, at, true);
        if (answer) co_return answer;
        if (!way.verdict.mayGoOn(std::move(answer.error()), --left)) break;
    }
    co_return tl::unexpected(failureOf(way));
}

// The cloud part knows of its own endpoints alone: what it refuses for good a local server may still take later.
UpstreamFailure GreedyRouter::failureOf(const Way& way) const {
    std::vector<Exclusion> locals;
    for (const LocalChoice::One& one : way.choice.all) locals.push_back({&m_servers[one.server]->member(), one.excluded});
    const bool mayComeBack = std::any_of(locals.begin(), locals.end(), [](const Exclusion& one) {
        return !one.why.starts_with(kLacking) && one.why != kOutOfScope;
    });
    if (way.verdict.failed()) {
        UpstreamFailure known = way.verdict.failure();
        if (known.code == kPoolUnavailable) known.message += whatProvidersLack(locals);
        if (!isFinalRefusal(known) || !mayComeBack) return known;
    }
    for (const LocalChoice::One& one : way.choice.all)
        if (one.judgement) return refusalOf(*m_servers[one.server], *one.judgement, way.run, m_clock.steady());
    auto cut = cutByRequest(m_grant.poolId, locals, way.run.needs);
    return cut ? std::move(*cut) : nothingAvailable(m_grant.poolId, "can take this request" + whatProvidersLack(locals));
}

dispatch::asio::awaitable<AnswerResult> GreedyRouter::exactly(dispatch::PoolCall call, const dispatch::RequestRun& run) {
    const dispatch::EndpointBinding binding = std::get<dispatch::ExecuteEndpoint>(call.instruction).binding;
    const auto found = std::find_if(m_servers.begin(), m_servers.end(),
                                    [&](const auto& one) { return one->member().id == binding.endpointId(); });
    if (found == m_servers.end()) {
        if (!m_cloud)
            co_return tl::unexpected(dispatch::compositionFailure("out_of_scope", "The pool has no endpoint " + binding.endpointId()));
        GreedyRecord record(run, boundRecord(binding.endpointId()));
        record.cloudBegins(true);
        auto handed = m_cloud->execute(std::move(call), run);
        AnswerResult answer = co_await std::move(handed);
        co_return answer;
    }
    LocalServer& local = **found;
    if (auto stale = checkBinding(binding, local.member().member)) co_return tl::unexpected(std::move(*stale));
    GreedyRecord record(run, boundRecord(binding.endpointId()));
    auto taking = local.takeInTime(requestOf(run.promptTokens, run.maxTokens, m_clock.steady()), run);
    LocalServer::Judgement judgement = co_await std::move(taking);
    count(judgement);
    record.judged(boundRecord(binding.endpointId(), &judgement));
    if (!judgement.admitted) co_return tl::unexpected(refusalOf(local, judgement, run, m_clock.steady()));
    std::shared_ptr<LocalAttempt> attempt = attemptOf(std::move(judgement), run.promptTokens);
    const TermsFor termsFor = [attempt](std::size_t) {
        AttemptTerms terms;
        terms.observers.push_back(attempt);
        return terms;
    };
    call.allowFallback = false;
    std::vector<const Member*> order{&local.member().member};
    const dispatch::RequestRun watched = LocalAttempt::watched(std::move(attempt), run);
    auto trying = tryInOrder(std::move(order), call, watched, m_clock, termsFor);
    AnswerResult answer = co_await std::move(trying);
    co_return answer;
}

dispatch::asio::awaitable<AnswerResult> GreedyRouter::tryLocal(Way& way, std::size_t server, bool anyway) {
    LocalServer& local = *m_servers[server];
    auto taking = local.takeInTime(way.request, way.run);
    LocalServer::Judgement judgement = co_await std::move(taking);
    note(way, server, judgement);
    if (!judgement.admitted) co_return tl::unexpected(refusalOf(local, judgement, way.run, m_clock.steady()));
    std::shared_ptr<LocalAttempt> attempt = attemptOf(std::move(judgement), way.run.promptTokens);
    AttemptTerms terms;
    terms.role = way.run.attempts->size() == way.begunAt ? evidence::AttemptRole::primary : evidence::AttemptRole::retry;
    terms.presetKey = way.call.presetKey;
    terms.observers.push_back(attempt);
    terms.anyway = anyway;
    auto ready = admitAttempt(local.member().member, way.run, m_clock, std::move(terms));
    if (!ready) co_return tl::unexpected(std::move(ready.error().failure));
    const dispatch::RequestRun watched = LocalAttempt::watched(std::move(attempt), way.run);
    auto sending = sendAttempt(std::move(*ready), watched);
    AnswerResult answer = co_await std::move(sending);
    co_return answer;
}

dispatch::asio::awaitable<AnswerResult> GreedyRouter::tryCloud(Way& way, const std::string* preferred) {
    dispatch::PoolCall handed{dispatch::DelegatePool{m_grant.poolId, preferred == nullptr ? std::string() : *preferred},
                              way.call.scope, way.call.presetKey, way.call.allowFallback};
    way.record.cloudBegins(preferred != nullptr);
    auto delegated = m_cloud->execute(std::move(handed), way.run);
    AnswerResult answer = co_await std::move(delegated);
    co_return answer;
}

void GreedyRouter::countRefusal(const LocalChoice& choice) {
    for (const LocalChoice::One& one : choice.all)
        if (one.judgement) return count(*one.judgement);
}

PoolResult makeGreedyPool(const PoolSpec& spec, const RouterContext& context) {
    Findings findings = checkGreedyPool(spec);
    if (hasErrors(findings)) return tl::unexpected(std::move(findings));
    const auto parameters = readGreedyParameters(spec);
    if (!parameters) return tl::unexpected(parameters.error());
    std::optional<dispatch::RouteWiseCloudBackend> cloud;
    const config::Model cloudModel = cloudPartOf(spec.model, *parameters);
    if (!cloudModel.routes.empty()) {
        auto router = makeRouteWisePool({cloudModel, spec.parametersPath + ".cloud"}, context);
        if (!router) return tl::unexpected(std::move(router.error()));
        auto backend = dispatch::RouteWiseCloudBackend::make(std::move(*router), spec.model);
        if (!backend) return tl::unexpected(Findings{compositionProblem(spec, backend.error())});
        cloud.emplace(std::move(*backend));
    }
    return std::make_shared<GreedyRouter>(spec.model, *parameters, context, std::move(cloud));
}

}  // namespace signalbox::strategy
