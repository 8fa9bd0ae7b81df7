// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/gateway/gateway_fixture.h"
#include "tests/support/scripted_upstream.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::test {

/// Every way a pool can be run; RouteWise with and without its backups counts as two.
enum class PoolKind : std::uint8_t { fixed, routewise, hedging, greedy, hybrid };
inline constexpr std::array kPoolKinds{PoolKind::fixed, PoolKind::routewise, PoolKind::hedging, PoolKind::greedy, PoolKind::hybrid};
[[nodiscard]] std::string toString(PoolKind kind);

/// A port of 127.0.0.1 that is taken and cannot be connected to.
class DeadPort {
public:
    enum class Manner : std::uint8_t {
        refuses,  ///< at once
        hangs,    ///< until the caller loses patience
    };
    explicit DeadPort(Manner manner);
    ~DeadPort();
    DeadPort(const DeadPort&) = delete;
    DeadPort& operator=(const DeadPort&) = delete;
    [[nodiscard]] std::string baseUrl() const { return "http://127.0.0.1:" + std::to_string(m_port) + "/v1"; }

private:
    int m_listener;
    std::vector<int> m_fillers;
    std::uint16_t m_port = 0;
};

/// How one endpoint of the scene is set up. Times are milliseconds.
struct EndpointSetup {
    std::optional<DeadPort::Manner> dead;  ///< nobody listens there
    int connectMs = 5'000, firstByteMs = 5'000, idleMs = 5'000, totalMs = 10'000;
};

struct PoolSceneOptions {
    PoolKind kind = PoolKind::fixed;
    std::vector<EndpointSetup> endpoints = std::vector<EndpointSetup>(2);
    int slots = 4;  ///< of each endpoint
    double sloS = 3;  ///< RouteWise's objective for the first content, seconds
    unsigned threads = 2;  ///< of the gateway
    std::string more;  ///< further sections
    std::string server;  ///< further lines of [server]
};

/// A gateway with the model `pool` over real sockets: endpoints `a:m`, `b:m`, … are scripted upstreams that answer well
/// until told otherwise. Whatever the router, `a` is asked first. Each has slots and a quota of its own.
class PoolScene {
public:
    static constexpr std::uint64_t kQuota = 1'000'000;

    explicit PoolScene(PoolSceneOptions options);

    [[nodiscard]] GatewayFixture& gateway() const { return *m_gateway; }
    [[nodiscard]] ScriptedUpstream& at(std::size_t endpoint) const { return *m_upstreams[endpoint]; }
    [[nodiscard]] std::size_t size() const { return m_upstreams.size(); }
    [[nodiscard]] static std::string idOf(std::size_t endpoint) { return std::string(1, static_cast<char>('a' + endpoint)) + ":m"; }

    [[nodiscard]] std::uint32_t slotsInUse(std::size_t endpoint) const;
    [[nodiscard]] std::uint32_t slotsInUse() const;  ///< of all
    [[nodiscard]] std::uint64_t quotaUsed(std::size_t endpoint) const;
    /// First contents and failures that the endpoint's latency profile was taught.
    [[nodiscard]] std::size_t profileSamples(std::size_t endpoint) const;
    [[nodiscard]] capacity::CircuitView circuit(std::size_t endpoint) const;
    /// The endpoint's server is gone, with its port and connections.
    void vanish(std::size_t endpoint) { m_upstreams[endpoint].reset(); }
    void closeGateway() { m_gateway.reset(); }

    /// Requests that the local server of a greedy pool has taken on.
    [[nodiscard]] std::int64_t takenOn() const;
    /// Nothing is held and nothing is under way, at our side and at the upstreams' (connections kept for reuse are).
    [[nodiscard]] std::string whatIsHeld() const;
    /// Teaches a RouteWise pool that an endpoint's streams have their first content after so long.
    void teach(std::size_t endpoint, std::chrono::milliseconds ttft, int times = 20) const;

private:
    std::vector<std::unique_ptr<ScriptedUpstream>> m_upstreams;
    std::vector<std::unique_ptr<DeadPort>> m_dead;
    PoolKind m_kind;
    int m_slots;
    std::unique_ptr<GatewayFixture> m_gateway;
};

/// A request to the pool.
[[nodiscard]] std::string poolBody(bool stream);
/// The same as bytes with the token, for a RawClient.
[[nodiscard]] std::string poolRequest(bool stream);
/// `a primary failed status_500; b retry served`
[[nodiscard]] std::string storyOf(const evidence::DecisionRecord& record);

/// Frames of an answer, and a whole one.
namespace frames {
inline const std::string kRole = R"({"id":"x","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})";
inline const std::string kText = R"({"id":"x","choices":[{"index":0,"delta":{"content":"one piece"}}]})";
inline const std::string kFinish = R"({"id":"x","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
inline const std::string kUsage = R"({"id":"x","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})";
inline const std::string kError = R"({"error":{"message":"it broke"}})";
inline const std::string kDone = "[DONE]";
inline const std::string kWhole =
    R"({"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"one piece"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}})";
}  // namespace frames
/// Role, text, finish, usage, `[DONE]`; or one JSON.
[[nodiscard]] Reply goodReply(bool stream);
/// The same after a `release`.
[[nodiscard]] Reply heldReply(bool stream);
/// As the request that an upstream received asks for.
[[nodiscard]] bool wantsStream(const ReceivedRequest& request);

}  // namespace signalbox::test
