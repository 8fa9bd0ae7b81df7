// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/appending.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// Appends one line of JSON to a string: records are encoded on the gateway's threads, where building a document first
/// would cost more than everything else that recording does. What says nothing (an empty text, an unset optional, a
/// number that is not finite) is left out, name and all. The string is whole once the outermost object or
/// array has ended.
class JsonLine {
public:
    explicit JsonLine(std::string& out) : m_out(out) {}

    void beginObject() { open('{'); }
    void beginObject(std::string_view name) { key(name), open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void beginArray(std::string_view name) { key(name), open('['); }
    void endArray() { close(']'); }
    /// An object inside an array.
    void beginElement() { separate(), open('{'); }

    /// Texts and numbers as they are, none left out; for an array of one of them.
    void putElement(std::string_view text) { separate(), quote(text); }
    void putElement(double value) {
        m_mended = m_mended || !std::isfinite(value);
        separate(), digits(std::isfinite(value) ? value : 0.0);
    }

    void put(std::string_view name, std::string_view text) {
        if (!text.empty()) key(name), quote(text);
    }
    void put(std::string_view name, bool value) { key(name), m_out.put(std::string_view(value ? "true" : "false")); }
    void put(std::string_view name, const char* text) { put(name, std::string_view(text)); }
    void put(std::string_view name, const std::string& text) { put(name, std::string_view(text)); }

    template <class T>
        requires(std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T>
    void put(std::string_view name, T value) {
        if constexpr (std::floating_point<T>) {
            if (!std::isfinite(value)) {
                m_mended = true;
                return;
            }
        }
        key(name);
        digits(value);
    }

    template <class T>
    void put(std::string_view name, const std::optional<T>& value) {
        if (value) put(name, *value);
    }
    /// Left out as well where it is what a reader assumes anyway.
    template <class T>
    void putUnless(const T& usual, std::string_view name, const T& value) {
        if (value != usual) put(name, value);
    }

    /// Whether something reads back as something else: a text that was not UTF-8, a number that is not finite.
    [[nodiscard]] bool mended() const { return m_mended; }

private:
    void separate() {
        if (m_needsComma) m_out.put(',');
        m_needsComma = true;
    }
    void key(std::string_view name) {
        assert(name.size() < 64);
        char* at = m_out.room(name.size() + 4);
        if (m_needsComma) *at++ = ',';
        m_needsComma = true;
        *at++ = '"';
        at = std::copy(name.begin(), name.end(), at);  // our own names are short and need no escaping
        *at++ = '"';
        *at++ = ':';
        m_out.used(at);
    }
    void open(char bracket) {
        m_out.put(bracket);
        m_needsComma = false;
        ++m_depth;
    }
    void close(char bracket) {
        m_out.put(bracket);
        m_needsComma = true;
        if (--m_depth == 0) m_out.flush();
    }
    template <class T>
    void digits(T value) {
        if constexpr (std::floating_point<T>) m_out.digits(static_cast<double>(value));
        else if constexpr (std::unsigned_integral<T>) m_out.digits(std::uint64_t{value});
        else m_out.digits(std::int64_t{value});
    }
    /// Bytes that are not UTF-8 become U+FFFD: clients choose request ids and model names.
    void quote(std::string_view text);

    Appending m_out;
    unsigned m_depth = 0;  ///< of open objects and arrays
    bool m_needsComma = false;
    bool m_mended = false;
};

}  // namespace signalbox::evidence
