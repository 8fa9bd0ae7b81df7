// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/section.h"
#include "router/config/types.h"

namespace signalbox::config {

/// `pool:MODEL` names the pool of a model wherever `provider:model` may stand, so that no provider may be called so.
inline constexpr std::string_view kPoolWord = "pool";

// Limits of contract B that several parts share, in bytes of UTF-8.
inline constexpr std::size_t kMaxAliasBytes = 160;
inline constexpr std::size_t kMaxModelBytes = 240;

// One function a part of the file. Each takes the section of the whole file and fills its part of the configuration.
void readServer(Section& root, GatewayConfig& config);
/// Needs server and providers: limits that the budget of a request leaves no room for.
void checkRequestBudget(Section& root, const GatewayConfig& config);
void readEvidence(Section& root, GatewayConfig& config);
void readCircuits(Section& root, GatewayConfig& config);
/// Before the providers, which name them.
void readResources(Section& root, GatewayConfig& config);
void readProviders(Section& root, GatewayConfig& config);
/// These need the providers: aliases name them, presets and groups are checked against them.
void readAliases(Section& root, GatewayConfig& config);
/// Needs resources, providers and aliases; presets may be bound to a model's pool.
void readModels(Section& root, GatewayConfig& config);
void readPresetBindings(Section& root, GatewayConfig& config);
void readRouting(Section& root, GatewayConfig& config);
/// Needs providers and groups, which its lists name.
void readPrincipals(Section& root, GatewayConfig& config);

/// `[routing.policies."NAME"]`, of the section `routing`.
void readPolicies(Section& routing, GatewayConfig& config);
/// What the models of one provider can do: the other system's tables, then ours, which win. Needs the inventory.
void readCapabilities(Section& provider, Provider& out);

/// The words of a profile, in the order in which they are shown.
[[nodiscard]] const std::vector<std::string>& profileWords();
inline constexpr std::size_t kMaxVersionBytes = 64;

[[nodiscard]] std::vector<std::string> providerIds(const GatewayConfig& config);
/// What to do about a model that the provider does not accept: the name that was meant, or the list that is missing.
[[nodiscard]] std::string modelAdvice(const Provider& provider, const std::string& model);
/// Reports a listed name that is too long for a request (F34). What a provider lists may be asked for as `provider:model`, too.
void checkNameLength(Section& section, const LocatedText& name, std::string_view provider = {});
/// True when the text holds a control character of Unicode (category Cc).
[[nodiscard]] bool hasControl(std::string_view text);
[[nodiscard]] bool isBlank(std::string_view text);

}  // namespace signalbox::config
