// SPDX-License-Identifier: MIT
#include "router/strategy/admission/local_model.h"

namespace signalbox::strategy::admission {
namespace {

double over(std::int64_t tokens, double rate) { return static_cast<double>(tokens) / rate; }

}  // namespace

double LocalModel::ttftS(const Load& load, const Request& request) const {
    const double waited = m_nowS - request.arrivalS;
    const double prefill = over(load.remainingPrefillTokens + request.uncachedPrefillTokens, m_profile.prefillTokensPerS);
    const double decode = over(load.remainingDecodeTokens, m_profile.decodeTokensPerS);
    return waited + m_profile.ttftOverheadS + prefill + m_profile.decodeInterference * decode;
}

double LocalModel::tpotS(std::int64_t running) const { return over(running, m_profile.decodeTokensPerS); }

Load LocalModel::with(const Load& load, const Request& request) {
    return {load.runningRequests + 1, load.reservedTokens + reservedTokens(request),
            load.remainingPrefillTokens + request.uncachedPrefillTokens,
            load.remainingDecodeTokens + request.estimatedOutputTokens};
}

std::optional<Reason> LocalModel::refusal(const Load& load, const Request& request) const {
    const Load after = with(load, request);
    if (after.runningRequests > m_profile.maxRunningRequests) return Reason::concurrencyCapacity;
    if (after.reservedTokens > m_profile.maxReservedTokens) return Reason::tokenCapacity;
    if (workS(after.remainingPrefillTokens, after.remainingDecodeTokens) > m_profile.maxWorkS) return Reason::workCapacity;
    if (ttftS(load, request) > request.deadlineS - request.arrivalS) return Reason::ttftDeadline;
    if (m_profile.maxPredictedTpotS && tpotS(after.runningRequests) > *m_profile.maxPredictedTpotS)
        return Reason::tpotCapacity;
    return std::nullopt;
}

bool LocalModel::aged(const Request& request) const {
    return m_profile.starvationS && m_nowS - request.arrivalS >= *m_profile.starvationS;
}

double LocalModel::workS(std::int64_t prefillTokens, std::int64_t decodeTokens) const {
    return over(prefillTokens, m_profile.prefillTokensPerS) + over(decodeTokens, m_profile.decodeTokensPerS);
}

}  // namespace signalbox::strategy::admission
