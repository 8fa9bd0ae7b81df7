// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/event.h"

#include <string>

namespace signalbox::test {

/// An event of any kind; `n` makes it one of its kind.
inline evidence::Event sampleEvent(Timestamp at, std::uint64_t n) {
    FastRandom random(n + 1'000'001);
    evidence::Event event;
    event.id = evidence::EventId::make(at, random);
    event.createdAt = at;
    event.kind = evidence::kEventKinds[n % evidence::kEventKinds.size()];
    event.target = "local";
    event.environment = "test";
    event.subject = "ep:" + std::to_string(n % 4);
    event.words = "event " + std::to_string(n);
    event.actor = n % 2 == 0 ? evidence::kByOperator : evidence::kByGateway;
    event.policyHash = std::string(64, 'a');
    return event;
}

}  // namespace signalbox::test
