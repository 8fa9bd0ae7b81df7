// SPDX-License-Identifier: MIT
#include "router/base/text.h"
#include "router/config/read_parts.h"

#include <array>
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
        for (const char* key : {"allowed_groups", "allowed_models", "allowed_providers"})
            section.keepUnenforced(key, Kind::texts);
        section.keepUnenforced("requests_per_minute", Kind::integer);
        for (const char* key : {"monthly_budget_soft_usd", "monthly_budget_hard_usd"})
            section.keepUnenforced(key, Kind::number);
        section.finish();
        config.principals.push_back(std::move(principal));
        sections.push_back(section);
    }
    checkDistinct(config.principals, sections);
}

}  // namespace signalbox::config
