// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// Appends one line of JSON to a string: records are encoded on the gateway's threads, where building a document first
/// would cost more than everything else that recording does. What says nothing (an empty text, an unset optional, a
/// number that is not finite) is left out, name and all.
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
    void putElement(double value) { separate(), digits(std::isfinite(value) ? value : 0.0); }

    void put(std::string_view name, std::string_view text) {
        if (!text.empty()) key(name), quote(text);
    }
    void put(std::string_view name, bool value) { key(name), m_out += value ? "true" : "false"; }
    void put(std::string_view name, const char* text) { put(name, std::string_view(text)); }
    void put(std::string_view name, const std::string& text) { put(name, std::string_view(text)); }

    template <class T>
        requires(std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T>
    void put(std::string_view name, T value) {
        if constexpr (std::floating_point<T>) {
            if (!std::isfinite(value)) return;
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

private:
    void separate() {
        if (m_needsComma) m_out += ',';
        m_needsComma = true;
    }
    void key(std::string_view name) {
        separate();
        m_out += '"';
        m_out += name;  // our own names need no escaping
        m_out.append("\":", 2);
    }
    void open(char bracket) {
        m_out += bracket;
        m_needsComma = false;
    }
    void close(char bracket) {
        m_out += bracket;
        m_needsComma = true;
    }
    template <class T>
    void digits(T value) {
        char out[32];
        const auto end = std::to_chars(out, out + sizeof out, value).ptr;
        m_out.append(out, end);
    }
    /// Bytes that are not UTF-8 become U+FFFD: clients choose request ids and model names.
    void quote(std::string_view text);

    std::string& m_out;
    bool m_needsComma = false;
};

}  // namespace signalbox::evidence
