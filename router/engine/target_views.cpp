// SPDX-License-Identifier: MIT
#include "router/engine/target_views.h"

#include "router/policy/targets.h"

#include <algorithm>
#include <set>
#include <span>

namespace signalbox::engine {

namespace {

std::string_view providerOf(std::string_view endpointId) {
    return endpointId.substr(0, endpointId.find(':'));
}

/// Resources that a call to the endpoint takes, by any route.
std::vector<std::string> resourcesOf(const config::GatewayConfig& config, std::string_view endpointId) {
    std::set<std::string> names;
    if (const config::Provider* provider = config.findProvider(providerOf(endpointId)); provider != nullptr && provider->resource)
        names.insert(*provider->resource);
    for (const config::Model& model : config.models)
        for (const config::Route& route : model.routes)
            if (route.endpointId() == endpointId)
                names.insert(route.resources.begin(), route.resources.end());
    return {names.begin(), names.end()};
}

bool servesAPreset(const policy::PolicySnapshot& snapshot, std::string_view endpointId) {
    const auto& presets = snapshot.table->presets;
    return std::any_of(presets.begin(), presets.end(), [&](const table::Preset& preset) {
        const auto target = policy::targetOfPreset(snapshot, preset.presetKey, "shown");
        return target && target->endpointId() == endpointId;
    });
}

/// The value below which `share` of the samples lie.
std::optional<double> quantile(std::span<const double> sortedMs, double share) {
    if (sortedMs.empty())
        return std::nullopt;
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sortedMs.size()));
    return sortedMs[std::min(at, sortedMs.size() - 1)];
}

void describeEngine(const gateway::RunningPolicy& running, EndpointHealth& out, Steady now) {
    const std::size_t colon = out.endpointId.find(':');
    const auto page = running.endpoints->process()->engines.of(providerOf(out.endpointId));
    const std::string model = out.endpointId.substr(colon == std::string::npos ? 0 : colon + 1);
    out.enginePage = page->state();
    out.engine = page->metrics(model);
    out.engineFresh = page->liveLoad(model, now).has_value();
    const auto& pin = running.snapshot->table->vllmPin;
    if (pin && servesAPreset(*running.snapshot, out.endpointId))
        out.vllmPin = *pin;
}

EndpointHealth healthOf(const gateway::RunningPolicy& running, const capacity::CircuitView& circuit, Steady now) {
    const std::string_view provider = providerOf(circuit.endpointId);
    const capacity::Endpoint endpoint = running.endpoints->of(provider, circuit.endpointId);
    EndpointHealth out;
    out.endpointId = circuit.endpointId;
    out.circuit = toString(circuit.state);
    out.cause = toString(circuit.cause);
    out.coolsFor = circuit.remaining;
    out.consecutiveFailures = circuit.consecutiveFailures;
    out.openedTotal = circuit.openedTotal;
    out.drained = circuit.drained;
    out.inFlight = circuit.inFlight;
    out.resources = resourcesOf(*running.snapshot->config, circuit.endpointId);
    endpoint.read(now, out.signals);
    const auto ttft = endpoint.profile()->distribution(now);
    out.ttftP50Ms = quantile(ttft->sortedMs(), 0.5);
    out.ttftP95Ms = quantile(ttft->sortedMs(), 0.95);
    out.ttftSamples = ttft->sortedMs().size();
    out.credentialReady = running.callableProviders->contains(provider);
    out.signals.credentialReady = out.credentialReady;
    if (running.lacks)
        if (const auto lacks = running.lacks->find(provider); lacks != running.lacks->end())
            out.lacks = lacks->second.key;
    describeEngine(running, out, now);
    return out;
}

bool isOfPolicy(const gateway::RunningPolicy& running, std::string_view endpointId) {
    // Circuits outlive policies: those of an earlier one's providers are not this one's endpoints.
    return running.endpoints->named().contains(endpointId) ||
           running.snapshot->config->findProvider(providerOf(endpointId)) != nullptr;
}

ResourceView viewOf(const capacity::CapacityBook::Named& named, Steady now) {
    ResourceView out;
    out.name = named.config.name;
    out.kind = config::toString(named.config.kind);
    out.limit = named.config.limit;
    if (const auto* slots = std::get_if<std::shared_ptr<capacity::Slots>>(&named.resource)) {
        out.used = (*slots)->inUse();
        return out;
    }
    const auto& quota = std::get<std::shared_ptr<capacity::Quota>>(named.resource);
    if (const auto state = quota->state(now))
        out.used = out.limit - std::min<std::uint64_t>(out.limit, state->remaining);
    if (const auto resets = quota->resetsAt(now); resets && *resets > now)
        out.resetsIn = std::chrono::ceil<std::chrono::seconds>(*resets - now);
    return out;
}

} // namespace

std::vector<EndpointHealth> endpointHealth(const gateway::RunningPolicy& running, Steady now) {
    std::vector<EndpointHealth> out;
    for (const capacity::CircuitView& circuit : running.endpoints->process()->circuits.views())
        if (isOfPolicy(running, circuit.endpointId))
            out.push_back(healthOf(running, circuit, now));
    return out;
}

std::vector<dispatch::PoolView> poolViews(const gateway::RunningPolicy& running, Steady now) {
    std::vector<dispatch::PoolView> out;
    for (const config::Model& model : running.snapshot->config->models)
        if (const auto found = running.pools->find(model.id); found != running.pools->end())
            out.push_back(found->second->view(now));
    return out;
}

std::vector<ResourceView> resourceViews(const gateway::RunningPolicy& running, Steady now) {
    std::vector<ResourceView> out;
    for (const capacity::CapacityBook::Named& named : running.capacity->resources()) {
        ResourceView& view = out.emplace_back(viewOf(named, now));
        for (const auto& [id, endpoint] : running.endpoints->named()) {
            const std::vector<std::string> names = resourcesOf(*running.snapshot->config, id);
            if (std::find(names.begin(), names.end(), view.name) != names.end())
                view.usedBy.push_back(id);
        }
    }
    return out;
}

Result<void> actOn(const gateway::RunningPolicy& running, const std::string& endpointId, EndpointAction action) {
    const auto views = running.endpoints->process()->circuits.views();
    const bool known = std::any_of(views.begin(), views.end(), [&](const capacity::CircuitView& view) { return view.endpointId == endpointId; });
    if (!known || !isOfPolicy(running, endpointId))
        return fail(ErrorKind::notFound, "the running policy has no endpoint \"" + endpointId + "\"", {},
                    "Name it as PROVIDER:MODEL, as the list of endpoints does");
    const auto circuit = running.endpoints->process()->circuits.of(endpointId);
    switch (action) {
    case EndpointAction::drain:
        circuit->setDrained(true);
        break;
    case EndpointAction::undrain:
        circuit->setDrained(false);
        break;
    case EndpointAction::trip:
        circuit->coolByHand();
        break;
    case EndpointAction::reset:
        circuit->closeByHand();
        break;
    }
    return {};
}

std::vector<PrincipalUse> principalUse(const gateway::RunningPolicy& running) {
    capacity::PrincipalAccounts& accounts = running.endpoints->process()->principals;
    const bool known = accounts.spentKnown();
    std::vector<PrincipalUse> out;
    for (const config::Principal& principal : running.snapshot->config->principals) {
        const auto account = accounts.of(principal.id);
        out.push_back({principal.id, account->requestsThisMinute(), account->spentUsd(), known});
    }
    return out;
}

} // namespace signalbox::engine
