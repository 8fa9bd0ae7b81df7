// SPDX-License-Identifier: MIT
#include "router/evidence/dsn.h"

#include "router/base/text.h"

#include <libpq-fe.h>
#include <map>
#include <memory>
#include <vector>

namespace signalbox::evidence {
namespace {

using Options = std::map<std::string, std::string>;

std::optional<Options> parse(const std::string& dsn) {
    char* rawMessage = nullptr;
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> parsed(PQconninfoParse(dsn.c_str(), &rawMessage),
                                                                              &PQconninfoFree);
    const std::unique_ptr<char, decltype(&PQfreemem)> message(rawMessage, &PQfreemem);
    if (!parsed) return std::nullopt;
    Options options;
    for (const auto* option = parsed.get(); option->keyword != nullptr; ++option)
        if (option->val != nullptr) options.emplace(option->keyword, option->val);
    return options;
}

std::string quoted(const std::string& value) {
    std::string out = "'";
    for (const char c : value) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

void replaceAll(std::string& text, const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

/// The password as it stands in a URI, where it may be percent-encoded.
std::string passwordInUri(const std::string& dsn) {
    const auto scheme = dsn.find("://");
    if (scheme == std::string::npos) return {};
    const auto end = dsn.find('@', scheme);
    const auto colon = dsn.find(':', scheme + 3);
    if (end == std::string::npos || colon == std::string::npos || colon > end) return {};
    return dsn.substr(colon + 1, end - colon - 1);
}

}  // namespace

Result<std::string> completedDsn(const std::string& dsn, const std::string& name) {
    auto options = dsn.empty() ? std::nullopt : parse(dsn);
    if (!options)
        return fail(ErrorKind::badInput, dsn.empty() ? "the connection string is empty" : "this is not a connection string",
                    name, "Write it as postgresql://USER@HOST:PORT/DATABASE or as host=… dbname=… user=…, with its password in it or in ~/.pgpass.");
    options->try_emplace("connect_timeout", "5");
    options->try_emplace("application_name", "signalbox");
    options->try_emplace("keepalives_idle", "10");
    options->try_emplace("keepalives_interval", "5");
    options->try_emplace("keepalives_count", "3");
    options->try_emplace("tcp_user_timeout", "20000");
    std::string out;
    for (const auto& [key, value] : *options) out += key + "=" + quoted(value) + " ";
    return out;
}

std::string redacted(std::string message, const std::string& dsn) {
    while (!message.empty() && (message.back() == '\n' || message.back() == ' ')) message.pop_back();
    replaceAll(message, "\n", "; ");
    replaceAll(message, "\t", " ");
    std::vector<std::string> secrets{passwordInUri(dsn)};
    if (const auto options = parse(dsn))
        for (const char* key : {"password", "sslpassword"})
            if (const auto found = options->find(key); found != options->end()) secrets.push_back(found->second);
    for (const std::string& secret : secrets)
        if (!secret.empty()) replaceAll(message, secret, "(password)");
    return message;
}

}  // namespace signalbox::evidence
