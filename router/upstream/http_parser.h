// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::upstream {

class HttpHead {
public:
    int status = 0;
    /// The first value of that name, compared without case; empty when absent. Several lines of `content-encoding` are one.
    [[nodiscard]] std::string_view header(std::string_view name) const;
    void add(std::string_view name, std::string_view value);
    /// A second line of it is one more coding round the first; only the whole list says what the body is.
    void addEncoding(std::string_view value);

private:
    struct Piece {
        std::uint32_t begin = 0, size = 0;
    };
    struct Field {
        Piece name, value;
    };
    [[nodiscard]] std::string_view text(Piece piece) const { return std::string_view(m_text).substr(piece.begin, piece.size); }
    [[nodiscard]] Piece keep(std::string_view text);

    std::string m_text;  ///< of all fields, one behind the other: one piece of memory for an answer, not two for each field
    std::vector<Field> m_fields;
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
