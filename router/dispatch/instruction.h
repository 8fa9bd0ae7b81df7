// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/binding.h"
#include "router/dispatch/scope.h"

#include <optional>
#include <string>
#include <variant>

namespace signalbox::dispatch {

/// Exactly that endpoint: the pool admits it and does nothing else; no other choice, no fallback.
struct ExecuteEndpoint {
    EndpointBinding binding;
};

/// The pool's router selects, admits, retries and hedges.
struct DelegatePool {
    std::string poolId;
    std::string preferredEndpoint;  ///< tried first if it can be; empty: no preference
};

using Instruction = std::variant<ExecuteEndpoint, DelegatePool>;

/// What a pool may be asked for: its own name, its model, the endpoints of its scope.
struct PoolGrant {
    std::string poolId;
    EndpointScope::Ids endpoints;
};

/// Whether the pool may carry out the instruction within `scope`. A failure has kind `composition` and one of the codes
/// `wrong_pool`, `binding_of_other_pool`, `out_of_scope`, `preferred_out_of_scope`, `empty_scope`: it is found before
/// any I/O, counts as no attempt and no failure of anyone, and is never retried.
[[nodiscard]] std::optional<UpstreamFailure> checkDispatch(const Instruction& instruction, const PoolGrant& grant,
                                                           const EndpointScope& scope);

/// For a leaf, which has nothing to select from: `leaf_given_pool` for DelegatePool, `leaf_given_other_endpoint` for
/// another endpoint than its own.
[[nodiscard]] std::optional<UpstreamFailure> checkLeafDispatch(const Instruction& instruction, const EndpointBinding& leaf);

/// A failure of composition.
[[nodiscard]] UpstreamFailure compositionFailure(std::string code, std::string message);

}  // namespace signalbox::dispatch
