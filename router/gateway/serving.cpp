// SPDX-License-Identifier: MIT
#include "router/gateway/serving.h"

#include "router/policy/resolve.h"

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
            ready.push_back(adapters.contains(candidate.provider));
    }
    return out;
}

} // namespace

std::shared_ptr<const Serving> makeServing(ServingParts parts, const Clock& clock) {
    const policy::smart::SmartPolicy& smart = parts.snapshot->smart;
    auto runtime =
        parts.process->runtimes.configure(smart.settings().policyVersion, smart.enabledCandidates());
    auto endpoints = std::make_shared<const capacity::EndpointBook>(
        smart.groups(), capacity::endpointsNamedBy(*parts.snapshot), std::move(parts.process), std::move(runtime));
    auto serving = std::make_shared<Serving>();
    serving->callable = callableCandidates(smart, parts.adapters);
    auto callable = std::make_shared<ProviderIds>();
    for (const auto& [provider, adapter] : parts.adapters)
        callable->insert(provider);
    serving->callableProviders = std::move(callable);
    serving->router = std::make_shared<strategy::FixedRouter>(std::move(parts.adapters), clock, endpoints,
                                                              std::move(parts.notCallable));
    serving->endpoints = std::move(endpoints);
    serving->snapshot = std::move(parts.snapshot);
    serving->access = std::move(parts.access);
    serving->createdAt = clock.now();
    serving->models = catalogueOf(policy::listModels(*serving->snapshot), serving->createdAt);
    return serving;
}

std::shared_ptr<const Serving> withSnapshot(const Serving& serving,
                                            std::shared_ptr<const policy::PolicySnapshot> snapshot) {
    auto next = std::make_shared<Serving>(serving);
    next->snapshot = std::move(snapshot);
    next->models = catalogueOf(policy::listModels(*next->snapshot), next->createdAt);
    return next;
}

ModelCatalogue catalogueFor(const Serving& serving, const config::Principal& principal) {
    return catalogueOf(policy::listModels(*serving.snapshot, &principal), serving.createdAt);
}

} // namespace signalbox::gateway
