// SPDX-License-Identifier: MIT
#include "router/upstream/simulated_embedding.h"

#include "router/base/random.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace signalbox::upstream {

namespace {

std::vector<float> embeddingOf(std::uint64_t seed, std::uint32_t dimensions) {
    FastRandom random(seed);
    std::vector<float> out(dimensions);
    double squares = 0;
    for (float& one : out) {
        one = static_cast<float>(random.unit() * 2 - 1);
        squares += static_cast<double>(one) * static_cast<double>(one);
    }
    const auto length = static_cast<float>(std::sqrt(squares));
    for (float& one : out) one = length > 0 ? one / length : 1;
    return out;
}

void writeNumbers(std::string& to, const std::vector<float>& numbers) {
    char separator = '[';
    for (const float number : numbers) {
        std::array<char, 32> text{};
        const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
        to.append(1, separator).append(text.data(), end);
        separator = ',';
    }
    to += ']';
}

/// As OpenAI writes it: the bytes of the numbers, little endian.
void writeBase64(std::string& to, const std::vector<float>& numbers) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::uint32_t held = 0;
    int bits = 0;
    std::size_t bytes = 0;
    const auto put = [&](std::uint32_t byte) {
        held = (held << 8 | byte) & 0xffffU;
        for (bits += 8, ++bytes; bits >= 6; bits -= 6) to += kDigits[held >> (bits - 6) & 63U];
    };
    to += '"';
    for (const float number : numbers) {
        const auto word = std::bit_cast<std::uint32_t>(number);
        for (int shift = 0; shift < 32; shift += 8) put(word >> shift & 0xffU);
    }
    if (bits > 0) to += kDigits[held << (6 - bits) & 63U];
    to.append((3 - bytes % 3) % 3, '=').append(1, '"');
}

}  // namespace

std::string simulatedEmbeddings(const SimulatedOptions& options, std::string_view model) {
    std::string out = "[";
    for (std::size_t i = 0; i < options.inputs.size(); ++i) {
        const auto numbers = embeddingOf(options.inputs[i] ^ simulatedHash(model), options.dimensions);
        out += i == 0 ? "" : ",";
        out += R"({"object":"embedding","index":)" + std::to_string(i) + R"(,"embedding":)";
        if (options.base64) writeBase64(out, numbers);
        else writeNumbers(out, numbers);
        out += '}';
    }
    return out + ']';
}

}  // namespace signalbox::upstream
