// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// A record in a journal segment: "SBR1", payload length and CRC-32 of the payload (both 32 bit, little endian),
/// then the payload. The mark lets reading go on behind a damaged stretch.
inline constexpr std::string_view kFrameMark = "SBR1";
inline constexpr std::size_t kFrameHeaderBytes = 12;
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{16} << 20;

void appendFrame(std::string& out, std::string_view payload);
/// For a payload that is written in place: room for the header; `sealFrame` fills it once the payload stands behind it.
void beginFrame(std::string& out);
void sealFrame(std::string& frame);

struct FrameHeader {
    std::uint32_t length = 0;
    std::uint32_t crc = 0;
};
/// nullopt unless `bytes` starts with a whole, plausible header.
[[nodiscard]] std::optional<FrameHeader> readFrameHeader(std::string_view bytes);
/// The payload at the start of `bytes`; nullopt when it is incomplete or its CRC differs.
[[nodiscard]] std::optional<std::string_view> readFrame(std::string_view bytes);

}  // namespace signalbox::evidence
