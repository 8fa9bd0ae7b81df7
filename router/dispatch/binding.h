// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/dispatch/adapter.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace signalbox::dispatch {

/// The chosen endpoint together with the adapter that will run it. Holding the adapter is the point: execution never
/// looks the target up again, so an edit or apply cannot redirect a request that is in flight.
class EndpointBinding {
public:
    /// Refuses an identity that does not fit: empty parts, an id that is not `provider:model`, an adapter of another
    /// provider.
    [[nodiscard]] static Result<EndpointBinding> make(std::string endpointId, std::string modelId,
                                                      std::shared_ptr<Adapter> adapter,
                                                      std::optional<std::string> poolId = std::nullopt,
                                                      std::uint64_t generation = 0);

    [[nodiscard]] const std::string& endpointId() const { return m_endpointId; }
    [[nodiscard]] const std::string& modelId() const { return m_modelId; }
    [[nodiscard]] const std::optional<std::string>& poolId() const { return m_poolId; }
    /// Diagnostic only; never decides whether a binding is stale.
    [[nodiscard]] std::uint64_t generation() const { return m_generation; }
    [[nodiscard]] const std::shared_ptr<Adapter>& adapter() const { return m_adapter; }

private:
    EndpointBinding() = default;
    std::string m_endpointId;
    std::string m_modelId;
    std::optional<std::string> m_poolId;
    std::uint64_t m_generation = 0;
    std::shared_ptr<Adapter> m_adapter;
};

}  // namespace signalbox::dispatch
