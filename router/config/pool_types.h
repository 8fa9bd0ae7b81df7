// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::config {

/// `[resources.NAME]`: capacity that calls consume. Owned once per process by its name and shared by every route that
/// names it, whatever model the route belongs to.
struct Resource {
    enum class Kind : std::uint8_t {
        concurrency,  ///< `limit` calls at once
        quota,        ///< `limit` requests in `window`
    };
    std::string name;
    Kind kind = Kind::concurrency;
    std::uint64_t limit = 1;
    std::optional<std::chrono::seconds> window;  ///< of a quota; unset: it never comes back by itself
};

/// Where a route's endpoint stands: what composition calls local and cloud.
enum class RouteKind : std::uint8_t { local, cloud };

/// How an endpoint is paid for, which decides its effective cost in RouteWise (`provider_type` of the internals seed).
enum class Billing : std::uint8_t { onDemand, quota, concurrency };

/// `[[models.NAME.route]]`: one endpoint of a model's pool.
struct Route {
    std::string provider;
    std::string model;  ///< as the upstream calls it; default the model's own name
    RouteKind kind = RouteKind::cloud;
    double weight = 1;
    Billing billing = Billing::onDemand;
    std::vector<std::string> resources;  ///< names of `[resources]`, all of which a call takes
    /// `provider:model`, as circuits, capacity and records call it.
    [[nodiscard]] std::string endpointId() const { return provider + ":" + model; }
};

/// The strategy of a pool. `fixed` draws by weight, `routewise` by cost and speed, `greedy` fills the local server first.
enum class RouterKind : std::uint8_t { fixed, routewise, greedy };

/// `[models.NAME]`: a name that clients send, served by a router over a pool of endpoints.
struct Model {
    std::string id;
    std::vector<std::string> aliases;
    RouterKind router = RouterKind::fixed;
    /// `router_params` as one JSON object; the strategy's own reader judges it. Empty: none were given.
    std::string parametersJson;
    std::vector<Route> routes;  ///< in the order of the file

    [[nodiscard]] bool answersTo(std::string_view name) const;
};

/// `[circuits]`: when an endpoint rests after failures, for how long.
struct CircuitSettings {
    std::uint32_t consecutiveFailures = 3;
    double minAvailability = 0.7;  ///< below it the circuit opens
    std::uint32_t window = 20;     ///< attempts that availability looks back on
    std::uint32_t minAttempts = 10;
    std::chrono::milliseconds coolFor{30'000};
    std::chrono::seconds maxRetryAfter{24 * 3600};  ///< no upstream may close itself off for longer
    bool operator==(const CircuitSettings&) const = default;
};

[[nodiscard]] std::string_view toString(Resource::Kind value);
[[nodiscard]] std::string_view toString(RouteKind value);
[[nodiscard]] std::string_view toString(Billing value);
[[nodiscard]] std::string_view toString(RouterKind value);

}  // namespace signalbox::config
