// SPDX-License-Identifier: MIT
#include "router/dispatch/instruction.h"

namespace signalbox::dispatch {
namespace {

std::optional<UpstreamFailure> check(const ExecuteEndpoint& exact, const PoolGrant& grant, const EndpointScope& scope) {
    const EndpointBinding& binding = exact.binding;
    if (binding.poolId() && *binding.poolId() != grant.poolId)
        return compositionFailure("binding_of_other_pool", "The binding of " + binding.endpointId() + " belongs to the pool " +
                                                               *binding.poolId() + " and was given to " + grant.poolId);
    if (!grant.endpoints.contains(binding.endpointId()) || !scope.allows(binding.endpointId()))
        return compositionFailure("out_of_scope", "The endpoint " + binding.endpointId() + " is not in the scope of the pool " +
                                                      grant.poolId);
    return std::nullopt;
}

std::optional<UpstreamFailure> check(const DelegatePool& delegated, const PoolGrant& grant, const EndpointScope& scope) {
    if (delegated.poolId != grant.poolId)
        return compositionFailure("wrong_pool", "The request is for the pool " + delegated.poolId + " and was given to " +
                                                    grant.poolId);
    const std::string& preferred = delegated.preferredEndpoint;
    if (!preferred.empty() && (!grant.endpoints.contains(preferred) || !scope.allows(preferred)))
        return compositionFailure("preferred_out_of_scope", "The preferred endpoint " + preferred +
                                                                " is not in the scope of the pool " + grant.poolId);
    return std::nullopt;
}

}  // namespace

std::optional<UpstreamFailure> checkDispatch(const Instruction& instruction, const PoolGrant& grant,
                                             const EndpointScope& scope) {
    if (EndpointScope::only(grant.endpoints).intersectedWith(scope).isEmpty())
        return compositionFailure("empty_scope", "No endpoint of the pool " + grant.poolId + " is in the scope of the request");
    return std::visit([&](const auto& one) { return check(one, grant, scope); }, instruction);
}

std::optional<UpstreamFailure> checkLeafDispatch(const Instruction& instruction, const EndpointBinding& leaf) {
    const auto* exact = std::get_if<ExecuteEndpoint>(&instruction);
    if (exact == nullptr)
        return compositionFailure("leaf_given_pool", "The leaf " + leaf.endpointId() + " has nothing to select from");
    if (exact->binding.endpointId() != leaf.endpointId() || exact->binding.adapter() != leaf.adapter())
        return compositionFailure("leaf_given_other_endpoint", "The leaf is bound to " + leaf.endpointId() + " and was given " +
                                                                   exact->binding.endpointId());
    return std::nullopt;
}

UpstreamFailure compositionFailure(std::string code, std::string message) {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::composition;
    failure.code = std::move(code);
    failure.message = std::move(message);
    return failure;
}

}  // namespace signalbox::dispatch
