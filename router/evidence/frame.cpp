// SPDX-License-Identifier: MIT
#include "router/evidence/frame.h"

#include <zlib.h>

namespace signalbox::evidence {
namespace {

std::uint32_t crcOf(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

void putLittleEndian(std::string& out, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t getLittleEndian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

}  // namespace

void appendFrame(std::string& out, std::string_view payload) {
    out += kFrameMark;
    putLittleEndian(out, static_cast<std::uint32_t>(payload.size()));
    putLittleEndian(out, crcOf(payload));
    out += payload;
}

void beginFrame(std::string& out) { out.assign(kFrameHeaderBytes, '\0'); }

void sealFrame(std::string& frame) {
    const std::string_view payload = std::string_view(frame).substr(kFrameHeaderBytes);
    std::string header(kFrameMark);
    putLittleEndian(header, static_cast<std::uint32_t>(payload.size()));
    putLittleEndian(header, crcOf(payload));
    frame.replace(0, kFrameHeaderBytes, header);
}

std::optional<FrameHeader> readFrameHeader(std::string_view bytes) {
    if (bytes.size() < kFrameHeaderBytes || !bytes.starts_with(kFrameMark)) return std::nullopt;
    const FrameHeader header{getLittleEndian(bytes.substr(4, 4)), getLittleEndian(bytes.substr(8, 4))};
    if (header.length > kMaxPayloadBytes) return std::nullopt;
    return header;
}

std::optional<std::string_view> readFrame(std::string_view bytes) {
    const auto header = readFrameHeader(bytes);
    if (!header || bytes.size() - kFrameHeaderBytes < header->length) return std::nullopt;
    const std::string_view payload = bytes.substr(kFrameHeaderBytes, header->length);
    if (crcOf(payload) != header->crc) return std::nullopt;
    return payload;
}

}  // namespace signalbox::evidence
