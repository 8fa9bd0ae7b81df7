// SPDX-License-Identifier: MIT
#include "router/dispatch/binding.h"

namespace signalbox::dispatch {

namespace {

std::optional<std::string> identityProblem(const std::string& endpointId, const std::string& modelId,
                                           const std::shared_ptr<Adapter>& adapter) {
    if (adapter == nullptr) return "The binding has no adapter";
    if (modelId.empty()) return "The binding names no model";
    const std::size_t colon = endpointId.find(':');
    if (colon == std::string::npos || colon == 0) return "An endpoint id has the form provider:model";
    const std::string_view provider = std::string_view(endpointId).substr(0, colon);
    const std::string_view model = std::string_view(endpointId).substr(colon + 1);
    if (model != modelId) return "The endpoint id names another model than " + modelId;
    if (provider != adapter->providerId())
        return "The adapter belongs to provider " + std::string(adapter->providerId());
    return std::nullopt;
}

}  // namespace

Result<EndpointBinding> EndpointBinding::make(std::string endpointId, std::string modelId,
                                              std::shared_ptr<Adapter> adapter,
                                              std::optional<std::string> poolId, std::uint64_t generation) {
    if (auto problem = identityProblem(endpointId, modelId, adapter))
        return fail(ErrorKind::internal, std::move(*problem), std::move(endpointId),
                    "Bind the endpoint to the adapter of its own provider");
    if (poolId && poolId->empty())
        return fail(ErrorKind::internal, "The pool id is empty", std::move(endpointId),
                    "Leave it out or name the pool");
    EndpointBinding binding;
    binding.m_endpointId = std::move(endpointId);
    binding.m_modelId = std::move(modelId);
    binding.m_poolId = std::move(poolId);
    binding.m_generation = generation;
    binding.m_adapter = std::move(adapter);
    return binding;
}

}  // namespace signalbox::dispatch
