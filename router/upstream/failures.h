// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <string>
#include <string_view>
#include <vector>

namespace signalbox::upstream {

/// What an upstream may tell us about itself, in bytes.
inline constexpr std::size_t kMaxUpstreamText = 2048;

[[nodiscard]] dispatch::UpstreamFailure makeFailure(dispatch::UpstreamFailure::Kind kind, std::string code,
                                                    std::string message);

/// `text` without the given secrets, also as JSON escapes them, and without what looks like a key (`sk-…`, `Bearer …`), cut
/// to `kMaxUpstreamText`.
[[nodiscard]] std::string redacted(std::string_view text, const std::vector<std::string>& secrets);
/// The same of a body that may be JSON, where what looks like a key may be escaped, too (`sk\u002d…`).
[[nodiscard]] std::string redactedBody(std::string_view body, const std::vector<std::string>& secrets);
/// The beginning of a body that was not understood, for a message: redacted, in one printable line, at most 160 bytes.
[[nodiscard]] std::string printableBeginning(std::string_view body, const std::vector<std::string>& secrets);

}  // namespace signalbox::upstream
