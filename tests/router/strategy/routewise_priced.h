// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/strategy/routewise_fixture.h"

namespace signalbox::test {

/// `p0` cheap, `p1` ten times as dear; alpha 0 always takes the cheapest.
struct Priced : RouteWiseFixture {
    explicit Priced(std::string json = "{\"budget_alpha\": 0}", std::size_t count = 2) : RouteWiseFixture(count) {
        double price = 0.1;
        for (std::size_t i = 0; i < count; ++i, price *= 10) priced(i, price, price);
        parameters(std::move(json));
    }
    void fails(std::size_t endpoint, int status) {
        endpoints[endpoint]->reply = [status](std::size_t) { return Reply{10ms, upstreamStatus(status)}; };
    }
    std::string excluded(std::size_t endpoint) const {
        for (const auto& candidate : pool->candidates)
            if (candidate.endpointId == "p" + std::to_string(endpoint) + ":m") return candidate.excluded;
        return "(not recorded)";
    }
};

}  // namespace signalbox::test
