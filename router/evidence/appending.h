// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// The most bytes that `writeDigits` writes, and what it may touch behind them.
inline constexpr std::size_t kMostDigits = 32;
/// The shortest digits that read back as this number, as std::to_chars writes them; it must be finite. Their end; there must
/// be room for kMostDigits.
[[nodiscard]] char* writeDigits(char* out, double value);
[[nodiscard]] char* writeDigits(char* out, std::int64_t value);
[[nodiscard]] char* writeDigits(char* out, std::uint64_t value);

/// Appends many small pieces to a string by way of a buffer of its own: growing a string piece by piece takes longer than
/// everything else about encoding a record. The string has all of it once this object is gone, or after `flush`.
class Appending {
public:
    explicit Appending(std::string& out) : m_out(out) {}
    ~Appending() { flush(); }
    Appending(const Appending&) = delete;
    Appending& operator=(const Appending&) = delete;

    void put(char c) {
        if (m_used == sizeof m_bytes) flush();
        m_bytes[m_used++] = c;
    }
    void put(std::string_view text) {
        if (text.empty()) return;  // its data may be null
        if (char* const at = room(text.size())) {
            std::memcpy(at, text.data(), text.size());
            return used(at + text.size());
        }
        flush();
        m_out.append(text);
    }
    /// Room for `bytes`, of which `used` says how far they were written; null where there is never so much at a time.
    [[nodiscard]] char* room(std::size_t bytes) {
        if (sizeof m_bytes - m_used < bytes) {
            if (bytes > sizeof m_bytes) return nullptr;
            flush();
        }
        return m_bytes + m_used;
    }
    void used(const char* end) { m_used = static_cast<std::size_t>(end - m_bytes); }
    template <class Number>
    void digits(Number value) {
        used(writeDigits(room(kMostDigits), value));
    }
    void flush() {
        m_out.append(m_bytes, m_used);
        m_used = 0;
    }

private:
    std::string& m_out;
    std::size_t m_used = 0;
    char m_bytes[2048];
};

}  // namespace signalbox::evidence
