// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/serving.h"

namespace signalbox::gateway {

/// What the caller of one request may still use: requests a minute and the month's budget, both from the policy, held
/// against what the process knows that it used. A caller without a principal has no limits.
class PrincipalLimits {
public:
    PrincipalLimits(const Serving& serving, const Caller& caller, const Clock& clock);

    [[nodiscard]] const config::Principal* principal() const { return m_principal; }
    /// Null without a principal.
    [[nodiscard]] const std::shared_ptr<capacity::PrincipalAccount>& account() const { return m_account; }

    /// Counts the request, or says 429 with the moment at which another one is possible.
    [[nodiscard]] std::optional<EdgeError> admit() const;
    /// 429 when the month's hard budget is used up.
    [[nodiscard]] std::optional<EdgeError> checkBudget() const;
    /// The same, with a cost (US dollars, estimate) that is about to come on top.
    [[nodiscard]] bool affords(double estimateUsd) const;
    /// Before one attempt: refuses it when its estimated cost does not fit.
    [[nodiscard]] std::optional<dispatch::UpstreamFailure>
    checkAttempt(const policy::RouteTarget& target, const classify::RequestFeatures& features) const;
    [[nodiscard]] double estimateUsd(std::string_view providerId, std::string_view model,
                                     const classify::RequestFeatures& features) const;
    [[nodiscard]] bool hasHardBudget() const;
    /// From the soft budget on.
    [[nodiscard]] bool isOverSoft() const;
    [[nodiscard]] EdgeError budgetError() const;

private:
    const config::GatewayConfig& m_config;
    const Clock& m_clock;
    const config::Principal* m_principal = nullptr;
    std::shared_ptr<capacity::PrincipalAccount> m_account;
};

} // namespace signalbox::gateway
