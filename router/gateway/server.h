// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/evidence/running_request.h"
#include "router/evidence/sink.h"
#include "router/gateway/admin_handler.h"
#include "router/gateway/refusals.h"
#include "router/gateway/serving.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace signalbox::gateway {

class RefusalFeed;

struct ServerOptions {
    /// Called once per I/O thread at start; empty where there is no store. Of what a policy with `evidence.enabled` false
    /// decides nothing is recorded.
    std::function<Result<std::unique_ptr<evidence::RecordSink>>()> makeSink;
    /// Called on I/O threads with every finished request; must be cheap and thread safe. May be empty.
    std::function<void(std::shared_ptr<const evidence::DecisionRecord>)> onDecision;
    /// Asked by each reading of the metrics page, on an I/O thread; must not block. Empty when evidence is off.
    std::function<evidence::EvidenceStatus()> evidence;
    /// Client connections at once, over all threads. 0: as many as the process may have descriptors for, less what
    /// its upstream sockets and files need, and at most 4096.
    std::size_t maxConnections = 0;
    /// Who answers the admin paths; may be null. It may still answer while the server ends, and is then not heard.
    std::shared_ptr<AdminHandler> admin = {};
    /// Told of each request that is turned away before it becomes a decision; may be null.
    std::shared_ptr<RefusalFeed> turnedAway = {};
};

struct ServerCounters {
    std::uint32_t inFlight = 0;
    std::uint64_t decided = 0, dispatched = 0, served = 0;
};

/// The listening socket, its I/O threads and their sessions. Policies come and go under it; the socket stays
/// until the server is stopped or told to listen elsewhere. Calls are for one thread at a time, except the
/// const ones.
class Server {
public:
    /// Binds and serves `serving`. Errors: address taken, not ours, not permitted or not an address at all.
    [[nodiscard]] static Result<std::unique_ptr<Server>> start(const Clock& clock, ServerOptions options,
                                                               std::shared_ptr<const Serving> serving);
    ~Server();

    /// A socket that listens already, for `apply`; unused, it closes. It must end before the server does.
    class NewAddress;
    /// Binds the address that `wanted` names if it is another one than now; null where it stays. Errors as in `start`.
    /// To be asked before a policy is made ready to serve, which changes what the process shares: a policy whose address
    /// is taken then leaves everything as it was.
    [[nodiscard]] Result<std::shared_ptr<NewAddress>> open(const config::Server& wanted);
    /// Returns when every I/O thread gives the new one to its requests and, with a new address, the old one is closed.
    /// The number of threads stays what it was at start.
    void apply(std::shared_ptr<const Serving> serving, std::shared_ptr<NewAddress> address);
    /// Both in one, for a `serving` that is ready.
    [[nodiscard]] Result<void> apply(std::shared_ptr<const Serving> serving);
    /// Takes no new requests, waits for those in flight, cuts off what is left after `patience`, and closes. As long as
    /// any are in flight newcomers are answered 503, on `/readyz` as elsewhere, instead of finding nobody.
    void stop(std::chrono::milliseconds patience);

    [[nodiscard]] std::string host() const;
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] ServerCounters counters() const;
    /// Of the last hour.
    [[nodiscard]] std::vector<Refusal> refusals() const;
    /// The oldest requests that were admitted and have no record yet, at most so many. Blocks until every I/O thread has
    /// looked, which is at its next turn.
    [[nodiscard]] evidence::RunningRequests running(std::size_t most) const;

private:
    struct Parts;
    explicit Server(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace signalbox::gateway
