// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace signalbox {

/// The only source of randomness for code that decides or names; tests inject a seeded one.
class Random {
public:
    virtual ~Random() = default;
    [[nodiscard]] virtual std::uint64_t next() = 0;
    void fill(std::span<std::byte> out);
    /// Uniform in [0, 1).
    [[nodiscard]] double unit();
};

/// xoshiro-class generator seeded from the operating system; not thread safe, one per thread.
class FastRandom final : public Random {
public:
    FastRandom();
    explicit FastRandom(std::uint64_t seed);
    [[nodiscard]] std::uint64_t next() override;

private:
    std::array<std::uint64_t, 4> m_state{};
};

}  // namespace signalbox
