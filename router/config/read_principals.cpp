// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/config/read_parts.h"

#include <algorithm>
#include <map>

namespace signalbox::config {
namespace {

const std::vector<std::string> kLengths{"short", "medium", "long"};
const std::vector<std::string> kCategories{"code"};

void readHints(Section& section, Principal& principal) {
    auto hints = section.section("hints");
    if (!hints) return;
    if (const auto index = hints->wordIndex("expected_length", kLengths))
        principal.defaultExpectedLength = kLengths[*index];
    if (const auto index = hints->wordIndex("category", kCategories)) principal.defaultCategory = kCategories[*index];
    if (const auto tokens = hints->integer("input_tokens", 0, std::int64_t{1} << 40))
        principal.defaultInputTokens = std::to_string(*tokens);
    hints->finish();
}

void readToken(Section& section, Principal& principal) {
    principal.tokenEnv = section.environmentName("token_env");
    if (const auto hash = section.text("token_sha256")) {
        const auto bytes = fromHex(*hash);
        if (bytes && bytes->size() == 32)
            principal.tokenSha256 = asciiLower(*hash);
        else
            section.report(Severity::error, "token_hash_invalid", "token_sha256",
                           "the SHA-256 of the token is needed, 64 hexadecimal digits",
                           "Compute it with: printf %s TOKEN | sha256sum");
    }
    if (!section.has("token_env") && !section.has("token_sha256"))
        section.reportHere(Severity::warning, "principal_without_token", "nobody can be this principal without a token",
                           "Add token_env = \"NAME\" or token_sha256.");
}

/// The list `key` as far as it was understood; `check` judges each of its names.
template <class Check>
std::optional<std::vector<std::string>> readList(Section& section, std::string_view key, Check check) {
    if (!section.has(key)) return std::nullopt;
    const auto located = section.locatedTexts(key);
    std::vector<std::string> out;
    for (const LocatedText& name : located) {
        if (isBlank(name.value))
            section.reportAt(Severity::error, "blank_value", name, "a blank text has no meaning here", "Remove it from the list.");
        else
            check(name);
        out.push_back(name.value);
    }
    if (located.empty())
        section.report(Severity::note, "nothing_allowed", key, "an empty list allows nothing at all",
                       "Remove the line to allow everything.");
    return out;
}

void readAllowed(Section& section, const GatewayConfig& config, Principal& principal) {
    std::vector<std::string> groups;
    for (const SmartGroup& group : config.routing.groups) groups.push_back(group.id);
    const auto providers = providerIds(config);
    const auto isIn = [](const std::vector<std::string>& known, const std::string& name) {
        return std::find(known.begin(), known.end(), name) != known.end();
    };
    principal.allowedGroups = readList(section, "allowed_groups", [&](const LocatedText& id) {
        if (isIn(groups, id.value)) return;
        const SmartGroup* called = config.findGroupByAlias(id.value);
        section.reportAt(Severity::error, "allowed_group_unknown", id, "there is no smart group " + inQuotes(id.value),
                         called != nullptr ? "It is an alias of the group " + inQuotes(called->id) + ": write that."
                                           : didYouMean(id.value, groups));
    });
    principal.allowedProviders = readList(section, "allowed_providers", [&](const LocatedText& id) {
        if (!isIn(providers, id.value))
            section.reportAt(Severity::error, "allowed_provider_unknown", id, "there is no provider " + inQuotes(id.value),
                             didYouMean(id.value, providers));
    });
    // Models of the table are known only together with it: see crossCheck.
    principal.allowedModels = readList(section, "allowed_models", [](const LocatedText&) {});
}

void readLimits(Section& section, Principal& principal) {
    if (const auto requests = section.integer("requests_per_minute", 1, 1'000'000))
        principal.requestsPerMinute = static_cast<std::uint32_t>(*requests);
    principal.monthlyBudgetSoftUsd = section.number("monthly_budget_soft_usd", 0.01, 1e9);
    principal.monthlyBudgetHardUsd = section.number("monthly_budget_hard_usd", 0.01, 1e9);
    if (principal.monthlyBudgetSoftUsd && principal.monthlyBudgetHardUsd &&
        *principal.monthlyBudgetSoftUsd > *principal.monthlyBudgetHardUsd)
        section.report(Severity::warning, "budget_soft_above_hard", "monthly_budget_soft_usd",
                       "the warning would never come, for requests are refused before", "Make it the smaller of the two.");
}

void checkDistinct(const std::vector<Principal>& principals, std::vector<Section>& sections) {
    std::map<std::string, std::string> owners;
    for (std::size_t i = 0; i < principals.size(); ++i) {
        const auto claim = [&](const std::optional<std::string>& token, std::string_view key) {
            if (!token) return;
            const auto [at, fresh] = owners.emplace(*token, principals[i].id);
            if (!fresh)
                sections[i].report(Severity::error, "principal_token_shared", key,
                                   "principal " + inQuotes(at->second) + " has the same token",
                                   "Give each principal its own.");
        };
        claim(principals[i].tokenEnv, "token_env");
        claim(principals[i].tokenSha256, "token_sha256");
    }
}

}  // namespace

void readPrincipals(Section& root, GatewayConfig& config) {
    std::vector<Section> sections;
    for (auto& [id, section] : root.children("principals")) {
        Principal principal;
        principal.id = id;
        if (isBlank(id) || id.size() > 80 || hasControl(id))
            section.reportHere(Severity::error, "principal_id_invalid", "a principal id has 1 to 80 bytes on one line");
        if (auto team = section.text("team")) principal.team = std::move(*team);
        readToken(section, principal);
        if (const auto pin = section.boolean("may_pin")) principal.mayPin = *pin;
        readHints(section, principal);
        readAllowed(section, config, principal);
        readLimits(section, principal);
        section.finish();
        config.principals.push_back(std::move(principal));
        sections.push_back(section);
    }
    checkDistinct(config.principals, sections);
}

}  // namespace signalbox::config
