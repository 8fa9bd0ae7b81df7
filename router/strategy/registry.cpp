// SPDX-License-Identifier: MIT
#include "router/strategy/registry.h"

#include "router/strategy/fixed/fixed_router.h"
#include "router/strategy/greedy/greedy_router.h"
#include "router/strategy/hybrid/hybrid_router.h"
#include "router/strategy/routewise/routewise_router.h"

#include <iterator>

namespace signalbox::strategy {
namespace {

using config::RouterKind;

PoolSpec specOf(const config::Model& model) {
    const bool bare = model.id.find_first_of(". \"") == std::string::npos;
    return {model, "models." + (bare ? model.id : '"' + model.id + '"') + ".router_params"};
}

Findings check(const PoolSpec& spec) {
    switch (spec.model.router) {
    case RouterKind::fixed: return checkFixedPool(spec);
    case RouterKind::routewise: return checkRouteWisePool(spec);
    case RouterKind::greedy: return checkGreedyPool(spec);
    }
    return {};
}

PoolResult build(const PoolSpec& spec, const RouterContext& context) {
    switch (spec.model.router) {
    case RouterKind::fixed:
        return asksForComposition(spec) ? makeHybridPool(spec, context) : makeFixedPool(spec, context);
    case RouterKind::routewise: return makeRouteWisePool(spec, context);
    case RouterKind::greedy: return makeGreedyPool(spec, context);
    }
    return makeFixedPool(spec, context);
}

void locate(Findings& findings, const config::GatewayConfig& config) {
    for (Finding& finding : findings) {
        if (finding.position.line != 0) continue;
        // The nearest part of the path that stands in the file.
        for (std::string path = finding.pointer; !path.empty();) {
            if (const auto at = config.positions.find(path); at != config.positions.end()) {
                finding.position = at->second;
                break;
            }
            const std::size_t dot = path.rfind('.');
            path.resize(dot == std::string::npos ? 0 : dot);
        }
    }
}

}  // namespace

tl::expected<PoolRouters, Findings> buildRouters(const RouterContext& context) {
    PoolRouters routers;
    Findings findings = checkRouters(context.config);
    if (hasErrors(findings)) return tl::unexpected(std::move(findings));
    for (const config::Model& model : context.config.models) {
        auto router = build(specOf(model), context);
        if (router) {
            routers.emplace(model.id, std::move(*router));
        } else {
            locate(router.error(), context.config);
            findings.insert(findings.end(), std::move_iterator(router.error().begin()), std::move_iterator(router.error().end()));
        }
    }
    if (hasErrors(findings)) return tl::unexpected(std::move(findings));
    return routers;
}

Findings checkRouters(const config::GatewayConfig& config) {
    Findings findings;
    for (const config::Model& model : config.models) {
        Findings one = check(specOf(model));
        findings.insert(findings.end(), std::move_iterator(one.begin()), std::move_iterator(one.end()));
    }
    locate(findings, config);
    return findings;
}

}  // namespace signalbox::strategy
