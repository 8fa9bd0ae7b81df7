// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/appending.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::evidence {

/// Appends one line of COPY's text format to a string, value by value. Texts are stored without NUL characters, which
/// PostgreSQL cannot hold (U+FFFD stands for them), counts up to the largest bigint, numbers that are not finite as 0. The
/// string is whole when the line is gone.
class CopyLine {
public:
    explicit CopyLine(std::string& out) : m_out(out) {}

    void null() { separate(), m_out.put(std::string_view("\\N")); }
    void nulls(int count) {
        while (count-- > 0) null();
    }
    void text(std::string_view value);
    /// None and an empty one are the same: the receipt does not tell them apart either.
    void textOrNull(const std::optional<std::string>& value);
    void count(std::uint64_t value);
    template <class T>
    void count(const std::optional<T>& value) {
        if (value) count(std::uint64_t{*value});
        else null();
    }
    void integer(std::int64_t value);
    void number(double value);
    /// One that is not finite is null.
    void number(const std::optional<double>& value);
    void truth(bool value) { separate(), m_out.put(value ? 't' : 'f'); }
    /// A text[] of what `textOf` makes of each that it wants, which is a std::optional<std::string_view>; null when empty.
    template <class Values, class TextOf>
    void array(const Values& values, const TextOf& textOf) {
        separate();
        char before = '{';
        for (const auto& value : values)
            if (const std::optional<std::string_view> text = textOf(value)) {
                element(before, *text);
                before = ',';
            }
        m_out.put(before == '{' ? std::string_view("\\N") : std::string_view("}"));
    }
    void array(const std::vector<std::string>& texts) {
        array(texts, [](std::string_view text) { return std::optional(text); });
    }
    /// What is no text to be looked at for NUL: JSON, for example.
    void written(std::string_view value);

private:
    void separate() {
        if (m_notFirst) m_out.put('\t');
        m_notFirst = true;
    }
    /// `before` and the text in quotes.
    void element(char before, std::string_view text);

    Appending m_out;
    bool m_notFirst = false;
};

/// As a value of COPY's text format.
void appendEscaped(std::string& out, std::string_view text);
/// Without NUL characters.
[[nodiscard]] std::string storable(std::string_view text);
/// A literal of text[].
[[nodiscard]] std::string textArray(const std::vector<std::string_view>& texts);

}  // namespace signalbox::evidence
