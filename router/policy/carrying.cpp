// SPDX-License-Identifier: MIT
#include "router/policy/carrying.h"

#include "router/policy/phrases.h"
#include "router/policy/resolve.h"

namespace signalbox::policy {

namespace {

using classify::Dialect;
using classify::Peculiarity;
using classify::PeculiaritySet;

/// What an upstream understands without translation; nullopt: both.
std::optional<Dialect> dialectOf(config::Protocol protocol) {
    switch (protocol) {
        case config::Protocol::openaiCompat: return Dialect::openai;
        case config::Protocol::anthropic: return Dialect::anthropic;
        case config::Protocol::simulated: break;
    }
    return std::nullopt;
}

std::string_view protocolName(Dialect dialect) { return dialect == Dialect::openai ? "OpenAI" : "Anthropic"; }

/// Calls `visit(peculiarity)` for each of them, in their order.
template <class Visit>
void forEach(const PeculiaritySet& set, Visit visit) {
    for (int i = 0; i < classify::kPeculiarities; ++i)
        if (const auto one = static_cast<Peculiarity>(i); set.contains(one)) visit(one);
}

std::string fieldsOf(const PeculiaritySet& set) {
    std::string out;
    forEach(set, [&](Peculiarity one) { out += (out.empty() ? "" : " and ") + std::string(classify::fieldOf(one)); });
    return out;
}

PeculiaritySet uncarriedBy(const config::GatewayConfig& config, std::string_view providerId,
                           const classify::RequestFeatures& features) {
    const config::Provider* provider = config.findProvider(providerId);
    return provider == nullptr ? PeculiaritySet{} : uncarried(provider->protocol, features.dialect, features.peculiarities);
}

/// Of routes that can be called; where none can, that is what is said of it and not this.
PeculiaritySet uncarriedByPool(const config::GatewayConfig& config, std::string_view poolId,
                               const classify::RequestFeatures& features) {
    PeculiaritySet all;
    const config::Model* pool = config.findModel(poolId);
    if (pool == nullptr) return all;
    for (const config::Route& route : pool->routes) {
        const config::Provider* provider = config.findProvider(route.provider);
        if (provider == nullptr || !provider->isCallable()) continue;
        const PeculiaritySet own = uncarriedBy(config, route.provider, features);
        if (own.empty()) return own;
        all.add(own);
    }
    return all;
}

}  // namespace

PeculiaritySet uncarried(config::Protocol protocol, Dialect dialect, const PeculiaritySet& peculiarities) {
    const auto spoken = dialectOf(protocol);
    return !spoken || *spoken == dialect ? PeculiaritySet{} : peculiarities;
}

PeculiaritySet uncarried(const config::GatewayConfig& config, const RouteTarget& target,
                         const classify::RequestFeatures& features) {
    if (features.peculiarities.empty()) return {};
    return target.isPool() ? uncarriedByPool(config, target.pool.value_or(target.model), features)
                           : uncarriedBy(config, target.providerId, features);
}

std::optional<Error> refusalOfCarrying(const config::GatewayConfig& config, const RouteTarget& target,
                                       const classify::RequestFeatures& features) {
    const PeculiaritySet lost = uncarried(config, target, features);
    if (lost.empty()) return std::nullopt;
    const Dialect own = features.dialect;
    const Dialect other = own == Dialect::openai ? Dialect::anthropic : Dialect::openai;
    const std::string who = target.isPool() ? "every provider of the model " + inQuotes(target.model)
                                            : "provider " + inQuotes(target.providerId);
    return Error{ErrorKind::badInput,
                 who + " speaks the " + std::string(protocolName(other)) + " protocol, which has no words for " + fieldsOf(lost) +
                     " of this request",
                 firstField(lost),
                 "Leave it out, or ask for a model whose provider speaks the " + std::string(protocolName(own)) + " protocol"};
}

std::string firstField(const PeculiaritySet& set) {
    std::string out;
    forEach(set, [&](Peculiarity one) {
        if (out.empty()) out = classify::fieldOf(one);
    });
    return out;
}

std::string cannotCarry(const PeculiaritySet& set) {
    return set.empty() ? std::string() : "cannot carry " + fieldsOf(set);
}

}  // namespace signalbox::policy
