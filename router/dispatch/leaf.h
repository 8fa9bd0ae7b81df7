// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/instruction.h"

namespace signalbox::dispatch {

/// Runs exactly the adapter of its binding: no selection, no retry, no accounting of its own.
class LeafBackend {
public:
    /// Refuses an inconsistent identity, and an adapter that answers for several endpoints (CompositeExecutor).
    [[nodiscard]] static Result<LeafBackend> make(EndpointBinding binding);
    [[nodiscard]] const EndpointBinding& binding() const { return m_binding; }
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
    call(UpstreamRequest request) const;
    /// The same for who was given an instruction. A leaf can carry out an ExecuteEndpoint of its own binding and nothing
    /// else: what `checkLeafDispatch` finds is the answer, and nothing is sent.
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
    execute(Instruction instruction, UpstreamRequest request) const;

private:
    explicit LeafBackend(EndpointBinding binding) : m_binding(std::move(binding)) {}
    EndpointBinding m_binding;
};

}  // namespace signalbox::dispatch
