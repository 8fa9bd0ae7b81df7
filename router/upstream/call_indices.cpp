// SPDX-License-Identifier: MIT
#include "router/upstream/call_indices.h"

#include <algorithm>
#include <functional>

namespace signalbox::upstream {

namespace {

struct IndexEdit {
    std::size_t at = 0, length = 0;
    std::string with;
};

IndexEdit indexEdit(const std::string& json, const ToolPiece& piece) {
    const auto at = static_cast<std::size_t>(piece.indexPlace->data() - json.data());
    std::string number = std::to_string(piece.call);
    if (!piece.indexPlace->empty()) return {at, piece.indexPlace->size(), std::move(number)};
    const std::size_t next = json.find_first_not_of(" \t\r\n", at);
    const bool isEmpty = next != std::string::npos && json[next] == '}';
    return {at, 0, "\"index\":" + number + (isEmpty ? "" : ",")};
}

}  // namespace

void CallIndices::settle(ToolPiece& piece) {
    const auto found = m_calls.find({piece.choice, piece.call});
    const bool isNew = found == m_calls.end();
    const std::string_view id = piece.id.size() > kMostIdBytes ? std::string_view() : std::string_view(piece.id);
    const bool isAnother = !isNew && found->second.named && !piece.name.empty() && !id.empty() && !found->second.id.empty() &&
                           id != found->second.id;
    if ((isNew || isAnother) && m_used.size() >= kMostPlaces) return;
    Call& call = isNew ? m_calls[{piece.choice, piece.call}] : found->second;
    std::uint64_t& next = m_next[piece.choice];
    // One that went on to the next index may stand where this one says that it is.
    const bool isFree = isNew && !m_used.contains({piece.choice, piece.call});
    if (isNew || isAnother) call = {{}, false, isFree ? piece.call : next};
    m_used.insert({piece.choice, call.index});
    if (call.id.empty()) call.id = id;
    call.named = call.named || !piece.name.empty();
    piece.call = call.index;
    next = std::max(next, call.index + 1);
}

void CallIndices::settle(std::vector<ToolPiece>& pieces) {
    for (ToolPiece& piece : pieces) settle(piece);
}

void writeIndices(std::string& json, const std::vector<ToolPiece>& pieces) {
    std::vector<IndexEdit> edits;
    for (const ToolPiece& piece : pieces)
        if (piece.indexPlace && *piece.indexPlace != std::to_string(piece.call)) edits.push_back(indexEdit(json, piece));
    std::ranges::sort(edits, std::greater{}, &IndexEdit::at);
    for (const IndexEdit& edit : edits) json.replace(edit.at, edit.length, edit.with);
}

}  // namespace signalbox::upstream
