// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/evidence/record.h"

namespace signalbox::evidence {

/// How far a request has come that has no record yet. It is decided as soon as it is admitted.
enum class Stage : std::uint8_t {
    queued,    ///< decided, and not sent anywhere: it waits for its turn, or for room at a local server
    waiting,   ///< sent, and nothing of the answer came yet
    streaming  ///< its client gets content
};
[[nodiscard]] std::string_view toString(Stage value);
[[nodiscard]] std::optional<Stage> parseStage(std::string_view word);

/// A request under way. Never content, never a session, never a key.
struct RunningRequest {
    DecisionId id;
    Timestamp createdAt{};   ///< by the gateway's own clock
    Steady admittedAt{};     ///< its age is true on any machine
    Edge edge = Edge::openai;
    std::string principal;
    std::string requestedModel;  ///< bounded
    bool stream = false;
    Stage stage = Stage::queued;
    std::optional<std::string> presetKey;  ///< of the first choice
    std::string endpointId;  ///< of the attempt under way, the newest where several are; empty while none is
    std::uint32_t attempts = 0;  ///< entries of its attempt list so far
    std::optional<double> firstContentMs;  ///< since it was admitted
    bool operator==(const RunningRequest&) const = default;
};

/// The oldest of those under way.
struct RunningRequests {
    std::vector<RunningRequest> rows;  ///< oldest first
    std::uint64_t leftOut = 0;         ///< newer ones that did not fit
};

/// What the unfinished record of an admitted request tells so far.
[[nodiscard]] RunningRequest runningRequest(const DecisionRecord& record, Steady admittedAt);

/// The oldest `most` of several lists, each oldest first.
[[nodiscard]] RunningRequests oldestOf(std::vector<RunningRequests> lists, std::size_t most);

}  // namespace signalbox::evidence
