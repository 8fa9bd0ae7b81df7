// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/dispatch/adapter.h"

namespace signalbox::upstream {

/// An upstream without a model: it really waits as long as configured, then says that it is simulated, or gives the call of a
/// tool or the JSON that the request demands.
/// What it does to a request, faults included, follows from its seed and the request's decision id alone. Messages are
/// answered in their protocol.
class Simulated final : public dispatch::Adapter {
public:
    explicit Simulated(const config::Provider& provider);

    [[nodiscard]] std::string_view providerId() const override { return m_provider.id; }
    [[nodiscard]] dispatch::asio::awaitable<
        tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

private:
    [[nodiscard]] dispatch::asio::awaitable<
        tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    simulate(dispatch::UpstreamRequest request);

    config::Provider m_provider;
};

}  // namespace signalbox::upstream
