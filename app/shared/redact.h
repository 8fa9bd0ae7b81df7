// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace signalbox::app {

/// The text with what looks like a credential replaced by "[redacted]": bearer tokens, keys of a known form (`sk-…`, `sbx_…`), values of
/// password, token, secret, key and authorization fields, and the password in a URL. The last line of defence: no
/// message of ours should hold one to begin with, but upstreams and drivers quote what they were given.
[[nodiscard]] std::string redacted(std::string_view text);

}  // namespace signalbox::app
