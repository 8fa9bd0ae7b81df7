// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// What a frame holds. `record` is a receipt alone, as earlier versions wrote them; `stored` a StoredRecord.
enum class FrameKind : std::uint8_t { record, event, stored };

/// A record or an event in a journal segment: its mark, payload length and a check sum of the payload (both 32 bit, little
/// endian; CRC-32C in `stored`, CRC-32 in the others), then the payload. The mark says what it is, "SBR1", "SBE1" or
/// "SBR2", and lets reading go on behind a damaged stretch.
[[nodiscard]] std::string_view markOf(FrameKind kind);
/// How every mark begins.
inline constexpr std::string_view kMarkStart = "SB";
inline constexpr std::size_t kFrameHeaderBytes = 12;
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{16} << 20;

void appendFrame(std::string& out, std::string_view payload, FrameKind kind = FrameKind::record);
/// For a payload that is written in place: appends room for the header. `sealFrame` fills it, `start` being where it begins, once
/// the payload stands behind it and nothing else does.
void beginFrame(std::string& out);
void sealFrame(std::string& out, std::size_t start, FrameKind kind);

struct FrameHeader {
    FrameKind kind = FrameKind::record;
    std::uint32_t length = 0;
    std::uint32_t crc = 0;
};
/// nullopt unless `bytes` starts with a whole, plausible header.
[[nodiscard]] std::optional<FrameHeader> readFrameHeader(std::string_view bytes);
/// The payload at the start of `bytes`; nullopt when it is incomplete or its CRC differs.
[[nodiscard]] std::optional<std::string_view> readFrame(std::string_view bytes);

}  // namespace signalbox::evidence
