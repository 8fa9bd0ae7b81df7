// SPDX-License-Identifier: MIT
#include "router/base/random.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

namespace signalbox {

void Random::fill(std::span<std::byte> out) {
    while (!out.empty()) {
        const std::uint64_t word = next();
        const std::size_t n = std::min(out.size(), sizeof word);
        std::memcpy(out.data(), &word, n);
        out = out.subspan(n);
    }
}

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

FastRandom::FastRandom() {
    std::random_device device;
    for (auto& word : m_state) word = (std::uint64_t{device()} << 32) | device();
}

// splitmix64 spreads one seed over the state, as the authors of xoshiro advise.
FastRandom::FastRandom(std::uint64_t seed) {
    for (auto& word : m_state) {
        seed += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        word = z ^ (z >> 31);
    }
}

// xoshiro256** 1.0 (Blackman and Vigna, 2018).
std::uint64_t FastRandom::next() {
    auto& s = m_state;
    const std::uint64_t result = std::rotl(s[1] * 5, 7) * 9;
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
}

}  // namespace signalbox
