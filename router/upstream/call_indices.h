// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/payload.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace signalbox::upstream {

/// Which tool call of a stream a piece belongs to: the one with its index, or at its place in the array when it has none
/// (F24), unless it names another one there. Then it takes the next index of its choice: servers that send one call an
/// event say 0 of each, or nothing (F22).
class CallIndices {
public:
    /// Puts the index into `call` of each piece.
    void settle(std::vector<ToolPiece>& pieces);

private:
    struct Call {
        std::string id;
        bool named = false;
        std::uint64_t index = 0;
    };
    using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< choice, and index or place
    /// More are not told apart.
    static constexpr std::size_t kMostPlaces = 1024;
    /// Of an id that is kept; a longer one is none.
    static constexpr std::size_t kMostIdBytes = 1024;

    void settle(ToolPiece& piece);

    std::map<Key, Call> m_calls;                      ///< the newest call at each
    std::map<std::uint64_t, std::uint64_t> m_next;    ///< by choice: one above the largest index
    std::set<Key> m_used;                             ///< choice and index of each call
};

/// Writes the indices of the pieces into `json`, the text that they were read from and refer to, where it says another one
/// or none.
void writeIndices(std::string& json, const std::vector<ToolPiece>& pieces);

}  // namespace signalbox::upstream
