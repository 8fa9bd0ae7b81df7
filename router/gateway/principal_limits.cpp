// SPDX-License-Identifier: MIT
#include "router/gateway/principal_limits.h"

#include "router/policy/smart/sizes.h"

#include <cstdio>

namespace signalbox::gateway {

namespace {

constexpr int kTooMany = 429;
constexpr const char* kBudgetCode = "budget_exhausted";

std::string dollars(double usd) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.4f USD", usd);
    return text.data();
}

std::chrono::seconds untilNextMonth(Timestamp now) {
    return std::chrono::ceil<std::chrono::seconds>(capacity::startOfNextMonth(now) - now);
}

} // namespace

PrincipalLimits::PrincipalLimits(const Serving& serving, const Caller& caller, const Clock& clock)
    : m_config(*serving.snapshot->config), m_clock(clock) {
    if (!caller.principal)
        return;
    m_principal = &m_config.principals[*caller.principal];
    m_account = serving.endpoints->process()->principals.of(m_principal->id);
}

std::optional<EdgeError> PrincipalLimits::admit() const {
    if (m_principal == nullptr)
        return std::nullopt;
    const auto wait = m_account->admit(m_principal->requestsPerMinute);
    if (!wait)
        return std::nullopt;
    EdgeError error = edgeError(kTooMany, "too_many_requests_per_minute",
                                "Principal " + m_principal->id + " may send " +
                                    std::to_string(*m_principal->requestsPerMinute) +
                                    " requests a minute and has sent them. Try again in " +
                                    std::to_string(wait->count()) +
                                    " s, or raise requests_per_minute of this principal in gateway.toml.");
    error.retryAfter = *wait;
    return error;
}

bool PrincipalLimits::hasHardBudget() const {
    return m_principal != nullptr && m_principal->monthlyBudgetHardUsd.has_value();
}

bool PrincipalLimits::affords(double estimateUsd) const {
    if (!hasHardBudget())
        return true;
    const double spent = m_account->spentUsd();
    return spent < *m_principal->monthlyBudgetHardUsd && spent + estimateUsd <= *m_principal->monthlyBudgetHardUsd;
}

bool PrincipalLimits::isOverSoft() const {
    return m_principal != nullptr && m_principal->monthlyBudgetSoftUsd &&
           m_account->spentUsd() >= *m_principal->monthlyBudgetSoftUsd;
}

EdgeError PrincipalLimits::budgetError() const {
    EdgeError error =
        edgeError(kTooMany, kBudgetCode,
                  "The monthly budget of principal " + m_principal->id + " does not allow this request: " +
                      dollars(m_account->spentUsd()) + " of " + dollars(*m_principal->monthlyBudgetHardUsd) +
                      " are spent (estimate, calendar month in UTC). Wait for the next month, ask for less output "
                      "or a cheaper model, or raise the hard monthly budget of this principal in gateway.toml.");
    error.retryAfter = untilNextMonth(m_clock.now());
    return error;
}

std::optional<EdgeError> PrincipalLimits::checkBudget() const {
    return affords(0) ? std::nullopt : std::optional(budgetError());
}

double PrincipalLimits::estimateUsd(std::string_view providerId, std::string_view model,
                                    const classify::RequestFeatures& features) const {
    const config::Provider* provider = m_config.findProvider(providerId);
    const auto pricing = provider == nullptr ? std::nullopt : provider->pricingOf(model);
    // What has no price is never added to the spending either.
    if (!pricing)
        return 0;
    const policy::smart::Sizes sizes{features.inputTokens,
                                     features.outputCap.value_or(policy::smart::kDefaultOutputTokens)};
    return policy::smart::estimatedCostUsd(sizes, *pricing);
}

std::optional<dispatch::UpstreamFailure>
PrincipalLimits::checkAttempt(const policy::RouteTarget& target, const classify::RequestFeatures& features) const {
    if (!hasHardBudget() || affords(estimateUsd(target.providerId, target.model, features)))
        return std::nullopt;
    const EdgeError error = budgetError();
    dispatch::UpstreamFailure failure;
    failure.kind = dispatch::UpstreamFailure::Kind::refused;
    failure.status = error.status;
    failure.code = error.code;
    failure.message = error.message;
    failure.retryAfter = error.retryAfter;
    return failure;
}

} // namespace signalbox::gateway
