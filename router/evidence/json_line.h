// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/appending.h"

#include <cmath>
#include <concepts>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace signalbox::evidence {

/// Appends one line of JSON to a string: records are encoded on the gateway's threads, where building a document first
/// would cost more than everything else that recording does. What says nothing (an empty text, an unset optional, a
/// number that is not finite) is left out, name and all. Names are our own literals: short, and nothing in them to be
/// escaped. The string is whole once the outermost object or array has ended.
class JsonLine {
public:
    explicit JsonLine(std::string& out) : m_out(out) {}

    void beginObject() { open('{'); }
    template <std::size_t N>
    void beginObject(const char (&name)[N]) {
        m_out.used(key(m_out.room(kAround<N>), name));
        open('{');
    }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    template <std::size_t N>
    void beginArray(const char (&name)[N]) {
        m_out.used(key(m_out.room(kAround<N>), name));
        open('[');
    }
    void endArray() { close(']'); }
    /// An object inside an array.
    void beginElement() { separate(), open('{'); }

    /// Texts and numbers as they are, none left out; for an array of one of them.
    void putElement(std::string_view text) { separate(), quote(m_out.room(0), text); }
    void putElement(double value) {
        m_mended = m_mended || !std::isfinite(value);
        separate(), m_out.digits(std::isfinite(value) ? value : 0.0);
    }

    template <std::size_t N>
    void put(const char (&name)[N], std::string_view text) {
        if (!text.empty()) quote(key(m_out.room(kAround<N>), name), text);
    }
    template <std::size_t N>
    void put(const char (&name)[N], const std::string& text) {
        put(name, std::string_view(text));
    }
    template <std::size_t N>
    void put(const char (&name)[N], const char* text) {
        put(name, std::string_view(text));
    }
    template <std::size_t N>
    void put(const char (&name)[N], bool value) {
        put(name, Verbatim{value ? "true" : "false"});
    }
    template <std::size_t N, class T>
        requires(std::integral<T> && !std::same_as<T, bool>)
    void put(const char (&name)[N], T value) {
        using Widest = std::conditional_t<std::unsigned_integral<T>, std::uint64_t, std::int64_t>;
        m_out.used(writeDigits(key(m_out.room(kAround<N> + kMostDigits), name), Widest{value}));
    }
    template <std::size_t N>
    void put(const char (&name)[N], double value) {
        if (std::isfinite(value)) m_out.used(writeDigits(key(m_out.room(kAround<N> + kMostDigits), name), value));
        else m_mended = true;
    }
    template <std::size_t N, class T>
    void put(const char (&name)[N], const std::optional<T>& value) {
        if (value) put(name, *value);
    }
    /// Left out as well where it is what a reader assumes anyway.
    template <std::size_t N, class T>
    void putUnless(const T& usual, const char (&name)[N], const T& value) {
        if (value != usual) put(name, value);
    }

    /// Whether something reads back as something else: a text that was not UTF-8, a number that is not finite.
    [[nodiscard]] bool mended() const { return m_mended; }

private:
    struct Verbatim {
        std::string_view text;
    };
    template <std::size_t N>
    void put(const char (&name)[N], Verbatim value) {
        m_out.used(key(m_out.room(kAround<N>), name));
        m_out.put(value.text);
    }

    /// Of a name and what stands around it: comma, quotes, colon.
    template <std::size_t N>
    static constexpr std::size_t kAround = N + 4;

    void separate() {
        if (m_needsComma) m_out.put(',');
        m_needsComma = true;
    }
    /// The name at `at`, where the next piece goes; its end.
    template <std::size_t N>
    char* key(char* at, const char (&name)[N]) {
        static_assert(N < 64);
        *at = ',';
        at += m_needsComma ? 1 : 0;
        m_needsComma = true;
        *at = '"';
        std::memcpy(at + 1, name, N - 1);
        std::memcpy(at + N, "\":", 2);
        return at + N + 2;
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
    /// In quotes at `at`, behind what was appended and not yet counted as used. Bytes that are not UTF-8 become U+FFFD:
    /// clients choose request ids and model names.
    void quote(const char* at, std::string_view text);
    void quoteEscaped(std::string_view text);

    Appending m_out;
    unsigned m_depth = 0;  ///< of open objects and arrays
    bool m_needsComma = false;
    bool m_mended = false;
};

}  // namespace signalbox::evidence
