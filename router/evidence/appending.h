// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace signalbox::evidence {

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
        if (text.size() > sizeof m_bytes - m_used) {
            flush();
            if (text.size() > sizeof m_bytes) {
                m_out.append(text);
                return;
            }
        }
        if (text.empty()) return;  // its data may be null
        std::memcpy(m_bytes + m_used, text.data(), text.size());
        m_used += text.size();
    }
    /// Room for `bytes`, of which `used` says how far they were written; null where there is never so much at a time.
    char* room(std::size_t bytes) {
        if (sizeof m_bytes - m_used < bytes) {
            if (bytes > sizeof m_bytes) return nullptr;
            flush();
        }
        return m_bytes + m_used;
    }
    void used(const char* end) { m_used = static_cast<std::size_t>(end - m_bytes); }
    /// The shortest digits that read back as this number, as std::to_chars writes them; it must be finite.
    void digits(double value);
    void digits(std::int64_t value);
    void digits(std::uint64_t value);
    void flush() {
        m_out.append(m_bytes, m_used);
        m_used = 0;
    }

private:
    static constexpr std::size_t kMostDigits = 32;
    std::string& m_out;
    std::size_t m_used = 0;
    char m_bytes[1024];
};

}  // namespace signalbox::evidence
