// SPDX-License-Identifier: MIT
#include "tests/router/strategy/pool_bench.h"

#include "router/config/read.h"

#include <stdexcept>

namespace signalbox::test {

namespace asio = dispatch::asio;

namespace {

std::string providersToml(std::size_t count, const std::string& perProvider) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        std::string more = perProvider;
        for (std::size_t at = more.find('@'); at != std::string::npos; at = more.find('@', at)) more.replace(at, 1, number);
        out += "[providers.p" + number + "]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n" + more + "\n";
    }
    return out;
}

std::string textOf(const Findings& findings) {
    std::string out;
    for (const Finding& finding : findings) out += finding.text("gateway.toml") + "\n";
    return out;
}

asio::awaitable<PoolBench::Outcome> toEnd(const dispatch::TreeBackend& pool, dispatch::PoolCall call,
                                          const dispatch::RequestRun& run) {
    PoolBench::Outcome outcome;
    auto answer = co_await pool.execute(std::move(call), run);
    if (!answer) {
        outcome.atRoute = std::move(answer.error());
        co_return outcome;
    }
    outcome.endpoint = (*answer)->endpointId();
    outcome.preset = (*answer)->target().presetKey;
    while (true) {
        auto chunk = co_await (*answer)->next();
        if (!chunk) outcome.later = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        outcome.bytes += (*chunk)->bytes;
    }
    co_return outcome;
}

}  // namespace

PoolBench::PoolBench(std::vector<Act> acts, const std::string& toml, const std::string& perProvider) {
    for (std::size_t i = 0; i < acts.size(); ++i)
        adapters.push_back(std::make_shared<FakeEndpoint>("p" + std::to_string(i), clock, std::move(acts[i])));
    const config::LoadedConfig loaded = config::readConfig(providersToml(adapters.size(), perProvider) + toml);
    if (!loaded.config) throw std::runtime_error(textOf(loaded.findings));
    config = *loaded.config;
    rebuild();
}

void PoolBench::rebuild() {
    strategy::AdapterMap map;
    capacity::EndpointBook::Known known;
    for (const auto& adapter : adapters) {
        map.emplace(adapter->providerId(), adapter);
        known.emplace(std::string(adapter->providerId()) + ":m", adapter->providerId());
    }
    process->circuits.configure(config.circuits);
    auto runtime = process->runtimes.configure("v", {});
    auto book = std::make_shared<const capacity::EndpointBook>(std::vector<policy::smart::Group>{}, known, process, runtime);
    auto capacity = std::make_shared<const capacity::CapacityBook>(config, process->resources, clock.steady());
    members = std::make_shared<const strategy::MemberSource>(std::move(map), strategy::NotCallable{}, std::move(book),
                                                             std::move(capacity));
    auto built = strategy::buildRouters({config, members, process, clock});
    if (!built) throw std::runtime_error(textOf(built.error()));
    routers = std::move(*built);
}

dispatch::RequestRun PoolBench::run() {
    attempts.clear();
    record.reset();
    whyNoFallback.clear();
    dispatch::RequestRun out;
    out.makeRequest = [](const policy::RouteTarget& target) {
        dispatch::UpstreamRequest request;
        request.model = target.model;
        request.body = "for " + target.endpointId();
        request.stream = true;
        return request;
    };
    out.attempts = &attempts;
    out.whyNoFallback = &whyNoFallback;
    out.pool = &record;
    out.admittedAt = clock.steady();
    out.promptTokens = promptTokens;
    out.maxTokens = maxTokens;
    out.needs = needs;
    out.session = session;
    out.mayUse = mayUse;
    out.random = &random;
    out.blame = std::make_shared<capacity::RequestBlame>();
    return out;
}

dispatch::PoolCall PoolBench::delegated() { return {dispatch::DelegatePool{"pool", {}}, {}, std::nullopt, true}; }

dispatch::PoolCall PoolBench::exactly(std::size_t endpoint) {
    auto binding = dispatch::EndpointBinding::make("p" + std::to_string(endpoint) + ":m", "m", adapters.at(endpoint), "pool");
    return {dispatch::ExecuteEndpoint{binding.value()}, {}, std::nullopt, true};
}

PoolBench::Outcome PoolBench::send(dispatch::PoolCall call) {
    m_run = run();
    const dispatch::TreeBackend pool(routers.at("pool"));
    return runCoroutine(context, toEnd(pool, std::move(call), m_run));
}

tl::expected<std::unique_ptr<dispatch::RoutedAnswer>, UpstreamFailure> PoolBench::begin(dispatch::PoolCall call) {
    m_run = run();
    const dispatch::TreeBackend pool(routers.at("pool"));
    return runCoroutine(context, pool.execute(std::move(call), m_run));
}

capacity::CircuitView PoolBench::circuit(std::size_t endpoint) const {
    return process->circuits.of("p" + std::to_string(endpoint) + ":m")->view();
}

std::vector<std::string> PoolBench::tried() const {
    std::vector<std::string> out;
    for (const evidence::Attempt& attempt : attempts) out.push_back(attempt.endpointId);
    return out;
}

std::vector<std::size_t> PoolBench::calls() const {
    std::vector<std::size_t> out;
    for (const auto& adapter : adapters) out.push_back(adapter->bodies.size());
    return out;
}

std::uint32_t PoolBench::slotsInUse(const std::string& resource) const {
    return process->resources.slots("concurrency:" + resource, config.findResource(resource)->limit).value()->inUse();
}

}  // namespace signalbox::test
