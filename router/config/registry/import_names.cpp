// SPDX-License-Identifier: MIT
#include "router/config/registry/import_names.h"

#include "router/base/text.h"
#include "router/config/registry/registry_endpoint.h"

#include <algorithm>
#include <array>

namespace signalbox::config {
namespace {

constexpr std::size_t kMostProviderBytes = 40;

bool isAddress(std::string_view host) {
    return host.find(':') != std::string_view::npos || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

/// `minimax` of `api.minimax.io`.
std::string serviceOf(const std::string& host) {
    static constexpr std::array<std::string_view, 7> kCommon{"api", "llm", "www", "inference", "gateway", "router", "openai"};
    std::string_view rest = host;
    while (true) {
        const std::size_t dot = rest.find('.');
        const std::string_view first = rest.substr(0, dot);
        const bool common = std::find(kCommon.begin(), kCommon.end(), first) != kCommon.end();
        // The last name is a country or the like, never a service.
        if (dot == std::string_view::npos || !common || rest.find('.', dot + 1) == std::string_view::npos) return std::string(first);
        rest.remove_prefix(dot + 1);
    }
}

std::string ofUrl(const std::string& url) {
    const std::string host = hostOf(url);
    const std::string port = portOf(url);
    if (isLocalHost(host)) return port.empty() ? "local" : "local-" + port;
    if (isAddress(host)) return "host-" + host + (port.empty() ? "" : "-" + port);
    return serviceOf(host);
}

std::string ofVariable(const std::string& variable) {
    static constexpr std::array<std::string_view, 8> kEnds{"_api_base_url", "_base_url", "_api_base", "_api_url", "_server_url", "_endpoint", "_url", "_base"};
    const std::string lower = asciiLower(variable);
    for (const std::string_view end : kEnds)
        if (lower.size() > end.size() && lower.ends_with(end)) return lower.substr(0, lower.size() - end.size());
    return lower;
}

}  // namespace

std::string asName(std::string_view text, std::size_t most) {
    std::string out;
    for (const char c : asciiLower(text)) {
        const bool good = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
        if (good) out += c;
        else if (!out.empty() && out.back() != '-') out += '-';
    }
    if (out.size() > most) out.resize(most);
    while (out.ends_with('-')) out.pop_back();
    return out;
}

std::string providerName(const RegistryRoute& route) {
    std::string name = asName(route.label, kMostProviderBytes);
    if (name.empty() && route.baseUrlEnv) {
        name = asName(ofVariable(*route.baseUrlEnv), kMostProviderBytes);
        std::replace(name.begin(), name.end(), '_', '-');
    }
    if (name.empty() && route.baseUrl) name = asName(ofUrl(*route.baseUrl), kMostProviderBytes);
    return name.empty() ? "provider" : name;
}

std::string keyVariable(std::string_view providerName) {
    std::string out = asName(providerName, kMostProviderBytes);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c == '-' ? '_' : c; });
    // A variable does not begin with a digit.
    if (out.empty() || (out.front() >= '0' && out.front() <= '9')) out.insert(0, "PROVIDER_");
    return out + "_API_KEY";
}

std::string freeName(const std::string& name, std::string_view separator, const std::function<bool(const std::string&)>& isTaken) {
    std::string out = name;
    for (std::size_t n = 2; isTaken(out); ++n) out = name + std::string(separator) + std::to_string(n);
    return out;
}

}  // namespace signalbox::config
