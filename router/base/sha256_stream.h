// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/hashing.h"

namespace signalbox {

/// A SHA-256 in progress. A copy goes on from the same point, so texts that begin alike share that work.
class Sha256Stream {
public:
    Sha256Stream();
    void add(std::string_view bytes);
    /// The digest of everything added so far; the stream itself can go on.
    [[nodiscard]] Sha256 digest() const;

private:
    // Room for the library's state, kept out of this header.
    alignas(16) std::array<std::byte, 112> m_state;
};

}  // namespace signalbox
