// SPDX-License-Identifier: MIT
#include "router/config/registry/registry_endpoint.h"

#include "router/base/text.h"

#include <algorithm>
#include <array>

namespace signalbox::config {
namespace {

constexpr auto kChanged = ImportOutcome::changed;

// Adapters of that system that speak OpenAI's protocol to a service of that name.
constexpr std::array<std::string_view, 16> kServices{"openai",   "openrouter", "chutes",   "featherless", "cliproxy", "deepseek", "kimi",    "kimi_coding",
                                                     "minimax",  "zai",        "zhipu",    "ollama",      "staging",  "llama",    "mistral", "together"};
constexpr std::array<std::string_view, 4> kGeneral{"openai_compat", "openai-compatible", "openai_compatible", "cloud"};
constexpr std::array<std::string_view, 2> kOwnServers{"vllm", "sglang"};
constexpr std::array<std::string_view, 5> kOtherProtocols{"gemini", "claude", "vertex", "bedrock", "codex_sub"};
/// What people write where a server wants a key and does not look at it.
constexpr std::array<std::string_view, 8> kPlaceholders{"empty", "none", "dummy", "no-key", "not-needed", "no-key-required", "sk-no-key-required", "unused"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// `host:port` without scheme and path.
std::string_view authorityOf(std::string_view url) {
    const std::size_t scheme = url.find("://");
    const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
    return url.substr(begin, url.find_first_of("/?#", begin) - begin);
}

/// Some step of the path reads v1, v4, v1beta.
bool hasVersion(std::string_view url) {
    const std::size_t authority = url.find("://") + 3;
    for (std::size_t slash = url.find('/', authority); slash != std::string_view::npos; slash = url.find('/', slash + 1)) {
        const std::string_view step = url.substr(slash + 1, url.find('/', slash + 1) - slash - 1);
        if (step.size() > 1 && step[0] == 'v' && step[1] >= '0' && step[1] <= '9') return true;
    }
    return false;
}

/// Says why an address cannot be used. Never repeats it: a user name, password or key may be in it.
std::string_view troubleWith(std::string_view url) {
    if (!url.starts_with("http://") && !url.starts_with("https://")) return "the address begins with neither http:// nor https://";
    if (authorityOf(url).find('@') != std::string_view::npos) return "the address holds a user name or password, which must not stand in a file";
    if (authorityOf(url).empty() || authorityOf(url).front() == ':') return "the address names no host";
    if (url.find_first_of("?#") != std::string_view::npos) return "the address has a query or fragment, to which no path can be added";
    const bool plain = std::all_of(url.begin(), url.end(), [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f; });
    return plain ? std::string_view() : "the address holds a space or control character";
}

void takeUrl(RegistrySection& from, const AdapterKind& kind, std::string url, RegistryRoute& out) {
    while (url.ends_with('/')) url.pop_back();
    if (kind.protocol == Protocol::openaiCompat && kind.appendsVersion && !hasVersion(url)) {
        url += "/v1";
        from.context().report.addOnce(kChanged, "version_added", url, from.placeOf("base_url"),
                                      "that system adds /v1 to an address without a version; it is written out here");
    }
    out.baseUrl = std::move(url);
}

RegistryKey keyOf(const std::string& written, const RegistryPlace& place, RegistrySection& from) {
    const RegistryText reference = readReference(written);
    ImportReport& report = from.context().report;
    RegistryKey out{reference.variable, {}, place};
    if (!reference.variable) {
        out.literal = reference.text.value_or(std::string());
    } else if (reference.text) {
        report.add(ImportOutcome::notCarried, "key_default", place, "the default behind :- is a key, which must not stand in a file",
                   "Set " + *reference.variable + " wherever the gateway runs.");
    }
    return out;
}

void addKey(const YamlNode& node, const RegistryPlace& place, RegistrySection& from, std::vector<RegistryKey>& out) {
    if (node.kind != YamlNode::Kind::scalar) {
        from.context().report.add(ImportOutcome::notCarried, "key_form", place, "a key is a text or ${NAME}");
        return;
    }
    const std::string written(trimmed(node.text));
    if (written.empty()) return;
    if (contains(kPlaceholders, asciiLower(written))) {
        from.context().report.addOnce(kChanged, "key_placeholder", {}, place, "a placeholder instead of a key: requests go out without one");
        return;
    }
    RegistryKey key = keyOf(written, place, from);
    const bool twice = std::any_of(out.begin(), out.end(), [&](const RegistryKey& k) { return k.variable == key.variable && k.literal == key.literal; });
    if (!twice) out.push_back(std::move(key));
}

void addKeys(RegistrySection& from, std::string_view name, std::vector<RegistryKey>& out) {
    const YamlNode* node = from.take(name);
    if (node == nullptr) return;
    const RegistryPlace place = from.placeOf(name);
    if (node->kind != YamlNode::Kind::list) return addKey(*node, place, from, out);
    for (std::size_t i = 0; i < node->items.size(); ++i)
        addKey(*node->items[i], {place.path + "[" + std::to_string(i) + "]", node->items[i]->at}, from, out);
}

}  // namespace

std::optional<AdapterKind> readAdapterKind(RegistrySection& section, std::string_view key, const std::string& word) {
    AdapterKind out;
    std::string name = asciiLower(word);
    if (name.starts_with("openrouter[")) {
        section.say(ImportOutcome::notCarried, "openrouter_pin", key, "the upstream named in brackets is a field of the request, which is passed on as the client sent it",
                    "Prices and speed are then those of whichever upstream OpenRouter takes.");
        name = "openrouter";
    }
    if (contains(kOtherProtocols, name)) {
        section.say(ImportOutcome::notCarried, "protocol_unknown", key, "this gateway does not speak the protocol of " + section.shown(word) + ", so the route is left out",
                    "Use the service's OpenAI-compatible address, if it has one.");
        return std::nullopt;
    }
    out.appendsVersion = name != "zai" && name != "zhipu";
    if (name == "anthropic") {
        out.protocol = Protocol::anthropic;
        out.label = name;
    } else if (contains(kServices, name)) {
        out.label = name;
    } else if (name == "local" || contains(kOwnServers, name)) {
        out.where = RouteKind::local;
    } else if (name == "cloud" || name == "remote") {
        out.where = RouteKind::cloud;
    } else if (!contains(kGeneral, name)) {
        out.label = section.context().secrets.inside(word) ? std::string() : name;
        section.context().report.addOnce(kChanged, "kind_unknown", name, section.placeOf(key),
                                         section.shown(word) + " is no kind that is known here; it is taken to speak OpenAI's protocol", "Check it.");
    }
    return out;
}

bool readRegistryAddress(RegistrySection& from, const AdapterKind& kind, RegistryRoute& out) {
    out.kind = kind.where.value_or(RouteKind::cloud);
    const auto written = from.text("base_url");
    if (!written) return false;
    RegistryText reference = readReference(*written);
    if (reference.mixed) {
        from.say(ImportOutcome::notCarried, "address_mixed", "base_url", "a variable inside of an address is not expanded, neither there nor here, so the route is left out",
                 "Put the whole address into one variable.");
        return false;
    }
    if (reference.text) {
        if (const std::string_view trouble = troubleWith(*reference.text); !trouble.empty()) {
            from.say(ImportOutcome::notCarried, "address_invalid", "base_url", std::string(trouble) + ", so the route is left out");
            return false;
        }
        takeUrl(from, kind, *reference.text, out);
        // `kind: cloud` on a local host is somebody's decision; an adapter's name is none.
        const bool said = kind.where == RouteKind::cloud;
        if (!said) out.kind = isLocalHost(hostOf(*out.baseUrl)) ? RouteKind::local : kind.where.value_or(RouteKind::cloud);
    }
    if (reference.variable) {
        out.baseUrlEnv = reference.variable;
        if (kind.protocol == Protocol::openaiCompat && kind.appendsVersion)
            from.context().report.addOnce(kChanged, "address_variable", *reference.variable, from.placeOf("base_url"),
                                          "the address in " + *reference.variable + " is used as it is, without adding /v1",
                                          "Let it end with the version, like http://host:8000/v1.");
    }
    return true;
}

std::vector<RegistryKey> readRegistryKeys(RegistrySection& route, RegistrySection& model) {
    std::vector<RegistryKey> out;
    addKeys(route, "api_keys", out);
    addKeys(route, "api_key", out);
    if (route.take("api_key") != nullptr || route.take("api_keys") != nullptr) return out;
    addKeys(model, "api_keys", out);
    addKeys(model, "api_key", out);
    return out;
}

bool isLocalHost(std::string_view host) { return isLoopbackHost(host) || host == "0.0.0.0" || host == "host.docker.internal"; }

std::string hostOf(std::string_view baseUrl) {
    const std::string_view authority = authorityOf(baseUrl);
    if (authority.starts_with('[')) return std::string(authority.substr(1, authority.find(']') - 1));
    return asciiLower(authority.substr(0, authority.find(':')));
}

std::string portOf(std::string_view baseUrl) {
    const std::string_view authority = authorityOf(baseUrl);
    const std::size_t colon = authority.rfind(':');
    const bool inBrackets = authority.find(']') != std::string_view::npos && colon < authority.find(']');
    return colon == std::string_view::npos || inBrackets ? std::string() : std::string(authority.substr(colon + 1));
}

}  // namespace signalbox::config
