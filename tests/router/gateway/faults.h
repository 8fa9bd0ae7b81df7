// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/fault.h"
#include "tests/router/gateway/pool_scene.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::test {

/// One step of an upstream's exchange at which it breaks, and everything that must follow from it. The rows say what is
/// right on their own: nothing in them is computed by the code under test.
struct Fault {
    std::string name;
    bool stream = true;
    Reply reply;
    std::optional<DeadPort::Manner> dead;  ///< instead of a reply
    bool stalls = false;                   ///< ends by that limit of ours which `reason` names
    bool afterContent = false;             ///< the reply waits for `release` between its content and its fault

    std::string reason;      ///< of the attempt; empty: the request passes
    int attemptStatus = 0;   ///< on the attempt list
    int status = 200;        ///< that the client gets when nobody else can answer
    std::string code;        ///< of the client's error
    bool fallsBack = false;  ///< before the first content
    capacity::Sample sample = capacity::Sample::success;  ///< for the endpoint's circuit
    bool blamesRequest = false;  ///< the same at a second endpoint excuses both
    bool reached = true;         ///< a unit of the quota was used
    std::optional<std::chrono::seconds> retryAfter;  ///< that the client is told; of a date what is left of it
    bool isDate = false;  ///< the reply names the moment, from when the fault was made
    [[nodiscard]] bool passes() const { return reason.empty(); }
};

/// For the endpoint that has the fault: nobody listens, or the one limit that is to fire is short. The others are not, so
/// that a busy machine has time for what comes before.
[[nodiscard]] EndpointSetup setupFor(const Fault& fault);

/// Every step of an exchange in its order, the last of which passes.
[[nodiscard]] std::vector<Fault> faultsOf(bool stream);
/// One of them, made now: a sweep may take longer than the dates in it last.
[[nodiscard]] Fault faultAt(bool stream, std::size_t step);

}  // namespace signalbox::test
