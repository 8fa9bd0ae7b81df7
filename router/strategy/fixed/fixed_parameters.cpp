// SPDX-License-Identifier: MIT
#include "router/strategy/fixed/fixed_router.h"
#include "router/strategy/parameter_reader.h"

#include <algorithm>
#include <limits>

namespace signalbox::strategy {

tl::expected<FixedParameters, Findings> readFixedParameters(const PoolSpec& spec) {
    FixedParameters out;
    const OrderedJson json = parametersOf(spec.model.parametersJson);
    ParameterReader reader(json, spec.parametersPath, "fixed");
    reader.count("random_seed", out.randomSeed, 0, std::numeric_limits<std::uint64_t>::max());
    reader.flag("session_affinity", out.sessionAffinity);
    reader.flag("hybrid_composition", out.hybridComposition);
    reader.reportUnknown();
    if (!reader.findings().empty()) return tl::unexpected(reader.findings());
    return out;
}

Findings checkFixedPool(const PoolSpec& spec) {
    const auto parameters = readFixedParameters(spec);
    return parameters ? Findings{} : parameters.error();
}

bool asksForComposition(const PoolSpec& spec) {
    const auto parameters = readFixedParameters(spec);
    const auto has = [&](config::RouteKind kind) {
        return std::any_of(spec.model.routes.begin(), spec.model.routes.end(),
                           [&](const config::Route& route) { return route.kind == kind; });
    };
    return parameters && parameters->hybridComposition && has(config::RouteKind::local) && has(config::RouteKind::cloud);
}

}  // namespace signalbox::strategy
