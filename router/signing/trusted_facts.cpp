// SPDX-License-Identifier: MIT
#include "router/signing/minisign.h"

#include "router/base/text.h"

#include <charconv>
#include <utility>

namespace signalbox::signing {
namespace {

/// Leaves what reads well and cannot be mistaken for a separator.
bool isPlain(char c) {
    return c > 0x20 && c < 0x7f && c != '%' && c != '=';
}

std::string encoded(std::string_view value) {
    static constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : value) {
        if (isPlain(c)) {
            out += c;
        } else {
            const auto byte = static_cast<unsigned char>(c);
            out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
        }
    }
    return out;
}

std::string decoded(std::string_view value) {
    std::string out;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '%' && i + 2 < value.size()) {
            if (const auto byte = fromHex(value.substr(i + 1, 2))) {
                out += static_cast<char>(byte->front());
                i += 2;
                continue;
            }
        }
        out += value[i];
    }
    return out;
}

/// Stock minisign writes `timestamp:SECONDS<tab>file:NAME<tab>hashed`.
void readStockField(std::string_view field, TrustedFacts& facts) {
    constexpr std::string_view kTime = "timestamp:", kFile = "file:";
    if (field.starts_with(kFile)) facts.fileName = field.substr(kFile.size());
    if (!field.starts_with(kTime)) return;
    const std::string_view digits = field.substr(kTime.size());
    std::int64_t seconds = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    constexpr std::int64_t kYear9999 = 253'402'300'799;
    if (code == std::errc() && end == digits.data() + digits.size() && seconds >= 0 && seconds <= kYear9999)
        facts.at = toIso8601(Timestamp(std::chrono::seconds(seconds)));
}

void readOurField(std::string_view field, TrustedFacts& facts) {
    const auto equals = field.find('=');
    if (equals == std::string_view::npos) return;
    const std::string_view name = field.substr(0, equals);
    std::string value = decoded(field.substr(equals + 1));
    if (name == "signer") facts.signer = std::move(value);
    else if (name == "policy") facts.policyVersion = std::move(value);
    else if (name == "table") facts.tableSha256 = std::move(value);
    else if (name == "at") facts.at = std::move(value);
    else if (name == "file") facts.fileName = std::move(value);
}

}  // namespace

std::string writeTrustedFacts(const TrustedFacts& facts) {
    std::string out;
    const auto add = [&](std::string_view name, const std::string& value) {
        if (value.empty()) return;
        if (!out.empty()) out += ' ';
        out += name;
        out += '=' + encoded(value);
    };
    add("signer", facts.signer);
    add("policy", facts.policyVersion);
    add("table", facts.tableSha256);
    add("at", facts.at);
    add("file", facts.fileName);
    return out;
}

TrustedFacts parseTrustedFacts(std::string_view trustedComment) {
    TrustedFacts facts;
    const bool stock = trustedComment.starts_with("timestamp:");
    const char separator = stock ? '\t' : ' ';
    while (!trustedComment.empty()) {
        const auto end = trustedComment.find(separator);
        const std::string_view field = trustedComment.substr(0, end);
        if (stock) readStockField(field, facts);
        else readOurField(field, facts);
        trustedComment = end == std::string_view::npos ? std::string_view{} : trustedComment.substr(end + 1);
    }
    return facts;
}

}  // namespace signalbox::signing
