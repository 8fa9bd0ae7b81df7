// SPDX-License-Identifier: MIT
#include "router/evidence/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace signalbox::evidence {
namespace {

constexpr std::uint32_t kPolynomial = 0x82f63b78;  // reflected

/// [k][b]: what byte b does to the sum when k more bytes follow it in its word of eight.
constexpr auto kTables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t sum = byte;
        for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? kPolynomial : 0);
        tables[0][byte] = sum;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[k][byte] = tables[k - 1][byte] >> 8 ^ tables[0][tables[k - 1][byte] & 0xff];
    return tables;
}();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t byInstruction(std::string_view bytes) {
    std::uint64_t sum = 0xffffffff;
    while (bytes.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), 8);
        sum = _mm_crc32_u64(sum, word);
        bytes.remove_prefix(8);
    }
    auto narrow = static_cast<std::uint32_t>(sum);
    for (const char byte : bytes) narrow = _mm_crc32_u8(narrow, static_cast<unsigned char>(byte));
    return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32cByTable(std::string_view bytes) {
    std::uint32_t sum = 0xffffffff;
    const auto byteAt = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
    while (bytes.size() >= 8) {
        for (std::uint32_t i = 0; i < 4; ++i) sum ^= byteAt(i) << (8 * i);
        std::uint32_t next = 0;
        for (std::size_t i = 0; i < 4; ++i) next ^= kTables[7 - i][sum >> (8 * i) & 0xff] ^ kTables[3 - i][byteAt(4 + i)];
        sum = next;
        bytes.remove_prefix(8);
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) sum = sum >> 8 ^ kTables[0][(sum ^ byteAt(i)) & 0xff];
    return ~sum;
}

std::uint32_t crc32c(std::string_view bytes) {
#if defined(__x86_64__)
    static const bool hasInstruction = __builtin_cpu_supports("sse4.2");
    if (hasInstruction) return byInstruction(bytes);
#endif
    return crc32cByTable(bytes);
}

}  // namespace signalbox::evidence
