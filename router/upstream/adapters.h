// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/config/read.h"
#include "router/dispatch/adapter.h"

#include <memory>

namespace signalbox::upstream {

/// The adapter of one provider, ready to be called from any I/O thread. Opens no connection.
///
/// The API key is read here, once, from the provider's environment variable. Errors name the provider and what is
/// missing or wrong: no base URL, a URL that is not http or https, a required key whose variable is empty (the
/// variable is named, never its value), a header that cannot be sent, a CA file that cannot be read.
[[nodiscard]] Result<std::shared_ptr<dispatch::Adapter>> makeAdapter(const config::Provider& provider,
                                                                     const config::Environment& environment);

}  // namespace signalbox::upstream
