// SPDX-License-Identifier: MIT
#pragma once

#include "router/strategy/admission/types.h"

namespace signalbox::strategy::admission {

/// What the profile predicts about a server at one moment. The profile must outlive the model.
class LocalModel {
public:
    LocalModel(const Profile& profile, double nowS) : m_profile(profile), m_nowS(nowS) {}

    /// KV tokens the request will hold at most.
    [[nodiscard]] static std::int64_t reservedTokens(const Request& request) {
        return request.promptTokens + request.estimatedOutputTokens;
    }
    [[nodiscard]] double workS(const Request& request) const {
        return workS(request.uncachedPrefillTokens, request.estimatedOutputTokens);
    }
    /// From arrival to first token if the request is added to `load` now: the wait so far, the overhead, all prefill
    /// up to its own, and what decoding that is still to do slows it down.
    [[nodiscard]] double ttftS(const Load& load, const Request& request) const;
    /// Seconds per output token while `running` requests share the decode rate.
    [[nodiscard]] double tpotS(std::int64_t running) const;
    [[nodiscard]] static Load with(const Load& load, const Request& request);
    /// The first check that adding the request to `load` would fail; meeting a limit exactly is fine.
    [[nodiscard]] std::optional<Reason> refusal(const Load& load, const Request& request) const;
    /// Waited for `starvationS` or longer.
    [[nodiscard]] bool aged(const Request& request) const;

private:
    [[nodiscard]] double workS(std::int64_t prefillTokens, std::int64_t decodeTokens) const;

    const Profile& m_profile;
    double m_nowS;
};

}  // namespace signalbox::strategy::admission
