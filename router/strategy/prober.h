// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/request_run.h"

#include <optional>
#include <string>
#include <vector>

namespace signalbox::strategy {

/// A router that asks its idle endpoints a little question now and then, so that it knows how fast they are before it needs
/// them. Thread safe.
class Prober {
public:
    virtual ~Prober() = default;
    [[nodiscard]] virtual bool wantsProbes() const = 0;
    /// The pool's name, for records.
    [[nodiscard]] virtual const std::string& probedPool() const = 0;
    /// Endpoints to be probed now. They count as under way until `probe` has ended for each of them, and come again
    /// only after the interval.
    [[nodiscard]] virtual std::vector<std::string> takeDueProbes(Steady now) = 0;
    /// Sends one request for one token through the usual admission, with the role `probe`, and reads its answer to the end or
    /// for as long as the pool's timeout allows. What it returns is why it was not served. Of `run` only the attempt list, the
    /// time of admission and the blame are used; it must live until the coroutine has ended.
    [[nodiscard]] virtual dispatch::asio::awaitable<std::optional<dispatch::UpstreamFailure>>
    probe(std::string endpointId, const dispatch::RequestRun& run) = 0;
};

}  // namespace signalbox::strategy
