// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace signalbox {

/// What kind of trouble it is; decides exit codes and HTTP statuses, never the wording.
enum class ErrorKind {
    badInput,     ///< a file, request or value is wrong; the message says where and what would be right
    notFound,     ///< a named thing does not exist
    conflict,     ///< somebody else holds it or changed it
    denied,       ///< a credential, signature or permission is missing or wrong
    unavailable,  ///< a service, disk or socket cannot be reached or used
    cancelled,    ///< the caller asked for it
    internal,     ///< a bug of ours
};

/// An error a person can act on.
/// `message` is one sentence without the location; `where` is a path, `file:line:column`, address or JSON pointer;
/// `hint` says what to do next. Never holds a secret.
struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string message;
    std::string where;
    std::string hint;

    /// "where: message. hint" with the empty parts left out.
    [[nodiscard]] std::string text() const;
    bool operator==(const Error&) const = default;
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string where = {},
                                                std::string hint = {}) {
    return tl::unexpected(Error{kind, std::move(message), std::move(where), std::move(hint)});
}

}  // namespace signalbox
