// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace signalbox::upstream {

/// An idle socket is usable while nothing is waiting on it: neither an end, nor an error, nor bytes nobody asked for.
[[nodiscard]] bool isIdleSocketAlive(int fd);

/// Bytes of ours that the peer's kernel has acknowledged so far; nullopt where the system does not say.
/// Unchanged over a failed request it proves that the peer was gone before the request came (F42).
[[nodiscard]] std::optional<std::uint64_t> acknowledgedBytes(int fd);

}  // namespace signalbox::upstream
