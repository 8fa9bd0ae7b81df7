// SPDX-License-Identifier: MIT
#include "router/policy/smart/request_headers.h"

#include "router/base/text.h"

#include <algorithm>

namespace signalbox::policy::smart {
namespace {

// Visible ASCII, space and tab are what a header value may hold as text.
bool isHeaderText(char c) { return c == '\t' || (c >= ' ' && c <= '~'); }

tl::expected<std::optional<std::string_view>, HeaderProblem> parseText(std::optional<std::string_view> bytes,
                                                                       std::size_t maxBytes) {
    if (!bytes) return std::nullopt;
    if (!std::all_of(bytes->begin(), bytes->end(), isHeaderText)) return tl::unexpected(HeaderProblem::notAscii);
    const std::string_view text = trimmed(*bytes);
    if (text.empty()) return std::nullopt;
    // The only control character that can be left is a tab inside.
    if (text.size() > maxBytes || text.find('\t') != std::string_view::npos)
        return tl::unexpected(HeaderProblem::tooLongOrControl);
    return text;
}

}  // namespace

std::string_view toString(HeaderProblem problem) {
    switch (problem) {
    case HeaderProblem::notAscii: return "not_ascii";
    case HeaderProblem::tooLongOrControl: return "too_long_or_control";
    case HeaderProblem::unknownProfile: return "unknown_profile";
    }
    return {};
}

Error toError(HeaderProblem problem, std::string_view header) {
    const std::string where(header);
    switch (problem) {
    case HeaderProblem::notAscii:
        return {ErrorKind::badInput, "the header holds something else than visible ASCII", where,
                "Send ASCII characters, or leave the header out"};
    case HeaderProblem::tooLongOrControl:
        return {ErrorKind::badInput, "the header is too long or holds a control character", where,
                "Send at most " + std::to_string(kMaxSessionBytes) + " characters for a session and " +
                    std::to_string(kMaxProfileBytes) + " for a profile, without tabs"};
    case HeaderProblem::unknownProfile:
        return {ErrorKind::badInput, "the header names no profile", where,
                "Send quality, balanced, economy or latency, or leave the header out"};
    }
    return {};
}

tl::expected<std::optional<std::string_view>, HeaderProblem> parseSessionHeader(std::optional<std::string_view> bytes) {
    return parseText(bytes, kMaxSessionBytes);
}

tl::expected<std::optional<Profile>, HeaderProblem> parseProfileHeader(std::optional<std::string_view> bytes) {
    const auto text = parseText(bytes, kMaxProfileBytes);
    if (!text) return tl::unexpected(text.error());
    if (!*text) return std::nullopt;
    const auto profile = parseProfile(asciiLower(**text));
    if (!profile) return tl::unexpected(HeaderProblem::unknownProfile);
    return profile;
}

}  // namespace signalbox::policy::smart
