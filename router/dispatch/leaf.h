// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/binding.h"

namespace signalbox::dispatch {

/// Runs exactly the adapter of its binding: no selection, no retry, no accounting of its own.
class LeafBackend {
public:
    /// Refuses an inconsistent identity.
    [[nodiscard]] static Result<LeafBackend> make(EndpointBinding binding);
    [[nodiscard]] const EndpointBinding& binding() const { return m_binding; }
    [[nodiscard]] asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
    call(UpstreamRequest request) const;

private:
    explicit LeafBackend(EndpointBinding binding) : m_binding(std::move(binding)) {}
    EndpointBinding m_binding;
};

}  // namespace signalbox::dispatch
