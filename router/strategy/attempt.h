// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/leaf.h"
#include "router/dispatch/request_run.h"
#include "router/dispatch/routed_answer.h"
#include "router/strategy/attempt_record.h"
#include "router/strategy/member.h"

#include <optional>

namespace signalbox::strategy {

/// The reason of an attempt that was not made because its endpoint was cooling.
inline constexpr std::string_view kCircuitOpen = "circuit_open";
/// … because an operator drains it.
inline constexpr std::string_view kEndpointDrained = "endpoint_drained";
inline constexpr std::string_view kNoFreeSlot = "no_free_slot";
inline constexpr std::string_view kQuotaExhausted = "quota_exhausted";
inline constexpr std::string_view kNotPermitted = "endpoint_not_allowed";

/// Whether what comes next is the first try of the request: a provider that cannot be called stands on the list and was not tried.
[[nodiscard]] bool isFirstTry(const std::vector<evidence::Attempt>& attempts);

/// How one attempt is to be made.
struct AttemptTerms {
    evidence::AttemptRole role = evidence::AttemptRole::primary;
    /// Send although the circuit is open.
    bool anyway = false;
    /// Of the attempt list, where the endpoint was passed over before, so that it is not listed twice (F62).
    std::optional<std::size_t> entry;
    std::optional<std::string> presetKey;  ///< replaces the member's own, for a pool that serves a preset
    std::vector<std::shared_ptr<capacity::LatencyProfile>> profiles;  ///< to teach besides the endpoint's own
    std::vector<std::shared_ptr<AttemptObserver>> observers;
};

/// An attempt that may be sent: bound to its adapter, permitted by its circuit, with its capacity held. Dropping it
/// gives everything back and says nothing about the endpoint.
struct ReadyAttempt {
    std::shared_ptr<const dispatch::LeafBackend> leaf;
    policy::RouteTarget target;
    AttemptRecord record;
};

/// An attempt that may not be sent. It is on the list as refused and no sample was taken.
struct AttemptRefusal {
    dispatch::UpstreamFailure failure;
    std::size_t entry = 0;
    bool isCooling = false;  ///< the circuit is open: it may still be tried as the last resort
};

/// Everything that comes before I/O, in this order: time that is left (F44), what the principal may use, whether its provider can be
/// called, what the principal may afford, the binding, the circuit (asked again before every attempt, F56), the capacity. `run.blame`
/// must be set.
[[nodiscard]] tl::expected<ReadyAttempt, AttemptRefusal> admitAttempt(const Member& member, const dispatch::RequestRun& run,
                                                                      const Clock& clock, AttemptTerms terms);

/// Sends it through its leaf and reads to the first content; the record is closed on every way out. `run` must live
/// until the coroutine has ended.
[[nodiscard]] dispatch::asio::awaitable<dispatch::AnswerResult> sendAttempt(ReadyAttempt attempt,
                                                                            const dispatch::RequestRun& run);

}  // namespace signalbox::strategy
