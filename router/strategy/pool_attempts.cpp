// SPDX-License-Identifier: MIT
#include "router/strategy/pool_attempts.h"

#include "router/classify/peculiar_words.h"
#include "router/policy/carrying.h"
#include "router/policy/phrases.h"
#include "router/strategy/course.h"

#include <algorithm>
#include <utility>

namespace signalbox::strategy {

using dispatch::UpstreamFailure;

namespace {

/// The request's own field, where the word stands for many.
std::string_view fieldNamed(std::string_view word, const policy::smart::Needs& needs) {
    for (const classify::Peculiarity one : {classify::Peculiarity::otherFields, classify::Peculiarity::grammar})
        if (toString(one) == word) return needs.peculiarities.fieldNamed(one);
    return {};
}

/// The field of a request that asks for what an exclusion says is lacking.
std::string fieldOfLacking(std::string_view word, const policy::smart::Needs& needs) {
    namespace smart = policy::smart;
    if (const std::string_view named = fieldNamed(word, needs); !named.empty()) return std::string(named);
    for (const smart::Capability capability : smart::kCapabilities)
        if (toString(capability) == word) return std::string(fieldOf(capability));
    return policy::firstField(classify::peculiaritiesNamed({std::string(word)}));
}

/// Goes on after the member's name. To OpenAI's protocol stop words are lost by their number alone, so that the limit says it.
std::string whatItLacks(const PoolMember& member, std::string_view word, const policy::smart::Needs& needs) {
    if (const std::string_view named = fieldNamed(word, needs); !named.empty()) return "cannot carry " + policy::inQuotes(named);
    const bool isLimit = word == toString(classify::Peculiarity::stopWords) && member.carrier.protocol == config::Protocol::openaiCompat;
    return isLimit ? "takes at most " + std::to_string(member.carrier.maxStopSequences) + " stop sequences" : "lacks " + std::string(word);
}

}  // namespace

dispatch::asio::awaitable<dispatch::AnswerResult> tryInOrder(std::vector<const Member*> order,
                                                             const dispatch::PoolCall& call,
                                                             const dispatch::RequestRun& run, const Clock& clock,
                                                             TermsFor termsFor) {
    std::vector<policy::RouteTarget> targets;
    targets.reserve(order.size());
    for (const Member* member : order) targets.push_back(member->target);
    Course course(targets, call.allowFallback, run.whyNoFallback);
    while (const std::optional<Course::Step> step = course.next()) {
        AttemptTerms terms = termsFor ? termsFor(step->target) : AttemptTerms{};
        terms.role = step->target == 0 ? evidence::AttemptRole::primary : evidence::AttemptRole::retry;
        terms.anyway = step->anyway;
        terms.entry = step->entry;
        terms.presetKey = call.presetKey;
        auto ready = admitAttempt(*order[step->target], run, clock, std::move(terms));
        if (!ready) {
            AttemptRefusal& refused = ready.error();
            if (refused.isCooling) course.passedOver(*step, refused.entry, std::move(refused.failure));
            else course.failed(std::move(refused.failure));
            continue;
        }
        dispatch::AnswerResult answer = co_await sendAttempt(std::move(*ready), run);
        if (answer) co_return answer;
        course.failed(std::move(answer.error()));
    }
    co_return tl::unexpected(course.failure());
}

std::optional<UpstreamFailure> checkBinding(const dispatch::EndpointBinding& binding, const Member& member) {
    if (binding.adapter() == member.adapter) return std::nullopt;
    return dispatch::compositionFailure("stale_binding", "The endpoint " + binding.endpointId() +
                                                             " has another adapter now than the one it was bound to");
}

UpstreamFailure nothingAvailable(const std::string& poolId, const std::string& why) {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::refused;
    failure.code = kPoolUnavailable;
    failure.message = "No endpoint of the pool " + poolId + " " + why;
    failure.retryAfter = std::chrono::seconds(5);
    return failure;
}

/// Each once: several members may be models of one provider.
std::string whatProvidersLack(std::span<const Exclusion> members) {
    constexpr std::size_t kMostSaid = 4;
    std::vector<std::string_view> said;
    std::string out;
    for (const Exclusion& one : members) {
        const std::string_view why = one.member->member.whyNotCallable;
        if (one.why != kNotCallable || why.empty() || std::ranges::find(said, why) != said.end()) continue;
        if (said.size() == kMostSaid) break;
        said.push_back(why);
        out.append(". ").append(why.substr(0, why.size() - (why.ends_with('.') ? 1 : 0)));
    }
    return out;
}

std::optional<UpstreamFailure> cutByRequest(const std::string& poolId, std::span<const Exclusion> members,
                                            const policy::smart::Needs& needs) {
    constexpr std::size_t kMostNamed = 4;
    std::string lacks, where;
    std::size_t lacking = 0;
    for (const Exclusion& one : members) {
        if (one.why == kOutOfScope) continue;
        if (!one.why.starts_with(kLacking)) return std::nullopt;
        if (lacking++ >= kMostNamed) continue;
        const std::string_view word = one.why.substr(kLacking.size());
        lacks += lacks.empty() ? ": " : ", ";
        lacks.append(one.member->id).append(" ").append(whatItLacks(*one.member, word, needs));
        if (where.empty()) where = fieldOfLacking(word, needs);
    }
    if (lacking == 0) return std::nullopt;
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::refused;
    failure.status = 400;
    failure.code = "invalid_request";
    failure.message = "No endpoint of the pool " + poolId + " can serve what this request asks for" + lacks +
                      ". Leave it out, or ask for another model";
    failure.where = std::move(where);
    return failure;
}

UpstreamFailure nobodyCanTake(const std::string& poolId, std::span<const PoolMember> members,
                              std::span<const std::string> excluded, const policy::smart::Needs& needs) {
    std::vector<Exclusion> exclusions;
    for (std::size_t i = 0; i < members.size(); ++i) exclusions.push_back({&members[i], excluded[i]});
    auto cut = cutByRequest(poolId, exclusions, needs);
    return cut ? std::move(*cut) : nothingAvailable(poolId, "can take this request" + whatProvidersLack(exclusions));
}

}  // namespace signalbox::strategy
