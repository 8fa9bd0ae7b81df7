// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::capacity {

/// Whether an engine is the one that a policy's evidence was measured with.
enum class PinState : std::uint8_t {
    verified,    ///< the engine says that it is that version
    differs,     ///< it says that it is another one
    cannotTell,  ///< there is no pin, the engine names no version, or one of them is no version number
};

/// Compares by the rules for Python versions (PEP 440), since vLLM is named by them: `0.11` is `0.11.0`, `v0.11.0rc1` is
/// `0.11.0-rc.1`, and a local part after `+` counts only where the pin has one, so that the pin `0.11.2` is met by the
/// build `0.11.2+cu128`. What is no version number (a branch, a commit) is verified by equal text and else cannot be
/// told. A pin may begin with `==`.
[[nodiscard]] PinState pinState(const std::optional<std::string>& version, const std::optional<std::string>& pin);

}  // namespace signalbox::capacity
