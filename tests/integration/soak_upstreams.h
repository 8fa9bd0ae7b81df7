// SPDX-License-Identifier: MIT
#pragma once

#include "tests/integration/gateway_scene.h"
#include "tests/router/gateway/pool_scene.h"

namespace signalbox::test {

inline const std::string kSoakUpstreamKey = "upstream-key";

/// What a soak's gateway sends to: `oa` and `an` speak the two protocols as strictly as the real ones, the scene's own
/// upstream answers anybody; one in ten of their answers breaks, in every way that a scripted upstream knows. Behind `gone`
/// and `deaf` nobody listens or answers.
class SoakUpstreams {
public:
    explicit SoakUpstreams(GatewayScene& scene, std::uint64_t seed);

    /// Sections of gateway.toml: providers, slots, smart groups and pools of every router over these.
    [[nodiscard]] std::string sections(const std::string& mode, int percent) const;
    /// That they received, and connections that stand now; of all.
    [[nodiscard]] std::size_t requestCount() const;
    [[nodiscard]] std::size_t openConnections() const;

private:
    ScriptedUpstream& m_plain;
    ScriptedUpstream m_openAi, m_anthropic;
    DeadPort m_gone{DeadPort::Manner::refuses}, m_deaf{DeadPort::Manner::hangs};
};

} // namespace signalbox::test
