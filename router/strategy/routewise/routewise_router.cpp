// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/routewise_router.h"

#include "router/strategy/parameter_reader.h"
#include "router/strategy/routewise/router.h"

#include <algorithm>

namespace signalbox::strategy {
namespace {

using config::Billing;

Finding finding(Severity severity, std::string code, std::string pointer, std::string message, std::string hint) {
    Finding out;
    out.severity = severity;
    out.code = std::move(code);
    out.pointer = std::move(pointer);
    out.message = std::move(message);
    out.hint = std::move(hint);
    return out;
}

tl::expected<routewise::Parameters, Findings> parametersFor(const PoolSpec& spec) {
    const OrderedJson json = parametersOf(spec.model.parametersJson);
    return routewise::readParameters(json, spec.parametersPath);
}

std::size_t billedBy(const config::Model& model, Billing billing) {
    return static_cast<std::size_t>(std::count_if(model.routes.begin(), model.routes.end(),
                                                  [&](const config::Route& route) { return route.billing == billing; }));
}

/// A quota's shadow price moves between what requests cost where tokens are paid for; without any such price it never
/// takes a request (`envelope_uncalibrated`).
void checkQuotas(const PoolSpec& spec, const routewise::Parameters& parameters, Findings& findings) {
    const std::size_t quotas = billedBy(spec.model, Billing::quota);
    if (quotas == 0 || billedBy(spec.model, Billing::onDemand) > 0 || parameters.referenceApiPrice) return;
    const bool nothingElse = quotas == spec.model.routes.size();
    findings.push_back(finding(nothingElse ? Severity::error : Severity::warning, "quota_without_price", spec.parametersPath,
                               "The pool " + spec.model.id + " has routes paid by quota but no price to weigh them by, so they never serve",
                               "Set reference_api_price, or add a route with provider_type = \"on_demand\""));
}

void checkHedging(const PoolSpec& spec, const routewise::Parameters& parameters, Findings& findings) {
    if (parameters.hedgeMode == routewise::HedgeMode::disabled) return;
    if (!parameters.hedgeSpendCapUsdPerHour)
        findings.push_back(finding(Severity::warning, "hedge_without_spend_cap", spec.parametersPath + ".latency_hedge_mode",
                                   "Hedging sends some requests twice, and no limit says what that may cost",
                                   "Set hedge_spend_cap_usd_per_hour"));
    if (spec.model.routes.size() < 2)
        findings.push_back(finding(Severity::warning, "hedge_without_backup", spec.parametersPath + ".latency_hedge_mode",
                                   "Hedging needs a second route to send its backup to", "Add a route or leave hedging off"));
}

}  // namespace

Findings checkRouteWisePool(const PoolSpec& spec) {
    const auto parameters = parametersFor(spec);
    if (!parameters) return parameters.error();
    Findings findings;
    checkQuotas(spec, *parameters, findings);
    checkHedging(spec, *parameters, findings);
    return findings;
}

PoolResult makeRouteWisePool(const PoolSpec& spec, const RouterContext& context) {
    const auto parameters = parametersFor(spec);
    if (!parameters) return tl::unexpected(parameters.error());
    auto pool = std::make_shared<const routewise::Pool>(spec, *parameters, context);
    return std::make_shared<routewise::RouteWiseRouter>(std::move(pool), std::make_shared<TimerWaiter>());
}

}  // namespace signalbox::strategy
