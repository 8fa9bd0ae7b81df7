// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/member_terms.h"

#include "router/strategy/attempt.h"

namespace signalbox::strategy::routewise {
namespace {

using capacity::Quota;
using capacity::Slots;
using config::Billing;

ConcurrencyTerms scarcestSlots(const PoolMember& member) {
    std::optional<ConcurrencyTerms> scarcest;
    for (const auto& resource : member.member.capacity.resources()) {
        const auto* slots = std::get_if<std::shared_ptr<Slots>>(&resource);
        if (slots == nullptr) continue;
        const ConcurrencyTerms now{(*slots)->inUse(), (*slots)->limit()};
        const auto left = [](const ConcurrencyTerms& terms) { return std::int64_t{terms.limit} - terms.active; };
        if (!scarcest || left(now) < left(*scarcest)) scarcest = now;
    }
    return scarcest.value_or(ConcurrencyTerms{});
}

QuotaTerms scarcestQuota(const PoolMember& member, Steady now) {
    std::optional<capacity::QuotaState> scarcest;
    for (const auto& resource : member.member.capacity.resources()) {
        const auto* quota = std::get_if<std::shared_ptr<Quota>>(&resource);
        if (quota == nullptr) continue;
        const auto state = (*quota)->state(now);
        if (!state) return {};  // before the first reading
        if (!scarcest || state->usedFraction > scarcest->usedFraction) scarcest = state;
    }
    return {scarcest};
}

}  // namespace

std::optional<OnDemandTerms> tokenPriceOf(const PoolMember& member) {
    if (member.route.billing != Billing::onDemand || !member.pricing) return std::nullopt;
    return OnDemandTerms{member.pricing->inputPerMillion, member.pricing->outputPerMillion};
}

Terms termsOf(const PoolMember& member, Steady now) {
    switch (member.route.billing) {
    case Billing::quota: return scarcestQuota(member, now);
    case Billing::concurrency: return scarcestSlots(member);
    case Billing::onDemand: break;
    }
    return tokenPriceOf(member).value_or(OnDemandTerms{});
}

std::string whyNotNow(const PoolMember& member, Steady now) {
    if (member.member.endpoint.circuit()->isDrained()) return std::string(kEndpointDrained);
    for (const auto& resource : member.member.capacity.resources()) {
        if (const auto* slots = std::get_if<std::shared_ptr<Slots>>(&resource)) {
            if (member.route.billing != Billing::concurrency && (*slots)->inUse() >= (*slots)->limit())
                return std::string(kNoFreeSlot);
        } else if (member.route.billing != Billing::quota) {
            const auto state = std::get<std::shared_ptr<Quota>>(resource)->state(now);
            if (!state || state->remaining == 0) return std::string(kQuotaExhausted);
        }
    }
    return {};
}

}  // namespace signalbox::strategy::routewise
