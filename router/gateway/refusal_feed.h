// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/evidence/record.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace signalbox::gateway {

/// A request that was turned away before it became a decision, so that no record tells of it. Nothing of its body.
struct TurnedAway {
    Timestamp at{};
    evidence::Edge edge = evidence::Edge::openai;
    int status = 0;
    std::string code;
    std::string message;    ///< what its client was told
    std::string peer;       ///< whose address it came from, without port; empty when it had gone
    std::string requestId;  ///< that its client was given with the answer; empty when nothing of the request was read
    std::uint64_t more = 0; ///< with the same code, on the same edge, since the one that was told before it
};

/// What a log tells of them, bounded however many come: of each code and edge the first at once, and from then on the
/// newest of a second with the number of the others. Thread safe. Codes are ours, so their number is bounded.
class RefusalFeed {
public:
    static constexpr std::chrono::seconds kPause{1};

    void add(TurnedAway refused);
    /// What is due at `now`, oldest first.
    [[nodiscard]] std::vector<TurnedAway> take(Steady now);
    /// The rest, due or not: nobody will ask again.
    [[nodiscard]] std::vector<TurnedAway> takeAll();

private:
    struct Waiting {
        std::optional<TurnedAway> newest;
        std::optional<Steady> toldAt;
    };
    std::mutex m_mutex;
    std::map<std::pair<evidence::Edge, std::string>, Waiting> m_waiting;
};

} // namespace signalbox::gateway
