// SPDX-License-Identifier: MIT
#include "router/upstream/request_headers.h"

#include "router/base/text.h"

#include <algorithm>
#include <array>

namespace signalbox::upstream {

namespace {

constexpr std::array<std::string_view, 16> kReserved{
    "host", "content-length", "content-type", "transfer-encoding", "connection", "keep-alive", "proxy-connection",
    "proxy-authorization", "te", "trailer", "upgrade", "expect", "accept", "accept-encoding", "authorization", "x-api-key"};

bool isTokenByte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool isValueByte(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != '\x7f'); }

void addLine(std::string& lines, std::string_view name, std::string_view value) {
    lines.append(name).append(": ").append(value).append("\r\n");
}

bool isCredential(std::string_view name) {
    const std::string lower = asciiLower(name);
    return lower == "authorization" || lower == "x-api-key";
}

std::string providerPath(const config::Provider& provider) { return "providers." + provider.id; }

}  // namespace

bool isSendable(std::string_view name, std::string_view value) {
    return !name.empty() && std::ranges::all_of(name, isTokenByte) && std::ranges::all_of(value, isValueByte);
}

bool isReserved(std::string_view name) { return std::ranges::find(kReserved, asciiLower(name)) != kReserved.end(); }

Result<std::optional<std::string>> readApiKey(const config::Provider& provider,
                                              const config::Environment& environment) {
    const std::string where = providerPath(provider) + ".api_key_env";
    if (!provider.apiKeyEnv) {
        if (!provider.apiKeyRequired) return std::nullopt;
        return fail(ErrorKind::badInput, "The provider requires an API key but names no variable that holds it", where,
                    "Set api_key_env, or api_key_required = false");
    }
    const std::optional<std::string> value = environment(*provider.apiKeyEnv);
    const std::string key(value ? trimmed(*value) : std::string_view{});
    if (key.empty()) {
        if (!provider.apiKeyRequired) return std::nullopt;
        return fail(ErrorKind::denied, "The environment variable " + *provider.apiKeyEnv + " is not set or empty", where,
                    "Set " + *provider.apiKeyEnv + " to the API key of provider " + provider.id +
                        " and start again, or write api_key_required = false if it needs none");
    }
    if (!isSendable("authorization", key))
        return fail(ErrorKind::badInput,
                    "The environment variable " + *provider.apiKeyEnv + " holds bytes that no HTTP header may carry", where,
                    "Set it to the key alone, on one line");
    return key;
}

Result<std::string> fixedHeaderLines(const config::Provider& provider, std::string_view hostHeader,
                                     const std::optional<std::string>& apiKey) {
    std::string lines;
    addLine(lines, "Host", hostHeader);
    addLine(lines, "User-Agent", "signalbox/" SIGNALBOX_VERSION);
    addLine(lines, "Accept-Encoding", "identity");
    addLine(lines, "Content-Type", "application/json");
    if (apiKey && provider.protocol == config::Protocol::anthropic) addLine(lines, "x-api-key", *apiKey);
    else if (apiKey) addLine(lines, "Authorization", "Bearer " + *apiKey);
    for (const auto& [name, value] : provider.staticHeaders) {
        const std::string where = providerPath(provider) + ".static_headers." + name;
        if (!isSendable(name, value))
            return fail(ErrorKind::badInput, "The header cannot be sent: its name or value holds forbidden bytes", where,
                        "Use letters, digits and dashes in the name and printable text in the value");
        const bool credential = isCredential(name) && !apiKey;
        if (isReserved(name) && !credential)
            return fail(ErrorKind::badInput, "The header " + name + " is set by the gateway itself", where,
                        "Remove it; credentials belong in api_key_env");
        addLine(lines, name, value);
    }
    return lines;
}

}  // namespace signalbox::upstream
