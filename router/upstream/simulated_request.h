// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::upstream {

enum class SimulatedKind : std::uint8_t { chat, completion, embedding };
[[nodiscard]] SimulatedKind simulatedKindOf(std::string_view path);

/// What a request demands instead of prose: a call of a tool, or JSON.
struct SimulatedDemand {
    std::string tool;      ///< empty: no call, `text` is the answer
    bool freeText = false; ///< the tool takes text, not JSON
    std::string text;      ///< arguments of the call, or the JSON
};

/// What the simulation honours of a request body, in either protocol's words.
struct SimulatedOptions {
    std::optional<std::uint32_t> maxTokens;
    /// Of `tool_choice` required, any or a named tool, unless the last message brings a tool's result: a loop that goes on
    /// demanding a call must end. Else of an answer that must be JSON. Tools that are only offered are not called.
    std::optional<SimulatedDemand> demand;
    std::vector<std::uint64_t> inputs{0};  ///< texts to embed, as hashes
    std::uint32_t dimensions = 768;
    bool base64 = false;  ///< embeddings as the SDKs ask for them unless told otherwise
};
[[nodiscard]] SimulatedOptions readSimulatedOptions(std::string body);

/// FNV-1a: the same on every machine.
[[nodiscard]] std::uint64_t simulatedHash(std::string_view text);

}  // namespace signalbox::upstream
