// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/capacity/engine_metrics_book.h"
#include "router/config/read.h"
#include "router/dispatch/pool_view.h"
#include "router/engine/apply_rules.h"
#include "router/engine/endpoint_action.h"
#include "router/evidence/evidence.h"
#include "router/evidence/running_request.h"
#include "router/policy/snapshot.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace signalbox::engine {

enum class GatewayState : std::uint8_t { stopped, starting, running, draining, failed };
[[nodiscard]] std::string_view toString(GatewayState state);

/// What one gateway says of itself. A value: copied freely between threads.
struct TargetStatus {
    std::string name = "local";
    GatewayState state = GatewayState::stopped;
    std::string address;       ///< `127.0.0.1:38082` while running
    std::string baseUrl;       ///< `http://127.0.0.1:38082/v1`
    std::string lastError;     ///< why it failed or did not start, with what to do
    Timestamp startedAt{};
    std::string runningHash;   ///< policy hash; empty while stopped
    std::string tableSha256;
    std::string policyVersion;
    std::string mode = "off";  ///< that is running: off, shadow, active
    std::uint32_t activationPercent = 0;
    bool killed = false;       ///< the kill switch holds it at off, whatever the policy says
    /// Environment variables that override the file, as `NAME=value` (values of these three are no secret).
    std::vector<std::string> overrides;
    std::string signedBy;      ///< trusted comment's signer when the table was verified at start
    bool tokenRequired = true;
    std::uint32_t inFlight = 0;
    std::uint64_t decided = 0, dispatched = 0, served = 0;
    evidence::EvidenceStatus evidence;
    /// A gateway elsewhere, as its admin API tells. `starting` is then before its first answer. While it cannot be
    /// reached `state` is failed, `lastError` says why, and everything else stands as it was heard last.
    bool remote = false;
    Timestamp heardAt{};           ///< its last answer; never, when there was none yet
    Timestamp unreachableSince{};  ///< only while it cannot be reached
    /// Mode and share that an operator set over the policy's own, as `active 25 %`: drift, until the next apply or start.
    /// Empty: none. The kill switch is told by `killed` alone.
    std::string modeOverride;
    std::string version;           ///< of the program that the gateway is part of
};

/// What a target is to run.
struct Policy {
    std::shared_ptr<const policy::PolicySnapshot> snapshot;
    std::string signedBy;
};

/// One endpoint as it is now: who cools, why, until when (F58), and what was learned.
struct EndpointHealth {
    std::string endpointId;
    std::string circuit = "closed";  ///< closed, open, half_open
    std::string cause;               ///< why it opened last
    std::chrono::milliseconds coolsFor{0};
    std::uint32_t consecutiveFailures = 0;
    std::uint64_t openedTotal = 0;
    bool credentialReady = true;     ///< false: planning passes over it, for its provider cannot be called
    std::string lacks;               ///< then the key of the provider that is to blame: `api_key_env`, `base_url`, …
    bool drained = false;            ///< an operator keeps new attempts away
    std::uint32_t inFlight = 0;      ///< attempts on their way
    std::vector<std::string> resources;              ///< that a call takes
    std::optional<double> ttftP50Ms, ttftP95Ms;      ///< of the last 15 minutes, else of the last day
    std::uint64_t ttftSamples = 0;
    std::string vllmPin;             ///< version that the table was measured with, when a preset of it is served here
    capacity::EnginePageState enginePage;            ///< of its provider's metrics page, if it has one
    std::optional<capacity::EngineMetrics> engine;   ///< what that page said of this model last
    bool engineFresh = false;                        ///< recent enough to be counted on
    policy::smart::CandidateSignals signals;  ///< what planning would read now
};

/// One resource as it stands: who may still take how much of it.
struct ResourceView {
    std::string name;
    std::string kind;                ///< concurrency, quota
    std::uint64_t limit = 0;
    std::uint64_t used = 0;          ///< slots taken now; of a quota what is used in this window
    std::optional<std::chrono::seconds> resetsIn;  ///< of a quota with a window
    std::vector<std::string> usedBy; ///< endpoints whose calls take it, sorted
};

/// What a principal used: this minute's requests and this month's estimated cost.
struct PrincipalUse {
    std::string id;
    std::uint32_t requestsThisMinute = 0;
    double spentUsd = 0;      ///< since the first of the month, UTC, estimate
    bool spentKnown = false;  ///< false until history has been asked
};

/// Requests of one client that were turned away for one reason.
struct RefusalCount {
    static constexpr std::chrono::seconds kWindow{3600};

    std::string code;     ///< `invalid_token`, `model_not_found`, …
    std::string message;  ///< newest, with the header or field that would fix it
    std::uint64_t count = 0;  ///< in the last hour
    Timestamp newest{};
    std::string peer{};       ///< the client's address; empty when it had gone, or is of an older gateway, which tells no client
    std::string agent{};      ///< what it calls itself: `OpenAI/JS 4.20.0`; empty without a User-Agent
    std::string principal{};  ///< whose token it had; empty when it had none, or was not asked for it
    bool others = false;      ///< clients that there was no room to tell apart, at `peer` where it says one
    bool sinceStart = false;  ///< the count is of an older gateway, since it started
    bool operator==(const RefusalCount&) const = default;
};

/// Requests that were admitted and have not ended, at one moment.
struct RequestsUnderWay {
    static constexpr std::size_t kMost = 200;
    enum class Told : std::uint8_t {
        notYet,  ///< a gateway elsewhere is being asked
        told,
        never    ///< it is of a version that tells of requests when they have ended
    };
    std::vector<evidence::RunningRequest> rows;  ///< the oldest, oldest first, at most `kMost`
    std::uint64_t leftOut = 0;                   ///< newer ones
    Told told = Told::notYet;
};

/// Which lists of a gateway are known. One elsewhere is asked for each only while somebody looks at it, and until it has told a
/// list, that something is not in it says nothing. Known once is not for ever: who looks again after a while has to wait for what
/// it tells then.
struct KnownLists {
    bool endpoints = true, pools = true, refusals = true;
};

/// New decisions since the last `take`, from a bounded buffer. Thread safe, cheap, never blocks a gateway thread.
class DecisionFeed {
public:
    virtual ~DecisionFeed() = default;
    struct Batch {
        std::vector<std::shared_ptr<const evidence::DecisionRecord>> records;  ///< oldest first
        std::uint64_t skipped = 0;  ///< that did not fit since the last take
    };
    [[nodiscard]] virtual Batch take() = 0;
};

/// What a subscriber to decisions wants.
struct FeedWish {
    FeedWish(std::size_t records) : capacity(records) {}
    FeedWish(std::size_t records, bool (*which)(const evidence::DecisionRecord&)) : capacity(records), wanted(which) {}
    std::size_t capacity;  ///< records that wait for `take` at most; the oldest make room
    /// Asked on the thread that served the request. What nobody wants is given back at once, while it is still in the cache.
    bool (*wanted)(const evidence::DecisionRecord&) = nullptr;  ///< null: all of them
};

/// A question to history that runs on a worker; the callback comes on that worker thread.
class HistoryJob {
public:
    virtual ~HistoryJob() = default;
    /// After it returns the callback will not start; one that has started may still run.
    virtual void cancel() = 0;
};

/// One gateway as the console, and later the admin API, see it: status, actions, live decisions and history.
/// All calls are thread safe and return at once unless they say that they block.
class Target {
public:
    virtual ~Target() = default;

    [[nodiscard]] virtual TargetStatus status() const = 0;
    /// The policy that answers requests now; null while stopped.
    [[nodiscard]] virtual std::shared_ptr<const policy::PolicySnapshot> running() const = 0;

    /// Blocks until listening or failed: call from a worker. Errors: port taken, address not ours, evidence held by
    /// another process.
    [[nodiscard]] virtual Result<void> start(Policy policy) = 0;
    /// New requests take the new policy from here on; requests in flight finish on the old one. Blocks until every
    /// I/O thread has switched (milliseconds). No socket closes.
    [[nodiscard]] virtual Result<void> apply(Policy policy) = 0;
    /// Refuses new requests, lets those in flight finish for at most `patience`, then closes. Blocks.
    [[nodiscard]] virtual Result<void> stop(std::chrono::milliseconds patience) = 0;

    /// The kill switch: the running policy with mode off, until `apply`, `start` or `off(false)`. Takes effect for the
    /// next request of every thread; nothing in flight changes. Blocks for milliseconds. Error: not running.
    [[nodiscard]] virtual Result<void> off(bool on) = 0;
    /// Mode and share of the requests instead of the policy's own, until `apply` or `start`; a share that is not given
    /// stays. Who is in the share stays in when it grows. Blocks for milliseconds. Errors: not running; the kill switch
    /// is on; shadow or active without a smart group.
    [[nodiscard]] virtual Result<void> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) = 0;
    /// Writes a sentence among the events. Errors: nothing to say, or a gateway that keeps no evidence.
    [[nodiscard]] virtual Result<void> note(const std::string& words) = 0;
    /// Read before a list, since one may be told meanwhile.
    [[nodiscard]] virtual KnownLists knownLists() const { return {}; }
    /// Endpoints of the running policy, sorted; empty while stopped.
    [[nodiscard]] virtual std::vector<EndpointHealth> endpoints() const = 0;
    /// Models of the running policy with a router of their own, in the order of the file; empty while stopped.
    [[nodiscard]] virtual std::vector<dispatch::PoolView> pools() const = 0;
    /// What the router of that pool would choose, by the same functions; takes nothing and counts nothing. Errors: not
    /// running, no such pool.
    [[nodiscard]] virtual Result<dispatch::PoolForecast> forecast(const std::string& poolId,
                                                                  const dispatch::PoolQuestion& question) const = 0;
    /// Resources of the running policy, by name; empty while stopped.
    [[nodiscard]] virtual std::vector<ResourceView> resources() const = 0;
    /// Takes effect for the next attempt and is written down as an event. Errors: not running, no such endpoint.
    [[nodiscard]] virtual Result<void> act(const std::string& endpointId, EndpointAction action) = 0;
    [[nodiscard]] virtual std::vector<PrincipalUse> principals() const = 0;
    /// The document of `GET /admin/router/status`.
    [[nodiscard]] virtual std::string routerStatusJson() const = 0;

    /// Client token to show in snippets; empty when none is required.
    [[nodiscard]] virtual std::string clientToken() const = 0;
    [[nodiscard]] virtual std::vector<RefusalCount> refusals() const = 0;
    /// None while stopped. Blocks until each thread of the gateway has looked, which a busy one does at its next turn: call
    /// from a worker. `admittedAt` is of this process's clock.
    [[nodiscard]] virtual RequestsUnderWay requests() const = 0;
    [[nodiscard]] virtual std::unique_ptr<DecisionFeed> subscribe(FeedWish wish) = 0;

    /// Runs `question` with a reader on the history worker.
    [[nodiscard]] virtual std::unique_ptr<HistoryJob>
    ask(std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)> question) = 0;
};

struct EmbeddedOptions {
    evidence::EvidenceOptions evidence;
    bool evidenceEnabled = true;
    std::filesystem::path stateFolder;  ///< client token and other state; created with 0700
    config::Environment environment;    ///< API keys and tokens
    ApplyRules applyRules = {};         ///< for policies that come over the admin API
    std::string operatedBy = {};        ///< whose process this is, `ada@ops-1`: what is done at hand is told as theirs; empty: nobody is named
};

/// A gateway in this process. Evidence opens at once, so history can be read while the gateway is stopped.
[[nodiscard]] Result<std::unique_ptr<Target>> makeEmbeddedTarget(EmbeddedOptions options);

}  // namespace signalbox::engine
