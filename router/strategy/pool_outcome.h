// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/endpoint_book.h"
#include "router/dispatch/routed_answer.h"

#include <memory>
#include <string_view>

namespace signalbox::strategy {

/// Tells a smart group's candidate that a pool serves how one request ended there: as the group sees it, from handing the
/// request over to the last byte, with every attempt that the pool made. A request that is given up says nothing, and
/// neither does one that brought its failure upon itself. Where the pool is nobody's candidate there is nobody to tell.
class PoolOutcome {
public:
    PoolOutcome(const capacity::EndpointBook& endpoints, std::string_view poolId, const Clock& clock);

    void failed(const dispatch::UpstreamFailure& failure);
    /// The answer, which tells at its end.
    [[nodiscard]] std::unique_ptr<dispatch::RoutedAnswer> watch(std::unique_ptr<dispatch::RoutedAnswer> answer) const;

    void served();

private:
    [[nodiscard]] double elapsedMs() const;

    std::optional<capacity::Endpoint> m_pool;
    const Clock* m_clock;
    Steady m_began;
    bool m_told = false;
};

}  // namespace signalbox::strategy
