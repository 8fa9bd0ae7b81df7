// SPDX-License-Identifier: MIT
#include "router/upstream/translate/tool_blocks.h"

#include "router/upstream/translate/request_value.h"

#include <algorithm>
#include <utility>

namespace signalbox::upstream::translate {

namespace {

/// Of arguments that come before the name of their call.
constexpr std::size_t kMaxEarlyBytes = 64 * 1024;

std::string argumentsText(const OrderedJson& function) {
    const auto arguments = function.find("arguments");
    if (arguments == function.end()) return {};
    if (arguments->is_object()) return arguments->dump();  // some servers forget to write them as text
    return arguments->is_string() ? arguments->get<std::string>() : std::string();
}

AnswerPiece blockPiece(AnswerPiece::Kind kind, OrderedJson event) { return {kind, anthropicFrame(event)}; }

}  // namespace

ToolBlocks::Call* ToolBlocks::callFor(std::string_view id, std::string_view name, std::uint64_t index) {
    const auto known = m_byIndex.find(index);
    if (known != m_byIndex.end()) {
        Call& call = m_calls[known->second];
        // Servers that give every call the index 0, or none, tell them apart by id (F22).
        const bool isAnother = !id.empty() && !call.id.empty() && id != call.id && !name.empty() && call.begun;
        if (!isAnother) return &call;
    }
    if (m_calls.size() >= kMaxAnswerBlocks) return nullptr;
    m_byIndex[index] = m_calls.size();
    return &m_calls.emplace_back();
}

tl::expected<void, AnswerProblem> ToolBlocks::add(const OrderedJson& call, const OrderedJson& function, std::uint64_t place,
                                                  std::size_t& nextBlock, AnswerPieces& out) {
    const std::string_view id = textIn(call, "id");
    const std::string_view name = textIn(function, "name");
    Call* known = callFor(id, name, countIn(call, "index").value_or(place));
    if (known == nullptr) return tl::unexpected(tooManyBlocks());
    if (known->id.empty()) known->id = id;
    if (known->name.empty()) known->name = name;
    const std::string arguments = argumentsText(function);
    if (known->begun) return append(*known, arguments, out);
    known->early += arguments;
    if (known->early.size() > kMaxEarlyBytes)
        return tl::unexpected(AnswerProblem{"malformed_tool_call", "sent the arguments of a tool call before its name"});
    if (known->name.empty()) return {};
    begin(*known, nextBlock, out);
    return append(*known, std::exchange(known->early, {}), out);
}

void ToolBlocks::begin(Call& call, std::size_t& nextBlock, AnswerPieces& out) {
    close(false, out);
    call.begun = true;
    m_bytes += call.name.size();
    call.block = nextBlock++;
    const OrderedJson block{{"type", "tool_use"},
                            {"id", toolUseId(call.id, *m_facts, call.block)},
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
