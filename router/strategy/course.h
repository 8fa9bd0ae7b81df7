// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/resolve.h"
#include "router/strategy/fallback.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace signalbox::strategy {

/// One request's way through the targets of its plan: which is next, when to stop, and which failure the client gets.
///
/// Targets whose circuit is open are passed over. If in the end nothing was sent to anyone and some were passed over,
/// they are tried all the same, in order, as the last resort (F57). A plan that says itself that all its candidates
/// cool begins there. No endpoint comes twice (F62). Where fallback is not allowed nothing follows what was sent; a refusal, with
/// which nothing was, lets the next of the targets try all the same.
class Course {
public:
    Course(const policy::RoutePlan& plan, std::string* whyNoFallback);
    /// The way through a pool, which has its own targets and conditions (F51). They must outlive the course.
    Course(std::span<const policy::RouteTarget> targets, bool fallbackAllowed, std::string* whyNoFallback);

    struct Step {
        std::size_t target = 0;             ///< position in the plan
        bool anyway = false;                ///< send although the circuit is open
        std::optional<std::size_t> entry;   ///< of the attempt list, where the target was passed over before
    };
    [[nodiscard]] std::optional<Step> next();

    /// The step found its circuit open; `entry` is where that was written.
    void passedOver(const Step& step, std::size_t entry, dispatch::UpstreamFailure failure);
    void failed(dispatch::UpstreamFailure failure);

    /// After the last step: the first planned attempt that reached an upstream decides; if none did, it is a refusal
    /// with Retry-After, and one for good only if all are. What ended the whole request (`endsRequest`) comes before both.
    [[nodiscard]] dispatch::UpstreamFailure failure();

private:
    struct Passed {
        std::size_t target;
        std::size_t entry;
    };
    [[nodiscard]] bool isRepeated(std::size_t target) const;
    [[nodiscard]] std::size_t remaining() const;
    void judge(const dispatch::UpstreamFailure& failure);
    void keep(dispatch::UpstreamFailure failure);
    void note(FallbackVerdict verdict);

    std::span<const policy::RouteTarget> m_targets;
    bool m_fallbackAllowed;
    std::string* m_whyNoFallback;
    std::optional<dispatch::UpstreamFailure> m_failure;
    std::vector<Passed> m_passed;
    std::size_t m_at = 0;        // next in the plan
    std::size_t m_resumeAt = 0;  // next of the passed
    const bool m_allCooling;
    bool m_resuming = false;
    bool m_sent = false;
    bool m_ended = false;
};

}  // namespace signalbox::strategy
