// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/translate/answer_frames.h"

#include <map>

namespace signalbox::upstream::translate {

/// The tool calls of an OpenAI stream on their way to becoming Anthropic blocks. OpenAI may interleave the arguments of
/// several calls; Anthropic begins, continues and ends blocks by index. A block ends when its arguments are complete and
/// something else begins, so that the usual stream is strictly one block after the other, and at the end at the latest
/// (F23).
class ToolBlocks {
public:
    explicit ToolBlocks(const AnswerFacts& facts) : m_ids(facts) {}

    /// One element of `tool_calls`; `place` is its position, which counts when it has no index (F24). `nextBlock` is the index
    /// that a new block takes.
    [[nodiscard]] tl::expected<void, AnswerProblem> add(const OrderedJson& call, const OrderedJson& function, std::uint64_t place,
                                                        std::size_t& nextBlock, AnswerPieces& out);
    /// Ends the blocks whose arguments are complete, or all.
    void close(bool all, AnswerPieces& out);
    /// A call that never got a name cannot be told.
    [[nodiscard]] bool hasNameless() const;
    /// Of names and arguments.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    struct Call {
        std::string id, name;
        std::string early;  ///< arguments that came before the name
        std::size_t block = 0;
        ObjectEnd arguments;
        bool begun = false;
        bool closed = false;
    };
    /// What is new in one element of `tool_calls`.
    struct Piece {
        std::string_view id, name;
        std::string arguments;
    };
    [[nodiscard]] static bool isAnother(const Call& call, const Piece& piece);
    [[nodiscard]] Call* callFor(const Piece& piece, std::uint64_t index);
    [[nodiscard]] tl::expected<void, AnswerProblem> hold(Call& call, std::string_view arguments);
    void begin(Call& call, std::size_t& nextBlock, AnswerPieces& out);
    [[nodiscard]] tl::expected<void, AnswerProblem> append(Call& call, std::string_view arguments, AnswerPieces& out);

    ToolIds m_ids;
    std::vector<Call> m_calls;                       ///< in the order of their beginning
    std::map<std::uint64_t, std::size_t> m_byIndex;  ///< the newest call of each index
    std::uint64_t m_bytes = 0;
    std::size_t m_earlyBytes = 0;  ///< held for calls without a name
};

}  // namespace signalbox::upstream::translate
