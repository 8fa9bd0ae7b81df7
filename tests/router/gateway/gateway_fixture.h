// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/server.h"
#include "tests/router/gateway/fake_adapter.h"
#include "tests/support/raw_http.h"

#include <memory>
#include <mutex>

namespace signalbox::test {

inline const std::string kToken = "test-token-0123456789";
inline const std::string kAuth = "Authorization: Bearer " + kToken;

struct FixtureOptions {
    std::string server; ///< further lines of [server]
    std::string more;   ///< further sections of gateway.toml
    std::string token = kToken;
    std::vector<std::string> models; ///< further models of provider `up`
    std::string providerLines;       ///< further lines of [providers.up]
    unsigned threads = 2;
    /// Real adapters instead of the fakes, for providers at these base URLs: `up` and `other`.
    std::map<std::string, std::string> upstreams;
    std::size_t maxConnections = 0; ///< of clients; 0 leaves it to the gateway
};

inline const std::string kAdminToken = "admin-token-0123456789";

/// A real gateway on a port of its own over fake upstreams `up` and `other`, with a small table: family
/// `fam-a`, presets `a-k1` (default, serves as `model-a`) and `a-k4` (structured, tools; one at a time;
/// serves as `model-a-k4`).
class GatewayFixture {
public:
    explicit GatewayFixture(FixtureOptions options = {});
    /// Time for everything that decides stands still until the test moves it; sockets keep their own.
    GatewayFixture(FixtureOptions options, std::shared_ptr<Clock> clock);
    ~GatewayFixture();

    [[nodiscard]] std::uint16_t port() const { return m_server->port(); }
    [[nodiscard]] gateway::Server& server() { return *m_server; }
    [[nodiscard]] FakeAdapter& upstream() { return *m_upstream; }
    [[nodiscard]] FakeAdapter& other() { return *m_other; }
    [[nodiscard]] const std::shared_ptr<const policy::PolicySnapshot>& snapshot() const { return m_snapshot; }

    /// A request with the token.
    [[nodiscard]] std::optional<RawResponse> post(const std::string& body,
                                                  std::vector<std::string> headers = {},
                                                  const std::string& target = "/v1/chat/completions") const;
    [[nodiscard]] std::optional<RawResponse> get(const std::string& target) const;

    /// Everything recorded so far. A record is written before its response ends, so no waiting is needed.
    [[nodiscard]] std::vector<evidence::DecisionRecord> records() const;
    /// How often a code was refused.
    [[nodiscard]] std::uint64_t refusals(const std::string& code) const;
    [[nodiscard]] std::optional<RawResponse> getAsAdmin(const std::string& target) const;
    [[nodiscard]] capacity::ProcessState& process() const { return *m_process; }
    /// A second serving of the same policy, for apply.
    [[nodiscard]] std::shared_ptr<const gateway::Serving> makeServing() const;
    /// The same adapters under another policy.
    [[nodiscard]] std::shared_ptr<const gateway::Serving>
    makeServing(std::shared_ptr<const policy::PolicySnapshot> snapshot) const;

private:
    FixtureOptions m_options;
    [[nodiscard]] strategy::AdapterMap adapters() const;

    std::shared_ptr<Clock> m_clock;
    std::shared_ptr<capacity::ProcessState> m_process;
    std::shared_ptr<const policy::PolicySnapshot> m_snapshot;
    std::shared_ptr<FakeAdapter> m_upstream, m_other;
    struct Log;
    std::shared_ptr<Log> m_log;
    std::unique_ptr<gateway::Server> m_server;
};

/// A small policy as the fixture uses it.
[[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> fixtureSnapshot(const FixtureOptions& options);

} // namespace signalbox::test
