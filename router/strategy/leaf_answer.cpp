// SPDX-License-Identifier: MIT
#include "router/strategy/leaf_answer.h"

#include <utility>

namespace signalbox::strategy {

using dispatch::Chunk;
using dispatch::UpstreamFailure;
using ChunkResult = tl::expected<std::optional<Chunk>, UpstreamFailure>;

namespace {

/// Frames before the first content are held in memory; an upstream that sends more than this of them is broken.
constexpr std::size_t kMaxHeldBytes = std::size_t{1} << 20;

bool commits(Chunk::Kind kind) {
    switch (kind) {
    case Chunk::Kind::body:
    case Chunk::Kind::content:
    case Chunk::Kind::done: return true;
    case Chunk::Kind::metadata:
    case Chunk::Kind::usage: return false;
    }
    return false;
}

UpstreamFailure tooMuchMetadata() {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::protocol;
    failure.code = "metadata_overflow";
    failure.message = "The upstream sent more than 1 MiB of frames without any content";
    return failure;
}

}  // namespace

LeafAnswer::LeafAnswer(std::unique_ptr<dispatch::ResponseStream> stream, policy::RouteTarget target,
                         AttemptRecord record)
    : m_stream(std::move(stream)), m_target(std::move(target)), m_endpointId(m_target.endpointId()),
      m_record(std::move(record)) {
    m_record.headSeen(m_stream->head());
}

// The call ends before what it held comes back: whoever takes the slot next must not meet it at the upstream.
LeafAnswer::~LeafAnswer() {
    m_record.counted(m_stream->usage());
    m_stream.reset();
}

void LeafAnswer::lose() {
    m_record.counted(m_stream->usage());
    m_record.lost();
}

dispatch::asio::awaitable<tl::expected<void, UpstreamFailure>> LeafAnswer::fill() {
    while (true) {
        ChunkResult chunk = co_await m_stream->next();
        note(chunk);
        if (!chunk) co_return tl::unexpected(std::move(chunk.error()));
        if (!*chunk) break;
        const Chunk::Kind kind = (*chunk)->kind;
        m_heldBytes += (*chunk)->bytes.size();
        m_held.push_back(std::move(**chunk));
        if (commits(kind)) break;
        if (m_heldBytes > kMaxHeldBytes) {
            UpstreamFailure failure = tooMuchMetadata();
            m_record.counted(m_stream->usage());
            m_record.failed(failure);
            co_return tl::unexpected(std::move(failure));
        }
    }
    co_return tl::expected<void, UpstreamFailure>{};
}

dispatch::asio::awaitable<ChunkResult> LeafAnswer::next() {
    if (!m_held.empty()) {
        Chunk chunk = std::move(m_held[m_handedOut++]);
        if (m_handedOut == m_held.size()) m_held.clear();
        co_return std::optional<Chunk>(std::move(chunk));
    }
    if (m_ended) co_return std::optional<Chunk>();
    ChunkResult chunk = co_await m_stream->next();
    note(chunk);
    co_return chunk;
}

// Of most chunks nothing is to be written down, and the record's memory has left the caches when the next one comes.
void LeafAnswer::note(const ChunkResult& chunk) {
    const bool isChunk = chunk && *chunk;
    const Chunk::Kind kind = isChunk ? (*chunk)->kind : Chunk::Kind::metadata;
    if (kind == Chunk::Kind::content || kind == Chunk::Kind::body) {
        if (!std::exchange(m_contentSeen, true)) m_record.contentSeen();
    }
    // The answer is whole here, whether or not the caller goes on to ask for the end.
    const bool isWhole = kind == Chunk::Kind::done || kind == Chunk::Kind::body;
    if (isChunk && !isWhole) return;
    m_record.counted(m_stream->usage());
    m_ended = !isChunk;
    if (!chunk) m_record.failed(chunk.error());
    else m_record.served();
}

}  // namespace signalbox::strategy
