// SPDX-License-Identifier: MIT
#include "router/upstream/translate/tool_blocks.h"

#include "router/upstream/translate/request_value.h"

#include <algorithm>
#include <utility>

namespace signalbox::upstream::translate {

namespace {

/// Of all arguments that come before the names of their calls.
constexpr std::size_t kMaxEarlyBytes = 64 * 1024;

std::string argumentsText(const OrderedJson& function) {
    const OrderedJson* arguments = memberIn(function, "arguments");
    if (arguments == nullptr) return {};
    if (arguments->is_object()) return written(*arguments);  // some servers forget to write them as text
    return arguments->is_string() ? arguments->get<std::string>() : std::string();
}

AnswerPiece blockPiece(AnswerPiece::Kind kind, OrderedJson event) { return {kind, anthropicFrame(event)}; }

}  // namespace

/// Servers that give every call the index 0, or none, tell them apart by id, or by the name of the next one when the
/// arguments of this one are complete (F22). Others say id and name again in every piece.
bool ToolBlocks::isAnother(const Call& call, const Piece& piece) {
    if (piece.name.empty() || !call.begun) return false;
    if (!piece.id.empty() && !call.id.empty()) return piece.id != call.id;
    return call.arguments.isComplete() && (piece.name != call.name || !isBlank(piece.arguments));
}

ToolBlocks::Call* ToolBlocks::callFor(const Piece& piece, std::uint64_t index) {
    const auto known = m_byIndex.find(index);
    if (known != m_byIndex.end() && !isAnother(m_calls[known->second], piece)) return &m_calls[known->second];
    if (m_calls.size() >= kMaxAnswerBlocks) return nullptr;
    m_byIndex[index] = m_calls.size();
    return &m_calls.emplace_back();
}

tl::expected<void, AnswerProblem> ToolBlocks::add(const OrderedJson& call, const OrderedJson& function, std::uint64_t place,
                                                  std::size_t& nextBlock, AnswerPieces& out) {
    const Piece piece{textIn(call, "id"), textIn(function, "name"), argumentsText(function)};
    if (isLongName(piece.id) || isLongName(piece.name)) return tl::unexpected(longName());
    Call* known = callFor(piece, countIn(call, "index").value_or(place));
    if (known == nullptr) return tl::unexpected(tooManyBlocks());
    if (known->id.empty()) known->id = piece.id;
    if (known->name.empty()) known->name = piece.name;
    if (known->begun) return append(*known, piece.arguments, out);
    if (known->name.empty()) return hold(*known, piece.arguments);
    m_earlyBytes -= known->early.size();
    begin(*known, nextBlock, out);
    return append(*known, std::exchange(known->early, {}) + piece.arguments, out);
}

tl::expected<void, AnswerProblem> ToolBlocks::hold(Call& call, std::string_view arguments) {
    call.early += arguments;
    m_earlyBytes += arguments.size();
    if (m_earlyBytes > kMaxEarlyBytes)
        return tl::unexpected(AnswerProblem{"malformed_tool_call", "sent the arguments of a tool call before its name"});
    return {};
}

void ToolBlocks::begin(Call& call, std::size_t& nextBlock, AnswerPieces& out) {
    close(false, out);
    call.begun = true;
    m_bytes += call.name.size();
    call.block = nextBlock++;
    const OrderedJson block{{"type", "tool_use"},
                            {"id", m_ids.of(call.id, call.block)},
                            {"name", call.name},
                            {"input", OrderedJson::object()}};
    out.push_back(blockPiece(AnswerPiece::Kind::content,
                             OrderedJson{{"type", "content_block_start"}, {"index", call.block}, {"content_block", block}}));
}

tl::expected<void, AnswerProblem> ToolBlocks::append(Call& call, std::string_view arguments, AnswerPieces& out) {
    if (arguments.empty()) return {};
    if (call.closed) {
        if (isBlank(arguments)) return {};
        return tl::unexpected(AnswerProblem{"malformed_tool_arguments",
                                            "went on with the arguments of a tool call that were complete"});
    }
    call.arguments.feed(arguments);
    m_bytes += arguments.size();
    const OrderedJson delta{{"type", "input_json_delta"}, {"partial_json", arguments}};
    out.push_back(blockPiece(AnswerPiece::Kind::content,
                             OrderedJson{{"type", "content_block_delta"}, {"index", call.block}, {"delta", delta}}));
    return {};
}

void ToolBlocks::close(bool all, AnswerPieces& out) {
    for (Call& call : m_calls) {
        if (!call.begun || call.closed || !(all || call.arguments.isComplete())) continue;
        call.closed = true;
        out.push_back(blockPiece(AnswerPiece::Kind::metadata,
                                 OrderedJson{{"type", "content_block_stop"}, {"index", call.block}}));
    }
}

bool ToolBlocks::hasNameless() const {
    return std::ranges::any_of(m_calls, [](const Call& call) { return !call.begun; });
}

}  // namespace signalbox::upstream::translate
