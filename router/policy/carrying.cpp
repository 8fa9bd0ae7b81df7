// SPDX-License-Identifier: MIT
#include "router/policy/carrying.h"

#include "router/policy/phrases.h"
#include "router/policy/resolve.h"

#include <array>

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

/// What is said of one of them in a list of them.
std::string saidInList(const PeculiaritySet& set, Peculiarity one) {
    if (one == Peculiarity::stopWords && hasStopLimit(set)) return "more than " + std::to_string(set.mostStopWords()) + " stop sequences";
    const std::string_view named = set.fieldNamed(one);
    return named.empty() ? std::string(classify::saidOf(one)) : inQuotes(named);
}

std::string fieldsOf(const PeculiaritySet& set) {
    std::string out;
    forEach(set, [&](Peculiarity one) { out += (out.empty() ? "" : " and ") + saidInList(set, one); });
    return out;
}

/// What is no field that could be left out, but another operation: of its other fields nothing needs to be said.
std::optional<Peculiarity> operationIn(const PeculiaritySet& set) {
    for (const Peculiarity one : {Peculiarity::embeddings, Peculiarity::legacyCompletion})
        if (set.contains(one)) return one;
    return std::nullopt;
}

std::string_view operationName(Peculiarity operation) {
    return operation == Peculiarity::embeddings ? "embeddings" : "completions of a prompt";
}

/// What a protocol has words for, though not for this. `cannot` goes on after its name.
struct Demand {
    Peculiarity what;
    std::string_view cannot, hint;
};
constexpr std::array kDemands{
    Demand{Peculiarity::temperature, "takes no temperature above 1", "Lower it"},
    Demand{Peculiarity::onlySystem, "needs a message of the user, the assistant or a tool that says something, and this request has none",
           "Add one"},
    Demand{Peculiarity::callArguments,
           "takes the arguments of a tool call as a JSON object only, and those of an earlier call in messages are none",
           "Correct them"},
    Demand{Peculiarity::stopWords, "takes no stop words of white space", "Leave them out"},
};

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
    const std::string speaks = "speaks the " + std::string(protocolName(other)) + " protocol, which ";
    const std::string elsewhere = "sk for a model whose provider speaks the " + std::string(protocolName(own)) + " protocol";
    if (const auto operation = operationIn(lost)) return {speaks + "has no " + std::string(operationName(*operation)), "A" + elsewhere};
    std::string cannot;
    std::string_view hint = "Leave it out";
    PeculiaritySet wordless = lost;
    for (const Demand& demand : kDemands) {
        if (!lost.contains(demand.what)) continue;
        wordless.remove(demand.what);
        if (cannot.empty()) hint = demand.hint;
        cannot += (cannot.empty() ? "" : ", and ") + std::string(demand.cannot);
    }
    if (!wordless.empty()) {
        cannot = "has no words for " + fieldsOf(wordless) + " of this request" + (cannot.empty() ? "" : ", and " + cannot);
        hint = "Leave it out";
    }
    return {speaks + cannot, std::string(hint) + ", or a" + elsewhere};
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
    if (const auto operation = operationIn(set)) return std::string(classify::fieldOf(*operation));
    std::string out;
    forEach(set, [&](Peculiarity one) {
        if (!out.empty()) return;
        if (const std::string_view named = set.fieldNamed(one); !named.empty()) out = named;
        else out = one == Peculiarity::stopWords && hasStopLimit(set) ? kStopSequences : classify::fieldOf(one);
    });
    return out;
}

std::string cannotCarry(const PeculiaritySet& set) {
    if (const auto operation = operationIn(set)) return "speaks a protocol without " + std::string(operationName(*operation));
    return set.empty() ? std::string() : "cannot carry " + fieldsOf(set);
}

}  // namespace signalbox::policy
