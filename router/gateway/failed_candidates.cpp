// SPDX-License-Identifier: MIT
#include "router/gateway/failed_candidates.h"

#include "router/base/text.h"
#include "router/evidence/attempt_words.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

/// Both edges cut a message there; what is added must not be what is cut.
constexpr std::size_t kEdgeMessageBytes = 2048;
constexpr std::size_t kElisionBytes = 3; // of the mark behind what was cut

} // namespace

void nameCandidates(EdgeError& error, const std::vector<evidence::Attempt>& attempts) {
    if (evidence::countOfUnanswered(attempts) < 2)
        return;
    const std::string tried = " (came to nothing, in this order: " + evidence::unansweredBy(attempts, true) + ")";
    const std::size_t room = kEdgeMessageBytes - std::min(kEdgeMessageBytes, tried.size() + kElisionBytes);
    error.message = elided(error.message, room) + tried;
}

} // namespace signalbox::gateway
