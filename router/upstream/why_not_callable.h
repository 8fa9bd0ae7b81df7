// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"

#include <optional>

namespace signalbox::upstream {

/// What `makeAdapter` says is missing or wrong, for who wants to know no more; nullopt: a gateway in this environment could call the
/// provider.
[[nodiscard]] std::optional<Error> whyNotCallable(const config::Provider& provider, const config::Environment& environment);

}  // namespace signalbox::upstream
