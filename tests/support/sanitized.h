// SPDX-License-Identifier: MIT
#pragma once

namespace signalbox::test {

/// What a process takes says how much it holds. A sanitizer keeps what was freed, and its own notes.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool kMemoryTells = false;
#else
inline constexpr bool kMemoryTells = true;
#endif

}  // namespace signalbox::test
