// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/group.h"
#include "router/policy/smart/plan.h"
#include "ui/bridge/bridge.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace signalbox::ui {

/// What a group would decide by: the draft, and what recorded decisions were made from.
struct DraftGroup {
    policy::smart::Group group;
    policy::smart::Settings settings;
    /// The group as it was when the decisions were made (the running policy, else the file): tells which hints and which
    /// default profile changed. Null when it did not exist.
    const config::SmartGroup* before = nullptr;
    std::string defaultProfileBefore;  ///< of the whole policy
    std::span<const engine::EndpointHealth> health;  ///< for what no record holds: a candidate that is new or was off
};

/// One recorded decision under the draft, from the raw inputs that the record holds. A changed hint moves a recorded
/// latency by the part that the prior still has, n/(n+10) with today's n calls; a candidate without recorded inputs
/// counts with its prior and today's measurements.
/// nullopt: nothing would be left to try, or the record was cut short and cannot be decided again.
[[nodiscard]] std::optional<policy::smart::Plan> planUnder(const DraftGroup& draft, const evidence::DecisionRecord& record);
/// A request that nobody sent, of `sizes`, as the draft would plan it now.
[[nodiscard]] std::optional<policy::smart::Plan> planOfSample(const DraftGroup& draft, policy::smart::Sizes sizes);

/// Recorded decisions against the draft.
struct Redecided {
    struct Move {
        std::string from, to;
        std::size_t count = 0;
        bool operator==(const Move&) const = default;
    };
    std::size_t decided = 0;       ///< that could be decided again
    std::size_t recommended = 0;   ///< of those, with another recommendation
    std::size_t servedFirst = 0;   ///< of those, with another candidate tried first
    std::size_t nothingLeft = 0;   ///< records for which the draft has nothing to offer, or that were cut short
    std::vector<Move> moves;       ///< of the recommendation, most frequent first
};
[[nodiscard]] Redecided redecide(const DraftGroup& draft, std::span<const RecordPtr> records);

/// Decisions of this group among `recent` and `history`, newest first, each once, at most `most`.
[[nodiscard]] std::vector<RecordPtr> decisionsOf(const std::string& group, std::span<const RecordPtr> recent,
                                                 std::span<const RecordPtr> history, std::size_t most);

}  // namespace signalbox::ui
