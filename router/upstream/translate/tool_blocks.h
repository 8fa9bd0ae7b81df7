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
    explicit ToolBlocks(const AnswerFacts& facts) : m_facts(&facts) {}

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
    [[nodiscard]] Call* callFor(std::string_view id, std::string_view name, std::uint64_t index);
    void begin(Call& call, std::size_t& nextBlock, AnswerPieces& out);
    [[nodiscard]] tl::expected<void, AnswerProblem> append(Call& call, std::string_view arguments, AnswerPieces& out);

    const AnswerFacts* m_facts;
    std::vector<Call> m_calls;                       ///< in the order of their beginning
    std::map<std::uint64_t, std::size_t> m_byIndex;  ///< the newest call of each index
    std::uint64_t m_bytes = 0;
};

}  // namespace signalbox::upstream::translate
