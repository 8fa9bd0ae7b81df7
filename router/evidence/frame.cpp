// SPDX-License-Identifier: MIT
#include "router/evidence/frame.h"

#include <isa-l/crc.h>

#include <limits>

namespace signalbox::evidence {
namespace {

/// Records as they are stored: CRC-32C (Castagnoli); earlier frames and events: the CRC-32 of gzip.
std::uint32_t crcOf(FrameKind kind, std::string_view bytes) {
    static_assert(kMaxPayloadBytes <= std::numeric_limits<int>::max());
    // Its parameter is no pointer to const, but it only reads.
    auto* const data = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    if (kind == FrameKind::stored) return ~crc32_iscsi(data, static_cast<int>(bytes.size()), 0xffffffffU);
    return crc32_gzip_refl(0, data, bytes.size());
}

void putLittleEndian(char* out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) *out++ = static_cast<char>(value >> shift & 0xff);
}

std::uint32_t getLittleEndian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

std::optional<FrameKind> kindOf(std::string_view bytes) {
    for (const FrameKind kind : {FrameKind::record, FrameKind::event, FrameKind::stored})
        if (bytes.starts_with(markOf(kind))) return kind;
    return std::nullopt;
}

}  // namespace

std::string_view markOf(FrameKind kind) {
    switch (kind) {
    case FrameKind::record: return "SBR1";
    case FrameKind::event: return "SBE1";
    case FrameKind::stored: return "SBR2";
    }
    return "";
}

void appendFrame(std::string& out, std::string_view payload, FrameKind kind) {
    const std::size_t start = out.size();
    beginFrame(out);
    out += payload;
    sealFrame(out, start, kind);
}

void beginFrame(std::string& out) { out.append(kFrameHeaderBytes, '\0'); }

void sealFrame(std::string& out, std::size_t start, FrameKind kind) {
    const std::string_view payload = std::string_view(out).substr(start + kFrameHeaderBytes);
    const std::uint32_t crc = crcOf(kind, payload);
    char* const header = out.data() + start;
    markOf(kind).copy(header, 4);
    putLittleEndian(header + 4, static_cast<std::uint32_t>(payload.size()));
    putLittleEndian(header + 8, crc);
}

std::optional<FrameHeader> readFrameHeader(std::string_view bytes) {
    const auto kind = kindOf(bytes);
    if (!kind || bytes.size() < kFrameHeaderBytes) return std::nullopt;
    const FrameHeader header{*kind, getLittleEndian(bytes.substr(4, 4)), getLittleEndian(bytes.substr(8, 4))};
    if (header.length > kMaxPayloadBytes) return std::nullopt;
    return header;
}

std::optional<std::string_view> readFrame(std::string_view bytes) {
    const auto header = readFrameHeader(bytes);
    if (!header || bytes.size() - kFrameHeaderBytes < header->length) return std::nullopt;
    const std::string_view payload = bytes.substr(kFrameHeaderBytes, header->length);
    if (crcOf(header->kind, payload) != header->crc) return std::nullopt;
    return payload;
}

}  // namespace signalbox::evidence
