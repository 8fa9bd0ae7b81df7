// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <string>

namespace signalbox::evidence {

/// The user's connection string as key=value pairs, with a time limit for connecting, keep-alives and our name added
/// where the user said nothing. Errors: not a connection string; `name` says whose, its text is never repeated.
[[nodiscard]] Result<std::string> completedDsn(const std::string& dsn, const std::string& name);

/// `message` of libpq or the server as one line, without the password of `dsn`.
[[nodiscard]] std::string redacted(std::string message, const std::string& dsn);

}  // namespace signalbox::evidence
