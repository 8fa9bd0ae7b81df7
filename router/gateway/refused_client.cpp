// SPDX-License-Identifier: MIT
#include "router/gateway/refused_client.h"

#include "router/base/text.h"
#include "router/upstream/failures.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

constexpr std::size_t kMaxAgentBytes = 64;
constexpr std::size_t kMaxVersionBytes = 24;
/// A longer word is no product's name: a token, or meant to keep us busy.
constexpr std::size_t kMaxProductBytes = 256;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view nextWord(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    return word;
}

/// A key may stand where a version should, and is known as one only if nothing stands before it.
std::string withoutKeys(std::string_view product, const std::vector<std::string>& secrets) {
    const std::string clean = upstream::redacted(product, secrets);
    std::string out;
    for (std::size_t from = 0, slash = 0; slash != std::string::npos; from = slash + 1) {
        slash = clean.find('/', from);
        out += upstream::redacted(std::string_view(clean).substr(from, slash - from), {});
        if (slash != std::string::npos)
            out += '/';
    }
    return out;
}

bool isVersion(std::string_view word) {
    return !word.empty() && word.size() <= kMaxVersionBytes && isDigit(word.front()) && std::all_of(word.begin(), word.end(), [](char c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '+';
    });
}

/// `OpenAI/JS 4.20.0` writes it behind a name of two parts.
bool lacksVersion(std::string_view product) {
    const std::size_t slash = product.rfind('/');
    return slash != std::string_view::npos && !isVersion(product.substr(slash + 1));
}

/// What this request brought as its token: a client may have put it into the wrong header, too.
std::vector<std::string> secretsOf(const HttpRequest& head) {
    std::string_view rest = head.authorization;
    const std::string_view scheme = nextWord(rest), token = nextWord(rest);
    return {std::string(token.empty() ? scheme : token), std::string(trimmed(head.apiKey))};
}

} // namespace

std::string agentOf(std::string_view userAgent, const std::vector<std::string>& secrets) {
    const std::string_view product = nextWord(userAgent), version = nextWord(userAgent);
    if (product.size() > kMaxProductBytes)
        return {};
    std::string out = withoutKeys(product, secrets); // before anything is cut: half a key would not be known as one
    if (lacksVersion(product) && isVersion(version))
        out.append(" ").append(upstream::redacted(version, secrets));
    std::erase_if(out, [](char c) { return c < 0x20 || c >= 0x7f; });
    out.resize(std::min(out.size(), kMaxAgentBytes));
    return out;
}

RefusedClient clientOf(const HttpRequest& head, const Connection& connection, const Caller* caller) {
    RefusedClient client;
    client.peer = connection.peerAddress();
    if (!head.userAgent.empty())
        client.agent = agentOf(head.userAgent, secretsOf(head));
    if (caller != nullptr)
        client.principal = caller->id;
    return client;
}

} // namespace signalbox::gateway
