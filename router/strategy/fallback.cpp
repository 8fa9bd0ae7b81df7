// SPDX-License-Identifier: MIT
#include "router/strategy/fallback.h"

namespace signalbox::strategy {

namespace {

consteval bool tableIsInOrder() {
    for (std::size_t i = 0; i < kFallbackTable.size(); ++i)
        if (static_cast<std::size_t>(kFallbackTable[i].failure) != i) return false;
    return true;
}
static_assert(tableIsInOrder(), "rows are found by their class");

bool isNotCallable(const dispatch::UpstreamFailure& failure) {
    return failure.kind == dispatch::UpstreamFailure::Kind::refused && failure.code == kNotCallable;
}

FailureClass classOfStatus(int status) {
    if (status == 408) return FailureClass::status408;
    if (status == 425) return FailureClass::status425;
    if (status == 429) return FailureClass::status429;
    if (status >= 400 && status < 500) return FailureClass::clientError;
    if (status >= 500 && status < 600) return FailureClass::serverError;
    return FailureClass::otherStatus;
}

}  // namespace

FailureClass classOf(const dispatch::UpstreamFailure& failure) {
    using Kind = dispatch::UpstreamFailure::Kind;
    if (failure.ranOutOfBudget()) return FailureClass::requestBudget;
    switch (failure.kind) {
    case Kind::refused: return FailureClass::refused;
    case Kind::connect: return FailureClass::connect;
    case Kind::timeout: return FailureClass::timeout;
    case Kind::status: return classOfStatus(failure.status);
    // An error frame that names no status is the upstream's own failure, like a 5xx.
    case Kind::errorFrame: return failure.status == 0 ? FailureClass::serverError : classOfStatus(failure.status);
    case Kind::protocol: return FailureClass::protocol;
    case Kind::disconnected: return FailureClass::disconnected;
    case Kind::cancelled: return FailureClass::cancelled;
    case Kind::composition: return FailureClass::composition;
    }
    return FailureClass::otherStatus;
}

std::string_view toString(FallbackVerdict verdict) {
    switch (verdict) {
    case FallbackVerdict::next: return "next";
    case FallbackVerdict::notForThisFailure: return "not_for_this_failure";
    case FallbackVerdict::notAllowed: return "not_allowed";
    case FallbackVerdict::lastTarget: return "last_target";
    case FallbackVerdict::contentSent: return "content_sent";
    case FallbackVerdict::noTimeLeft: return "request_budget";
    }
    return "";
}

FallbackVerdict fallbackVerdict(const dispatch::UpstreamFailure& failure, bool fallbackAllowed,
                                std::size_t remaining) {
    if (failure.ranOutOfBudget()) return FallbackVerdict::noTimeLeft;
    if (!kFallbackTable[static_cast<std::size_t>(classOf(failure))].fallsBack)
        return FallbackVerdict::notForThisFailure;
    if (!fallbackAllowed) return FallbackVerdict::notAllowed;
    if (remaining == 0) return FallbackVerdict::lastTarget;
    return FallbackVerdict::next;
}

bool endsRequest(const dispatch::UpstreamFailure& failure) {
    using Kind = dispatch::UpstreamFailure::Kind;
    return failure.kind == Kind::cancelled || failure.kind == Kind::composition || failure.ranOutOfBudget();
}

dispatch::UpstreamFailure endedBy(dispatch::UpstreamFailure last, const std::optional<dispatch::UpstreamFailure>& before) {
    const bool hasCause = before && before->sent() && !before->ranOutOfBudget() && !before->message.empty();
    if (last.ranOutOfBudget() && hasCause) last.message += ". Before that: " + before->message;
    return last;
}

bool isFinalRefusal(const dispatch::UpstreamFailure& failure) {
    const bool comesBack = failure.status == 408 || failure.status == 425 || failure.status == 429;
    return failure.kind == dispatch::UpstreamFailure::Kind::refused && failure.status >= 400 && failure.status < 500 && !comesBack;
}

bool outranks(const dispatch::UpstreamFailure& later, const dispatch::UpstreamFailure& kept) {
    if (later.sent() != kept.sent()) return later.sent();
    if (isNotCallable(later) || isNotCallable(kept)) return !isNotCallable(later);
    return !later.sent() && isFinalRefusal(kept) && !isFinalRefusal(later);
}

dispatch::UpstreamFailure noTimeLeft() {
    dispatch::UpstreamFailure out;
    out.kind = dispatch::UpstreamFailure::Kind::refused;
    out.code = dispatch::kRequestBudget;
    out.message = "Nothing more was tried, because the request's time was over";
    return out;
}

}  // namespace signalbox::strategy
