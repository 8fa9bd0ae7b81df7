// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"

#include <memory>

namespace signalbox::classify {

/// What one pass over a body found, before anything is concluded from it.
struct BodyFacts {
    std::string model;
    bool stream = false;
    bool streamUnclear = false;  ///< it is there, and no boolean
    bool includeUsage = false;
    bool parallelTools = false;
    bool vision = false;
    bool hasResponseFormat = false;  ///< present and not null, whatever it is (choice T6)
    bool structuredOutput = false;
    std::uint32_t tools = 0;
    std::uint32_t functions = 0;      ///< the older tools
    std::uint32_t stopSequences = 0;  ///< of a Messages body
    std::optional<std::uint64_t> maxTokens;
    std::optional<std::uint64_t> maxCompletionTokens;
    std::uint64_t textBytes = 0;  ///< UTF-8 bytes of message text and prompt; a prompt's token id counts as four
    std::uint64_t mediaBytes = 0;  ///< of pictures, recordings and documents: what they are or where they lie
    CallerHints metadataHints;
    BodyMap map;
    PeculiaritySet peculiarities;
};

/// Reads bodies one after another, reusing its memory; not thread safe.
class BodyReader {
public:
    BodyReader();
    ~BodyReader();
    BodyReader(const BodyReader&) = delete;
    BodyReader& operator=(const BodyReader&) = delete;

    /// Checks the whole body, also the parts that nothing is read from: it goes upstream byte for byte.
    [[nodiscard]] Result<BodyFacts> read(Dialect dialect, std::string_view body);

private:
    struct Scratch;
    std::unique_ptr<Scratch> m_scratch;
};

}  // namespace signalbox::classify
