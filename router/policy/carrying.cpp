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

/// Only that protocol has more of them than the other one takes.
constexpr std::string_view kStopSequences = "stop_sequences";

std::string_view protocolName(Dialect dialect) { return dialect == Dialect::openai ? "OpenAI" : "Anthropic"; }

/// Calls `visit(peculiarity)` for each of them, in their order.
template <class Visit>
void forEach(const PeculiaritySet& set, Visit visit) {
    for (int i = 0; i < classify::kPeculiarities; ++i)
        if (const auto one = static_cast<Peculiarity>(i); set.contains(one)) visit(one);
}

bool hasStopLimit(const PeculiaritySet& set) { return set.contains(Peculiarity::stopWords) && set.mostStopWords() > 0; }

std::string fieldsOf(const PeculiaritySet& set) {
    std::string out;
    forEach(set, [&](Peculiarity one) {
        const bool isLimit = one == Peculiarity::stopWords && hasStopLimit(set);
        out += out.empty() ? "" : " and ";
        out += isLimit ? "more than " + std::to_string(set.mostStopWords()) + " stop sequences" : std::string(classify::fieldOf(one));
    });
    return out;
}

/// What completes a sentence about who cannot carry it, and what to do.
struct CarryingWords {
    std::string cannot, hint;
};

/// It could be said, were there not so many of them; and some providers take more than has been said of them.
CarryingWords wordsOfStopLimit(const PeculiaritySet& lost, std::uint32_t stopSequences) {
    return {"takes at most " + std::to_string(lost.mostStopWords()) + " stop sequences, and this request has " +
                std::to_string(stopSequences),
            "Send fewer, or raise max_stop_sequences of the provider in gateway.toml if it takes more"};
}

CarryingWords wordsOfProtocol(const PeculiaritySet& lost, Dialect own) {
    const Dialect other = own == Dialect::openai ? Dialect::anthropic : Dialect::openai;
    return {"speaks the " + std::string(protocolName(other)) + " protocol, which has no words for " + fieldsOf(lost) +
                " of this request",
            "Leave it out, or ask for a model whose provider speaks the " + std::string(protocolName(own)) + " protocol"};
}

CarryingWords wordsFor(const PeculiaritySet& lost, const classify::RequestFeatures& features) {
    if (!hasStopLimit(lost)) return wordsOfProtocol(lost, features.dialect);
    CarryingWords out = wordsOfStopLimit(lost, features.stopSequences);
    PeculiaritySet others = lost;
    others.remove(Peculiarity::stopWords);
    if (others.empty()) return out;
    CarryingWords first = wordsOfProtocol(others, features.dialect);
    first.cannot += ", and " + out.cannot;
    return first;
}

PeculiaritySet uncarriedBy(const config::GatewayConfig& config, std::string_view providerId,
                           const classify::RequestFeatures& features) {
    const config::Provider* provider = config.findProvider(providerId);
    if (provider == nullptr) return {};
    return uncarried(carrierOf(*provider), features.dialect, features.peculiarities, features.stopSequences);
}

/// Of routes that can be called; where none can, that is what is said of it and not this.
PeculiaritySet uncarriedByPool(const config::GatewayConfig& config, std::string_view poolId,
                               const classify::RequestFeatures& features) {
    PeculiaritySet all;
    bool allLoseStopWords = true;
    const config::Model* pool = config.findModel(poolId);
    if (pool == nullptr) return all;
    for (const config::Route& route : pool->routes) {
        const config::Provider* provider = config.findProvider(route.provider);
        if (provider == nullptr || !provider->isCallable()) continue;
        const PeculiaritySet own = uncarriedBy(config, route.provider, features);
        if (own.empty()) return own;
        allLoseStopWords = allLoseStopWords && own.contains(Peculiarity::stopWords);
        all.add(own);
    }
    // The one thing that providers of the same protocol differ in, and all are spoken of here.
    if (!allLoseStopWords) all.remove(Peculiarity::stopWords);
    return all;
}

}  // namespace

PeculiaritySet uncarried(config::Protocol protocol, Dialect dialect, const PeculiaritySet& peculiarities) {
    const auto spoken = dialectOf(protocol);
    return !spoken || *spoken == dialect ? PeculiaritySet{} : peculiarities;
}

PeculiaritySet uncarried(const Carrier& carrier, Dialect dialect, const PeculiaritySet& peculiarities, std::uint32_t stopSequences) {
    PeculiaritySet out = uncarried(carrier.protocol, dialect, peculiarities);
    if (dialect != Dialect::anthropic || carrier.protocol != config::Protocol::openaiCompat || stopSequences == 0) return out;
    // Classification goes by OpenAI's own limit.
    if (stopSequences > carrier.maxStopSequences) out.addStopWordsBeyond(carrier.maxStopSequences);
    else out.remove(Peculiarity::stopWords);
    return out;
}

PeculiaritySet uncarried(const config::GatewayConfig& config, const RouteTarget& target,
                         const classify::RequestFeatures& features) {
    if (features.peculiarities.empty() && features.stopSequences == 0) return {};
    return target.isPool() ? uncarriedByPool(config, target.pool.value_or(target.model), features)
                           : uncarriedBy(config, target.providerId, features);
}

std::optional<Error> refusalOfCarrying(const config::GatewayConfig& config, const RouteTarget& target,
                                       const classify::RequestFeatures& features) {
    const PeculiaritySet lost = uncarried(config, target, features);
    if (lost.empty()) return std::nullopt;
    CarryingWords words = wordsFor(lost, features);
    const std::string who = target.isPool() ? "every provider of the model " + inQuotes(target.model)
                                            : "provider " + inQuotes(target.providerId);
    return Error{ErrorKind::badInput, who + ' ' + words.cannot, firstField(lost), std::move(words.hint)};
}

std::string firstField(const PeculiaritySet& set) {
    std::string out;
    forEach(set, [&](Peculiarity one) {
        if (!out.empty()) return;
        out = one == Peculiarity::stopWords && hasStopLimit(set) ? kStopSequences : classify::fieldOf(one);
    });
    return out;
}

std::string cannotCarry(const PeculiaritySet& set) {
    return set.empty() ? std::string() : "cannot carry " + fieldsOf(set);
}

}  // namespace signalbox::policy
