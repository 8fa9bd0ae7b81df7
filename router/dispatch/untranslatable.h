// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace signalbox::dispatch {

/// The code of a `protocol` failure whose answer was a good one, in the words of the upstream's own protocol: only the client's
/// has none for it. It is a failure of this request and says nothing about the endpoint.
inline constexpr std::string_view kUntranslatableAnswer = "untranslatable_answer";

}  // namespace signalbox::dispatch
