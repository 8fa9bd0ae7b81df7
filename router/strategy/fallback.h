// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace signalbox::strategy {

/// The classes into which a failed attempt falls. Chosen by type and status, never by message text (F54).
enum class FailureClass : std::uint8_t {
    refused, connect, timeout, disconnected, protocol,
    status408, status425, status429, clientError, serverError, otherStatus,
    cancelled, composition, requestBudget,
};

struct FallbackRow {
    FailureClass failure;
    std::string_view name;
    bool fallsBack;
};

/// Which failures before the first content let the next target try (F50). This is the only place that says so.
inline constexpr std::array<FallbackRow, 14> kFallbackTable{{
    {FailureClass::refused, "refused", true},
    {FailureClass::connect, "connect", true},
    {FailureClass::timeout, "timeout", true},
    {FailureClass::disconnected, "disconnected", true},
    {FailureClass::protocol, "protocol", true},
    {FailureClass::status408, "status_408", true},
    {FailureClass::status425, "status_425", true},
    {FailureClass::status429, "status_429", true},
    {FailureClass::clientError, "status_4xx", false},
    {FailureClass::serverError, "status_5xx", true},
    {FailureClass::otherStatus, "status_other", false},
    {FailureClass::cancelled, "cancelled", false},
    {FailureClass::composition, "composition", false},
    {FailureClass::requestBudget, "request_budget", false},
}};

[[nodiscard]] FailureClass classOf(const dispatch::UpstreamFailure& failure);

/// Whether the next target runs, and if not, why.
/// `contentSent`: the client had seen content, so that no other answer may follow (F6). `noTimeLeft`: the request's budget
/// is used up (F44).
enum class FallbackVerdict : std::uint8_t { next, notForThisFailure, notAllowed, lastTarget, contentSent, noTimeLeft };
[[nodiscard]] std::string_view toString(FallbackVerdict verdict);

/// `remaining` is the number of targets after the failed one. Holds only while the client has seen no content (F6).
[[nodiscard]] FallbackVerdict fallbackVerdict(const dispatch::UpstreamFailure& failure, bool fallbackAllowed,
                                              std::size_t remaining);

/// Ends the request whatever came before it, and so decides its error: the client left, our own mistake, no time left.
[[nodiscard]] bool endsRequest(const dispatch::UpstreamFailure& failure);
/// What is told of a request that `last` ended. One that ran out of time adds what had failed before, if anything had.
[[nodiscard]] dispatch::UpstreamFailure endedBy(dispatch::UpstreamFailure last,
                                                const std::optional<dispatch::UpstreamFailure>& before);
/// Refused for good: asking again would bring the same. What cools, is full or has used up its share comes back.
[[nodiscard]] bool isFinalRefusal(const dispatch::UpstreamFailure& failure);
/// The reason where a provider has no adapter; `Member::whyNotCallable` says what it lacks.
inline constexpr std::string_view kNotCallable = "provider_not_callable";
/// Of two that did not deliver, whether the later one is what the client is told: what was sent comes before what was not,
/// then what may be asked again before what is refused for good, and both before a provider that cannot be called, which says
/// nothing of the request; then the first.
[[nodiscard]] bool outranks(const dispatch::UpstreamFailure& later, const dispatch::UpstreamFailure& kept);
/// Nothing may be begun any more: the refusal of a whole attempt.
[[nodiscard]] dispatch::UpstreamFailure noTimeLeft();

}  // namespace signalbox::strategy
