// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/classify/features.h"
#include "router/config/types.h"

#include <optional>
#include <string>

/// Which target can carry what a request asks for. An upstream that speaks the request's own dialect carries everything;
/// one that speaks the other gets a translation (`router/upstream/translate`), and what the translation has no words for
/// is listed in `classify::Peculiarity`. Nothing is lost silently: such a target is no choice, and the reason is shown.
namespace signalbox::policy {

struct RouteTarget;

/// What a provider of that protocol cannot carry of a request in `dialect` that is peculiar in `peculiarities`. `simulated`
/// speaks both.
[[nodiscard]] classify::PeculiaritySet uncarried(config::Protocol protocol, classify::Dialect dialect,
                                                 const classify::PeculiaritySet& peculiarities);

/// What decides of a provider which requests it can carry.
struct Carrier {
    config::Protocol protocol = config::Protocol::openaiCompat;
    std::uint32_t maxStopSequences = config::kUsualStopSequences;
};
[[nodiscard]] inline Carrier carrierOf(const config::Provider& provider) { return {provider.protocol, provider.maxStopSequences}; }

/// The same for a provider, which has a limit of its own for stop sequences: beyond it the set names the limit.
[[nodiscard]] classify::PeculiaritySet uncarried(const Carrier& carrier, classify::Dialect dialect,
                                                 const classify::PeculiaritySet& peculiarities, std::uint32_t stopSequences);

/// The same for a target: its provider's, and of a pool what none of its routes can carry; empty as soon as one can.
[[nodiscard]] classify::PeculiaritySet uncarried(const config::GatewayConfig& config, const RouteTarget& target,
                                                 const classify::RequestFeatures& features);

/// badInput naming the first field and the provider, `where` being the field; nullopt when everything is carried.
[[nodiscard]] std::optional<Error> refusalOfCarrying(const config::GatewayConfig& config, const RouteTarget& target,
                                                     const classify::RequestFeatures& features);

/// The field of the first of them: as the body names it where that is known, else by `classify::fieldOf`.
[[nodiscard]] std::string firstField(const classify::PeculiaritySet& set);

/// `cannot carry top_k and more than 4 stop sequences`, or what operation its protocol lacks; empty for an empty set. Goes on
/// after the target's name.
[[nodiscard]] std::string cannotCarry(const classify::PeculiaritySet& set);

}  // namespace signalbox::policy
