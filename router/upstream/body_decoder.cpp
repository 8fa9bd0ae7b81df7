// SPDX-License-Identifier: MIT
#include "router/upstream/body_decoder.h"

#include "router/base/text.h"

#include <array>
#include <new>
#include <zlib.h>

namespace signalbox::upstream {

struct BodyDecoder::Inflater {
    Inflater() {
        // 32 lets zlib tell gzip from zlib by the first bytes.
        if (inflateInit2(&stream, 15 + 32) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    z_stream stream{};
    bool ended = false;
};

BodyDecoder::BodyDecoder(std::unique_ptr<Inflater> inflater) : m_inflater(std::move(inflater)) {}
BodyDecoder::BodyDecoder(BodyDecoder&&) noexcept = default;
BodyDecoder& BodyDecoder::operator=(BodyDecoder&&) noexcept = default;
BodyDecoder::~BodyDecoder() = default;

std::optional<BodyDecoder> BodyDecoder::forEncoding(std::string_view contentEncoding) {
    const std::string name = asciiLower(trimmed(contentEncoding));
    if (name.empty() || name == "identity") return BodyDecoder(nullptr);
    if (name == "gzip" || name == "x-gzip" || name == "deflate") return BodyDecoder(std::make_unique<Inflater>());
    return std::nullopt;
}

BodyDecoder::Outcome BodyDecoder::decode(std::string& bytes, std::string& out, std::size_t limit) {
    if (!m_inflater) {
        if (out.size() + bytes.size() > limit) return Outcome::tooLarge;
        if (out.empty()) out.swap(bytes);
        else out.append(bytes);
        return Outcome::decoded;
    }
    z_stream& stream = m_inflater->stream;
    stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::array<char, 16384> piece;
    do {
        if (m_inflater->ended) return stream.avail_in == 0 ? Outcome::decoded : Outcome::corrupt;
        stream.next_out = reinterpret_cast<Bytef*>(piece.data());
        stream.avail_out = piece.size();
        const int code = inflate(&stream, Z_SYNC_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) return Outcome::corrupt;
        m_inflater->ended = code == Z_STREAM_END;
        const std::size_t made = piece.size() - stream.avail_out;
        if (out.size() + made > limit) return Outcome::tooLarge;
        out.append(piece.data(), made);
    } while (stream.avail_in > 0 || stream.avail_out == 0);  // a full piece may leave more inside zlib
    return Outcome::decoded;
}

bool BodyDecoder::finished() const { return !m_inflater || m_inflater->ended; }

}  // namespace signalbox::upstream
