// SPDX-License-Identifier: MIT
#include "router/strategy/attempt.h"

#include "router/dispatch/instruction.h"
#include "router/strategy/fallback.h"
#include "router/strategy/leaf_answer.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;

namespace {

UpstreamFailure refusal(std::string_view code, std::string message) {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::refused;
    failure.code = code;
    failure.message = std::move(message);
    return failure;
}

UpstreamFailure circuitOpen(const capacity::CircuitView& view) {
    UpstreamFailure failure = refusal(kCircuitOpen, "");
    failure.retryAfter = std::max(std::chrono::ceil<std::chrono::seconds>(view.remaining), std::chrono::seconds(1));
    failure.message = "Endpoint " + view.endpointId + " is cooling (" + std::string(toString(view.cause)) +
                      ") and is tried again in " + std::to_string(failure.retryAfter->count()) + " s";
    return failure;
}

UpstreamFailure noCapacity(const Member& member, const capacity::CapacityRefusal& refused) {
    UpstreamFailure failure = refusal(refused.isQuota ? kQuotaExhausted : kNoFreeSlot,
                                      "Endpoint " + member.target.endpointId() + " has nothing left of the resource " +
                                          refused.resource + (refused.isQuota ? " in this window" : ": all slots are taken"));
    failure.retryAfter = refused.retryAfter;
    return failure;
}

std::optional<UpstreamFailure> mayNotBegin(const Member& member, const dispatch::RequestRun& run, const Clock& clock) {
    if (run.endsBy && clock.steady() >= *run.endsBy) return noTimeLeft();
    if (run.mayUse && !run.mayUse(member.target))
        return refusal(kNotPermitted, "The caller may not use " + member.target.endpointId());
    // Before the budget: what nobody can call costs nothing.
    if (member.adapter == nullptr) return refusal(kNotCallable, member.whyNotCallable);
    if (run.mayTry)
        if (auto refused = run.mayTry(member.target)) return refused;
    return std::nullopt;
}

tl::expected<std::shared_ptr<const dispatch::LeafBackend>, UpstreamFailure> bind(const Member& member) {
    if (member.leaf != nullptr) return member.leaf;
    auto leaf = bindLeaf(member);
    if (!leaf) return tl::unexpected(dispatch::compositionFailure("inconsistent_binding", leaf.error().text()));
    return std::move(*leaf);
}

AttemptRecord openRecord(const Member& member, const dispatch::RequestRun& run, const Clock& clock, const AttemptTerms& terms) {
    if (terms.entry) return AttemptRecord(*run.attempts, clock, run.admittedAt, *terms.entry);
    return AttemptRecord(*run.attempts, clock, run.admittedAt, member.target.endpointId(), terms.role);
}

struct Permission {
    capacity::AttemptPermit permit;
    bool lastResort;
};

std::optional<Permission> permission(const capacity::Endpoint& endpoint, bool anyway) {
    if (auto permit = endpoint.tryBegin()) return Permission{std::move(*permit), false};
    if (!anyway) return std::nullopt;
    if (auto permit = endpoint.beginAnyway()) return Permission{std::move(*permit), true};
    return std::nullopt;
}

}  // namespace

bool isFirstTry(const std::vector<evidence::Attempt>& attempts) {
    return std::ranges::all_of(attempts, [](const evidence::Attempt& one) {
        return one.outcome == evidence::AttemptOutcome::refused && one.reason == kNotCallable;
    });
}

tl::expected<ReadyAttempt, AttemptRefusal> admitAttempt(const Member& member, const dispatch::RequestRun& run,
                                                        const Clock& clock, AttemptTerms terms) {
    AttemptRecord record = openRecord(member, run, clock, terms);
    const auto refuse = [&](UpstreamFailure failure, bool cooling = false) {
        record.failed(failure);
        return tl::unexpected(AttemptRefusal{std::move(failure), record.index(), cooling});
    };
    if (auto refused = mayNotBegin(member, run, clock)) return refuse(std::move(*refused));
    auto leaf = bind(member);
    if (!leaf) return refuse(std::move(leaf.error()));
    auto permitted = permission(member.endpoint, terms.anyway);
    if (!permitted) {
        const capacity::CircuitView view = member.endpoint.circuit()->view();
        if (view.drained)
            return refuse(refusal(kEndpointDrained, "Endpoint " + view.endpointId + " is being drained by an operator"));
        return refuse(circuitOpen(view), true);
    }
    auto held = member.capacity.tryTake(clock.steady());
    if (!held) return refuse(noCapacity(member, held.error()));
    record.governBy(std::move(permitted->permit), run.blame, permitted->lastResort);
    record.hold(std::move(*held));
    record.teach(member.endpoint.profile());
    for (auto& profile : terms.profiles) record.teach(std::move(profile));
    for (auto& observer : terms.observers) record.teach(std::move(observer));
    policy::RouteTarget target = member.target;
    if (terms.presetKey) target.presetKey = std::move(terms.presetKey);
    return ReadyAttempt{std::move(*leaf), std::move(target), std::move(record)};
}

dispatch::asio::awaitable<dispatch::AnswerResult> sendAttempt(ReadyAttempt attempt, const dispatch::RequestRun& run) {
    dispatch::UpstreamRequest request = run.makeRequest(attempt.target);
    request.endsBy = run.endsBy;
    auto stream = co_await attempt.leaf->call(std::move(request));
    if (!stream) {
        attempt.record.failed(stream.error());
        co_return tl::unexpected(std::move(stream.error()));
    }
    auto answer = std::make_unique<LeafAnswer>(std::move(*stream), std::move(attempt.target), std::move(attempt.record));
    auto filled = co_await answer->fill();
    if (!filled) co_return tl::unexpected(std::move(filled.error()));
    co_return std::unique_ptr<dispatch::RoutedAnswer>(std::move(answer));
}

}  // namespace signalbox::strategy
