// SPDX-License-Identifier: MIT
#include "tests/router/strategy/composition_bench.h"

#include <stdexcept>

namespace signalbox::test {

namespace asio = dispatch::asio;

CompositionBench::CompositionBench(std::vector<PoolEndpoint> which) {
    config::Model model;
    model.id = "m";
    for (PoolEndpoint& one : which) {
        config::Provider provider;
        provider.id = one.provider;
        provider.domain = one.kind;
        provider.pricing = config::Pricing{1, 2, 0, 0, std::nullopt, std::nullopt};
        config.providers.push_back(std::move(provider));
        config::Route route;
        route.provider = one.provider;
        route.model = "m";
        route.kind = one.kind;
        model.routes.push_back(std::move(route));
        order.push_back(one.provider);
        endpoints.emplace(one.provider, std::make_shared<FakeEndpoint>(one.provider, clock, std::move(one.act)));
    }
    config.models.push_back(std::move(model));
}

strategy::RouterContext CompositionBench::routerContext() const {
    strategy::AdapterMap adapters;
    for (const auto& [provider, endpoint] : endpoints) adapters.emplace(provider, endpoint);
    auto runtime = process->runtimes.configure("v", {});
    auto book = std::make_shared<const capacity::EndpointBook>(std::vector<policy::smart::Group>{}, capacity::EndpointBook::Known{},
                                                               process, std::move(runtime));
    auto capacity = std::make_shared<const capacity::CapacityBook>(config, process->resources, clock.steady());
    return {config, std::make_shared<const strategy::MemberSource>(std::move(adapters), strategy::NotCallable{}, std::move(book),
                                                                   std::move(capacity)),
            process, clock};
}

std::shared_ptr<dispatch::PoolRouter> CompositionBench::make(Make with, std::optional<config::RouteKind> part) const {
    const config::Model model = part ? strategy::restrictedTo(config.models.front(), *part) : config.models.front();
    auto made = with({model, "models.m.router_params"}, routerContext());
    if (!made) throw std::runtime_error(made.error().front().text("bench"));
    return *made;
}

Findings CompositionBench::findingsOf(Make with) const {
    auto made = with({config.models.front(), "models.m.router_params"}, routerContext());
    return made ? Findings{} : made.error();
}

dispatch::EndpointBinding CompositionBench::binding(const std::string& provider, const std::string& ofPool,
                                                    std::shared_ptr<dispatch::Adapter> adapter) const {
    if (!adapter) adapter = endpoints.at(provider);
    return dispatch::EndpointBinding::make(provider + ":m", "m", std::move(adapter), ofPool).value();
}

dispatch::RequestRun CompositionBench::run() {
    dispatch::RequestRun out;
    out.makeRequest = [this](const policy::RouteTarget& target) {
        dispatch::UpstreamRequest request;
        request.model = target.model;
        request.body = "for " + target.endpointId();
        request.stream = streams;
        return request;
    };
    out.attempts = &attempts;
    out.whyNoFallback = &whyNoFallback;
    out.pool = &pool;
    out.admittedAt = clock.steady();
    out.promptTokens = 1000;
    out.blame = std::make_shared<capacity::RequestBlame>();
    if (adjust) adjust(out);
    return out;
}

capacity::CircuitView CompositionBench::circuit(const std::string& provider) const {
    return process->circuits.of(provider + ":m")->view();
}

std::string CompositionBench::story() const {
    std::string out;
    for (const evidence::Attempt& attempt : attempts) {
        if (!out.empty()) out += "; ";
        out += attempt.endpointId.substr(0, attempt.endpointId.find(':')) + " " + std::string(toString(attempt.role)) + " " +
               std::string(toString(attempt.outcome)) + (attempt.reason.empty() ? "" : " " + attempt.reason);
    }
    return out;
}

std::vector<std::string> CompositionBench::called() const {
    std::vector<std::string> out;
    for (const std::string& provider : order)
        out.insert(out.end(), endpoints.at(provider)->bodies.size(), provider);
    return out;
}

void CompositionBench::forget() {
    for (const auto& [provider, endpoint] : endpoints) endpoint->bodies.clear();
}

void CompositionBench::begin() {
    attempts.clear();
    whyNoFallback.clear();
    pool.reset();
    forget();
}

CompositionBench::Outcome CompositionBench::serve(const std::shared_ptr<dispatch::PoolRouter>& router, std::string preferred) {
    return serve(router, delegated(std::move(preferred)));
}

asio::awaitable<CompositionBench::Outcome> CompositionBench::read(dispatch::AnswerResult answer) {
    Outcome out;
    if (!answer) {
        out.failure = std::move(answer.error());
        co_return out;
    }
    out.endpoint = (*answer)->endpointId();
    while (true) {
        auto chunk = co_await (*answer)->next();
        if (!chunk) out.failure = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        out.bytes += (*chunk)->bytes;
    }
    co_return out;
}

dispatch::PoolCall delegated(std::string preferred, std::string pool) {
    return {dispatch::DelegatePool{std::move(pool), std::move(preferred)}, {}, std::nullopt, true};
}

}  // namespace signalbox::test
