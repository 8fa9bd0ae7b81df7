// SPDX-License-Identifier: MIT
#include "router/gateway/small_routes.h"

#include "router/base/text.h"
#include "router/gateway/anthropic_models.h"
#include "router/gateway/edge.h"
#include "router/gateway/router_status.h"

#include <nlohmann/json.hpp>

namespace signalbox::gateway {

namespace {

tl::expected<SmallAnswer, EdgeError> oneModel(const HttpRequest& request, const ModelCatalogue& models) {
    const ModelPath id = modelPath(request.path());
    for (const std::string& name : {id.decoded, id.raw}) {
        if (const auto found = models.byId.find(name); found != models.byId.end()) {
            const bool isAnthropics = edgeOf(request) == Edge::anthropic;
            return SmallAnswer{200, "application/json", isAnthropics ? anthropicModel(found->second) : found->second};
        }
    }
    std::vector<std::string> known;
    for (const auto& [name, object] : models.byId)
        known.push_back(name);
    std::string near;
    for (const std::string& name : nearNames(id.decoded, known, 3))
        near += (near.empty() ? "" : ", ") + name;
    return tl::unexpected(
        edgeError(404, "model_not_found",
                  "No model \"" + elided(id.decoded, 240) + "\" is served here. " +
                      (near.empty() ? "GET /v1/models lists what is." : "Did you mean " + near + "?"),
                  "model"));
}

/// The caller, if it may not use everything that is served.
const config::Principal* restricted(const Serving& serving, const Caller* caller) {
    if (caller == nullptr || !caller->principal)
        return nullptr;
    const config::Principal& principal = serving.snapshot->config->principals[*caller->principal];
    const bool isRestricted = principal.allowedGroups || principal.allowedModels || principal.allowedProviders;
    return isRestricted ? &principal : nullptr;
}

std::string pageOf(const SharedState& shared, const Serving& serving) {
    PageFacts facts;
    facts.inFlight = shared.inFlight.all();
    facts.draining = shared.draining;
    facts.refusals = shared.refusals.totals();
    for (const Edge edge : {Edge::openai, Edge::anthropic}) {
        facts.inFlightByEdge[static_cast<std::size_t>(edge)] = shared.inFlight.of(edge);
        facts.refusedByEdge[static_cast<std::size_t>(edge)] = shared.refusals.of(edge);
    }
    if (shared.evidence)
        facts.evidence = shared.evidence();
    facts.policy = &serving;
    facts.now = shared.clock.steady();
    return metricsPage(shared.metrics, facts);
}

tl::expected<SmallAnswer, EdgeError> answerModels(Route route, const HttpRequest& request,
                                                  const ModelCatalogue& models) {
    if (route == Route::model)
        return oneModel(request, models);
    if (edgeOf(request) == Edge::openai)
        return SmallAnswer{200, "application/json", models.list};
    return anthropicModelList(models, request.target).map([](std::string body) {
        return SmallAnswer{200, "application/json", std::move(body)};
    });
}

} // namespace

tl::expected<SmallAnswer, EdgeError> answerSmallRoute(Route route, const HttpRequest& request,
                                                      const SharedState& shared, const Serving& serving,
                                                      const Caller* caller) {
    switch (route) {
    case Route::livez:
        return SmallAnswer{200, "application/json", R"({"status":"alive"})"};
    case Route::readyz:
        if (shared.draining)
            return SmallAnswer{503, "application/json", R"({"status":"draining"})", kRetryUnavailable};
        return SmallAnswer{200, "application/json", R"({"status":"ready"})"};
    case Route::metrics:
        return SmallAnswer{200, "text/plain; version=0.0.4; charset=utf-8", pageOf(shared, serving)};
    case Route::modelList:
    case Route::model:
        if (const auto* principal = restricted(serving, caller))
            return answerModels(route, request, catalogueFor(serving, *principal));
        return answerModels(route, request, serving.models);
    case Route::routerStatus:
        return SmallAnswer{200, "application/json", routerStatusJson(serving)};
    case Route::chatCompletions:
    case Route::completions:
    case Route::embeddings:
    case Route::messages:
    case Route::countTokens:
    case Route::admin:
        break;
    }
    return tl::unexpected(
        edgeError(500, "internal_error", "This path needs a body and was handled as if it did not."));
}

} // namespace signalbox::gateway
