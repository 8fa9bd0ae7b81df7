// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"
#include "router/upstream/simulated_request.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// Writes the JSON of one simulated answer. Everything follows from its members, so the same request with the same
/// seed gives the same bytes. All prose says that it is simulated, and `system_fingerprint` reads `simulated`.
struct SimulatedText {
    SimulatedKind kind = SimulatedKind::chat;
    DecisionId id;
    std::string model;
    std::uint64_t seed = 0;
    std::uint64_t inputTokens = 0;
    std::uint32_t outputTokens = 0;
    bool capped = false;  ///< the request's token limit ended it
    SimulatedOptions options;
    std::vector<std::string> pieces;  ///< of what is demanded, one a token; empty: prose

    /// Sets `outputTokens`, `pieces` and `capped` by what the request demands and allows. `prose` is how much is said unasked.
    /// A call is whole whatever the limit: cut arguments could not be told in every protocol.
    void measure(std::uint32_t prose);
    /// The words of the answer, one a token, the first without a leading space.
    [[nodiscard]] std::string token(std::uint32_t index) const;
    /// The tool that is called; null when none is.
    [[nodiscard]] const SimulatedDemand* call() const;
    /// The whole answer of a request that does not stream.
    [[nodiscard]] std::string whole() const;
    /// SSE frames.
    [[nodiscard]] std::string roleFrame() const;
    [[nodiscard]] std::string tokenFrame(std::uint32_t index) const;
    [[nodiscard]] std::string finishFrame() const;
    [[nodiscard]] std::string usageFrame() const;
    [[nodiscard]] dispatch::Usage usage() const;
};

}  // namespace signalbox::upstream
