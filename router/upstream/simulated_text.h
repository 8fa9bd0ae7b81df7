// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox::upstream {

enum class SimulatedKind : std::uint8_t { chat, completion, embedding };
[[nodiscard]] SimulatedKind simulatedKindOf(std::string_view path);

/// What the simulation honours of a request body.
struct SimulatedOptions {
    std::optional<std::uint32_t> maxTokens;
    std::uint32_t inputs = 1;  ///< texts to embed
    std::uint32_t dimensions = 8;
};
[[nodiscard]] SimulatedOptions readSimulatedOptions(std::string body);

/// Writes the JSON of one simulated answer. Everything follows from its members, so the same request with the same
/// seed gives the same bytes. Every text says that it is simulated, and `system_fingerprint` reads `simulated`.
struct SimulatedText {
    SimulatedKind kind = SimulatedKind::chat;
    DecisionId id;
    std::string model;
    std::uint64_t seed = 0;
    std::uint64_t inputTokens = 0;
    std::uint32_t outputTokens = 0;
    bool capped = false;  ///< the request's token limit ended it
    SimulatedOptions options;

    /// The words of the answer, one a token, the first without a leading space.
    [[nodiscard]] std::string token(std::uint32_t index) const;
    /// The whole answer of a request that does not stream.
    [[nodiscard]] std::string whole() const;
    /// SSE frames.
    [[nodiscard]] std::string roleFrame() const;
    [[nodiscard]] std::string tokenFrame(std::uint32_t index) const;
    [[nodiscard]] std::string finishFrame() const;
    [[nodiscard]] std::string usageFrame() const;
    [[nodiscard]] dispatch::Usage usage() const;
};

}  // namespace signalbox::upstream
