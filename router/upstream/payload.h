// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace signalbox::upstream {

/// What an upstream says about a failure, in any of the shapes that are around.
struct PayloadError {
    int status = 0;  ///< 400..599 when it names one or its type implies one, else 0
    std::string message;
    bool operator==(const PayloadError&) const = default;
};

/// What matters to a router in one chat, completion or embedding object, whole or chunk.
struct Payload {
    bool hasContent = false;   ///< text, reasoning, refusal, audio, tool or function call
    bool hasChoices = false;   ///< at least one
    bool hasFinish = false;    ///< a finish_reason that is not null
    std::optional<dispatch::Usage> usage;
    std::optional<PayloadError> error;
    /// (choice, tool) index pairs; a missing index means the place in its array (F24).
    std::vector<std::pair<std::uint64_t, std::uint64_t>> toolCalls;
};

/// Reads payloads tolerantly: absent, null or oddly typed members count as absent (F9). Text that is not one JSON
/// object does not pass; members that nobody reads are skipped unchecked.
class PayloadReader {
public:
    PayloadReader();
    ~PayloadReader();
    PayloadReader(const PayloadReader&) = delete;
    PayloadReader& operator=(const PayloadReader&) = delete;

    /// nullopt unless `json` is one JSON object. `json` keeps its text; its capacity grows.
    [[nodiscard]] std::optional<Payload> read(std::string& json);
    /// As `read` for what came under an SSE event named `error`, where the object may be the error itself.
    [[nodiscard]] std::optional<Payload> readError(std::string& json);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace signalbox::upstream
