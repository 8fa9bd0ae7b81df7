// SPDX-License-Identifier: MIT
#include "router/evidence/record.h"
#include "router/evidence/running_request.h"
#include "router/evidence/sink.h"

#include <array>

namespace signalbox::evidence {
namespace {

template <class E, std::size_t N>
std::optional<E> fromWord(const std::array<E, N>& values, std::string_view word) {
    for (const E value : values)
        if (toString(value) == word) return value;
    return std::nullopt;
}

}  // namespace

std::string_view toString(Origin value) {
    switch (value) {
    case Origin::traffic: return "traffic";
    case Origin::probe: return "probe";
    case Origin::simulation: return "simulation";
    case Origin::demo: return "demo";
    }
    return "";
}

std::string_view toString(Edge value) {
    switch (value) {
    case Edge::openai: return "openai";
    case Edge::anthropic: return "anthropic";
    }
    return "";
}

std::string_view toString(Outcome value) {
    switch (value) {
    case Outcome::served: return "served";
    case Outcome::failed: return "failed";
    case Outcome::refused: return "refused";
    case Outcome::cancelled: return "cancelled";
    }
    return "";
}

std::string_view toString(Stage value) {
    switch (value) {
    case Stage::queued: return "queued";
    case Stage::waiting: return "waiting";
    case Stage::streaming: return "streaming";
    }
    return "";
}

std::string_view toString(AttemptRole value) {
    switch (value) {
    case AttemptRole::primary: return "primary";
    case AttemptRole::retry: return "retry";
    case AttemptRole::hedge: return "hedge";
    case AttemptRole::probe: return "probe";
    }
    return "";
}

std::string_view toString(AttemptOutcome value) {
    switch (value) {
    case AttemptOutcome::served: return "served";
    case AttemptOutcome::failed: return "failed";
    case AttemptOutcome::refused: return "refused";
    case AttemptOutcome::cancelled: return "cancelled";
    }
    return "";
}

std::string_view toString(StoreState state) {
    switch (state) {
    case StoreState::off: return "off";
    case StoreState::starting: return "starting";
    case StoreState::ready: return "ready";
    case StoreState::catchingUp: return "catching_up";
    case StoreState::unavailable: return "unavailable";
    case StoreState::journalFull: return "journal_full";
    }
    return "";
}

std::optional<Origin> parseOrigin(std::string_view word) {
    return fromWord(std::array{Origin::traffic, Origin::probe, Origin::simulation, Origin::demo}, word);
}

std::optional<Edge> parseEdge(std::string_view word) {
    return fromWord(std::array{Edge::openai, Edge::anthropic}, word);
}

std::optional<Outcome> parseOutcome(std::string_view word) {
    return fromWord(std::array{Outcome::served, Outcome::failed, Outcome::refused, Outcome::cancelled}, word);
}

std::optional<Stage> parseStage(std::string_view word) {
    return fromWord(std::array{Stage::queued, Stage::waiting, Stage::streaming}, word);
}

std::optional<AttemptRole> parseAttemptRole(std::string_view word) {
    return fromWord(std::array{AttemptRole::primary, AttemptRole::retry, AttemptRole::hedge, AttemptRole::probe}, word);
}

std::optional<AttemptOutcome> parseAttemptOutcome(std::string_view word) {
    return fromWord(std::array{AttemptOutcome::served, AttemptOutcome::failed, AttemptOutcome::refused,
                               AttemptOutcome::cancelled},
                    word);
}

}  // namespace signalbox::evidence
