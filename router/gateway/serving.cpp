// SPDX-License-Identifier: MIT
#include "router/gateway/serving.h"

#include "router/policy/resolve.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

ModelCatalogue catalogueOf(const std::vector<policy::ListedModel>& models, Timestamp createdAt) {
    const auto created = std::chrono::floor<std::chrono::seconds>(createdAt).time_since_epoch().count();
    ModelCatalogue out;
    OrderedJson list = OrderedJson::array();
    for (const policy::ListedModel& model : models) {
        OrderedJson object{
            {"id", model.id}, {"object", "model"}, {"created", created}, {"owned_by", model.ownedBy}};
        out.byId.emplace(model.id, object.dump());
        list.push_back(std::move(object));
    }
    out.list = OrderedJson{{"object", "list"}, {"data", std::move(list)}}.dump();
    return out;
}

std::vector<std::vector<bool>> callableCandidates(const policy::smart::SmartPolicy& smart,
                                                  const strategy::AdapterMap& adapters) {
    std::vector<std::vector<bool>> out;
    for (const policy::smart::Group& group : smart.groups()) {
        std::vector<bool>& ready = out.emplace_back();
        for (const policy::smart::GroupCandidate& candidate : group.candidates)
            ready.push_back(candidate.isPool()
                                ? std::any_of(candidate.pool.begin(), candidate.pool.end(),
                                              [&](const auto& one) { return adapters.contains(one.provider); })
                                : adapters.contains(candidate.provider));
    }
    return out;
}

} // namespace

namespace {

/// Everything a policy learned before stays learned; only the settings change.
std::shared_ptr<const capacity::EndpointBook> takeOver(const policy::PolicySnapshot& snapshot,
                                                       std::shared_ptr<capacity::ProcessState> process) {
    const policy::smart::SmartPolicy& smart = snapshot.smart;
    process->circuits.configure(snapshot.config->circuits);
    auto runtime = process->runtimes.configure(smart.settings().policyVersion, smart.enabledCandidates());
    return std::make_shared<const capacity::EndpointBook>(smart.groups(), capacity::endpointsNamedBy(snapshot),
                                                          std::move(process), std::move(runtime));
}

Error toError(const Findings& findings) {
    const auto first = std::find_if(findings.begin(), findings.end(),
                                    [](const Finding& finding) { return finding.severity == Severity::error; });
    const auto more = std::count_if(findings.begin(), findings.end(),
                                    [](const Finding& finding) { return finding.severity == Severity::error; }) - 1;
    std::string message = first->message;
    if (more > 0)
        message += " (and " + std::to_string(more) + " more)";
    return {ErrorKind::badInput, std::move(message), first->pointer, first->hint};
}

} // namespace

Result<std::shared_ptr<const Serving>> makeServing(ServingParts parts, const Clock& clock) {
    // Asked first: a policy that cannot run must change nothing that the running one learned.
    if (const Findings findings = strategy::checkRouters(*parts.snapshot->config); hasErrors(findings))
        return tl::unexpected(toError(findings));
    const policy::smart::SmartPolicy& smart = parts.snapshot->smart;
    auto endpoints = takeOver(*parts.snapshot, parts.process);
    auto capacity = std::make_shared<const capacity::CapacityBook>(*parts.snapshot->config, parts.process->resources,
                                                                   clock.steady());
    auto serving = std::make_shared<Serving>();
    serving->callable = callableCandidates(smart, parts.adapters);
    auto callable = std::make_shared<ProviderIds>();
    for (const auto& [provider, adapter] : parts.adapters)
        callable->insert(provider);
    serving->callableProviders = std::move(callable);
    serving->lacks = std::make_shared<const ProviderLacks>(std::move(parts.lacks));
    serving->adapters = parts.adapters;
    auto members = std::make_shared<const strategy::MemberSource>(std::move(parts.adapters), std::move(parts.notCallable),
                                                                  endpoints, capacity);
    auto pools = strategy::buildRouters({*parts.snapshot->config, members, parts.process, clock});
    if (!pools)
        return tl::unexpected(toError(pools.error()));
    serving->pools = std::make_shared<const strategy::PoolRouters>(*pools);
    serving->router = std::make_shared<strategy::PlanRouter>(std::move(members), clock, std::move(*pools));
    serving->capacity = std::move(capacity);
    serving->endpoints = std::move(endpoints);
    serving->snapshot = std::move(parts.snapshot);
    serving->access = std::move(parts.access);
    serving->createdAt = clock.now();
    serving->models = catalogueOf(policy::listModels(*serving->snapshot, nullptr, serving->callableProviders.get()), serving->createdAt);
    return std::shared_ptr<const Serving>(std::move(serving));
}

std::shared_ptr<const Serving> withSnapshot(const Serving& serving,
                                            std::shared_ptr<const policy::PolicySnapshot> snapshot) {
    auto next = std::make_shared<Serving>(serving);
    next->snapshot = std::move(snapshot);
    next->models = catalogueOf(policy::listModels(*next->snapshot, nullptr, next->callableProviders.get()), next->createdAt);
    return next;
}

ModelCatalogue catalogueFor(const Serving& serving, const config::Principal& principal) {
    return catalogueOf(policy::listModels(*serving.snapshot, &principal, serving.callableProviders.get()), serving.createdAt);
}

} // namespace signalbox::gateway
