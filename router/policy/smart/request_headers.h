// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/profile.h"

#include <string>

namespace signalbox::policy::smart {

/// `X-ModelPort-Session-Id` and `X-ModelPort-Routing-Profile`, also under `X-Signalbox-`.
inline constexpr std::size_t kMaxSessionBytes = 128;
inline constexpr std::size_t kMaxProfileBytes = 32;

enum class HeaderProblem : std::uint8_t { notAscii, tooLongOrControl, unknownProfile };
[[nodiscard]] std::string_view toString(HeaderProblem problem);
/// What the edge answers with 400. `header` is the name under which the client sent it; its value is not repeated.
[[nodiscard]] Error toError(HeaderProblem problem, std::string_view header);

/// The session reference without surrounding blanks, a part of `bytes`; none when absent or blank.
/// Trouble is an error and never "ignored" (choice S16): a lost session would move its canary assignment silently.
[[nodiscard]] tl::expected<std::optional<std::string_view>, HeaderProblem>
parseSessionHeader(std::optional<std::string_view> bytes);

/// The profile in any case; none when absent or blank, so that the group's default applies.
[[nodiscard]] tl::expected<std::optional<Profile>, HeaderProblem>
parseProfileHeader(std::optional<std::string_view> bytes);

}  // namespace signalbox::policy::smart
