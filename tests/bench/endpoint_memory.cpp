// SPDX-License-Identifier: MIT
// What an endpoint costs while nobody calls it: bytes of the heap for each, of everything that a gateway keeps of it while it
// runs (adapter, circuit, outcomes, profiles, resource, its place in a router), apart from the configuration it was made of.
//
//     endpoint_memory [ENDPOINTS]        default 4096
//
// Endpoints stand in pools of eight, one provider each two endpoints, half of the pools RouteWise and half fixed. Counted with
// mallinfo2, so what the allocator itself keeps back does not count; nothing listens and nothing is called.
#include "router/capacity/endpoint_book.h"
#include "router/config/read.h"
#include "router/policy/snapshot.h"
#include "router/strategy/registry.h"
#include "router/upstream/adapters.h"

#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <stdexcept>

using namespace signalbox;

namespace {

constexpr std::size_t kOfPool = 8, kOfProvider = 2;
constexpr int kTaught = 200;

std::size_t heapBytes() {
    const struct mallinfo2 now = mallinfo2();
    return now.uordblks + now.hblkhd;
}

std::string configText(std::size_t endpoints) {
    std::string providers, models;
    for (std::size_t i = 0; i < endpoints; ++i) {
        const std::string provider = "provider-" + std::to_string(i / kOfProvider), model = "model-" + std::to_string(i % kOfProvider);
        if (i % kOfProvider == 0)
            providers += "[resources.slots-" + provider + "]\nlimit = 16\n[providers." + provider + "]\nbase_url = \"http://127.0.0.1:9/v1\"\n"
                         "models = [\"model-0\", \"model-1\"]\nresource = \"slots-" + provider + "\"\n[providers." + provider +
                         ".pricing]\ninput_per_million = 0.2\noutput_per_million = 0.6\n";
        if (i % kOfPool == 0)
            models += "[models.pool-" + std::to_string(i / kOfPool) + "]\nrouter = \"" + (i / kOfPool % 2 == 0 ? "routewise" : "fixed") + "\"\n";
        models += "[[models.pool-" + std::to_string(i / kOfPool) + ".route]]\nprovider = \"" + provider + "\"\nmodel = \"" + model + "\"\n";
    }
    return providers + models;
}

struct Running {
    std::shared_ptr<capacity::ProcessState> process;
    std::shared_ptr<const capacity::EndpointBook> endpoints;
    std::shared_ptr<const capacity::CapacityBook> capacity;
    std::shared_ptr<const strategy::MemberSource> members;
    strategy::PoolRouters pools;
    std::unique_ptr<strategy::PlanRouter> router;
};

Running run(const policy::PolicySnapshot& snapshot, const Clock& clock) {
    Running out;
    out.process = std::make_shared<capacity::ProcessState>(clock);
    const auto environment = [](const std::string&) -> std::optional<std::string> { return std::nullopt; };
    strategy::AdapterMap adapters;
    for (const config::Provider& provider : snapshot.config->providers)
        adapters.emplace(provider.id, upstream::makeAdapter(provider, environment).value());
    out.endpoints = std::make_shared<const capacity::EndpointBook>(snapshot.smart.groups(), capacity::endpointsNamedBy(snapshot), out.process,
                                                                   out.process->runtimes.configure("v", {}));
    out.capacity = std::make_shared<const capacity::CapacityBook>(*snapshot.config, out.process->resources, clock.steady());
    out.members = std::make_shared<const strategy::MemberSource>(std::move(adapters), strategy::NotCallable{}, out.endpoints, out.capacity);
    auto pools = strategy::buildRouters({*snapshot.config, out.members, out.process, clock});
    if (!pools) throw std::runtime_error(pools.error().front().message);
    out.pools = std::move(*pools);
    out.router = std::make_unique<strategy::PlanRouter>(out.members, clock, out.pools);
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    const long wanted = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 4096;
    if (wanted < 8 || wanted > 1'000'000 || wanted % static_cast<long>(kOfPool) != 0) {
        std::fprintf(stderr, "usage: endpoint_memory [ENDPOINTS]   a multiple of 8 up to 1000000\n");
        return 2;
    }
    const auto count = static_cast<std::size_t>(wanted);
    const SystemClock clock;
    const std::size_t empty = heapBytes();
    auto loaded = config::readConfig(configText(count));
    if (!loaded.config) {
        std::fprintf(stderr, "%s\n", loaded.findings.front().message.c_str());
        return 1;
    }
    loaded.text = {};
    const auto snapshot = policy::makeSnapshot(std::make_shared<table::RoutingTable>(), {}, loaded.config);
    const std::size_t configured = heapBytes();
    const Running running = run(*snapshot, clock);
    const std::size_t idle = heapBytes();
    if (running.endpoints->named().size() != count) {
        std::fprintf(stderr, "%zu endpoints were made, not %zu\n", running.endpoints->named().size(), count);
        return 1;
    }
    for (const auto& [id, endpoint] : running.endpoints->named())
        for (int i = 0; i < kTaught; ++i) endpoint.profile()->addFirstContent(clock.steady(), std::chrono::microseconds(100'000 + i));
    const std::size_t taught = heapBytes();
    const auto each = [count](std::size_t bytes) { return static_cast<double>(bytes) / static_cast<double>(count); };
    std::printf("endpoints                          %zu\n", count);
    std::printf("configuration, bytes each          %.0f\n", each(configured - empty));
    std::printf("idle endpoint, bytes each          %.0f\n", each(idle - configured));
    std::printf("after %d first contents, bytes each %.0f more\n", kTaught, each(taught - idle));
    return 0;
}
