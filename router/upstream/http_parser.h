// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::upstream {

struct HttpHead {
    int status = 0;
    std::vector<dispatch::Header> headers;
    /// The first value of that name, compared without case; empty when absent.
    [[nodiscard]] std::string_view header(std::string_view name) const;
};

/// Reads one HTTP/1.1 response from packets split anywhere. Undoes chunks; keeps no more of the body than it was fed.
class HttpParser {
public:
    HttpParser();
    ~HttpParser();
    HttpParser(HttpParser&&) noexcept;
    HttpParser& operator=(HttpParser&&) noexcept;

    /// Appends body bytes to `body`. An error is the reason why this is not HTTP.
    [[nodiscard]] std::optional<std::string> feed(std::string_view bytes, std::string& body);
    /// The peer closed. An error means: before the message was complete.
    [[nodiscard]] std::optional<std::string> close();

    [[nodiscard]] bool headComplete() const;
    [[nodiscard]] const HttpHead& head() const;
    [[nodiscard]] bool complete() const;
    /// Complete, kept alive by both sides and nothing unasked followed it.
    [[nodiscard]] bool reusable() const;
    /// A byte of the response came, whether or not it made sense.
    [[nodiscard]] bool started() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace signalbox::upstream
