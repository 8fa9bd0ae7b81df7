// SPDX-License-Identifier: MIT
#include "router/engine/admin_service.h"
#include "router/engine/build_serving.h"
#include "router/engine/embedded_target.h"
#include "router/engine/evidence_home.h"
#include "router/engine/feed_hub.h"
#include "router/engine/gateway_events.h"
#include "router/engine/metrics_polling.h"
#include "router/engine/modes.h"
#include "router/engine/probing.h"
#include "router/engine/running_url.h"
#include "router/engine/spending_loader.h"
#include "router/engine/target_views.h"
#include "router/engine/tokens.h"
#include "router/gateway/router_status.h"
#include "router/gateway/server.h"

#include <mutex>
#include <nlohmann/json.hpp>

namespace signalbox::engine {

namespace {

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

std::string addressOf(const std::string& host, std::uint16_t port) {
    const bool v6 = host.find(':') != std::string::npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

/// What a client on this machine connects to when the gateway listens everywhere.
std::string reachableHost(const std::string& host) {
    if (host == "0.0.0.0")
        return "127.0.0.1";
    return host == "::" ? "::1" : host;
}

/// Evidence that is on and has no store says why. `where` tells the two reasons apart: where another process records,
/// history can be read all the same; otherwise there is no place, and it is empty.
evidence::EvidenceStatus notOpened(const Error& error) {
    evidence::EvidenceStatus status;
    status.lastError = error.text();
    if (error.kind == ErrorKind::conflict)
        status.where = "journal of another process in " + error.where;
    return status;
}

/// Actions run one at a time under m_actions; what `status` reads is under m_state and never held for long.
class EmbeddedTarget final : public Target, public AdminActions {
public:
    EmbeddedTarget(EmbeddedOptions options, LogFeeds feeds)
        : m_options(std::move(options)), m_logs(std::move(feeds)), m_process(std::make_shared<capacity::ProcessState>(m_clock)),
          m_spending(m_history, m_process->principals, [this] { return m_evidence.isCaughtUp(); }, m_clock), m_history([this] { return m_evidence.makeReader(); }) {
        m_process->circuits.setListener([log = m_events, &clock = m_clock](const capacity::CircuitChange& change) {
            postCircuit(*log, change, clock);
        });
        const auto opened = openStore();
        if (!opened)
            m_status.lastError = opened.error().text();
    }

    ~EmbeddedTarget() override {
        static_cast<void>(stop(std::chrono::milliseconds(0)));
        m_admin->close();
        m_process->circuits.setListener({});
    }

    TargetStatus status() const override {
        const std::scoped_lock lock(m_state);
        TargetStatus status = m_status;
        status.version = SIGNALBOX_VERSION;
        if (m_server) {
            const gateway::ServerCounters counters = m_server->counters();
            status.inFlight = counters.inFlight;
            status.decided = counters.decided;
            status.dispatched = counters.dispatched;
            status.served = counters.served;
        }
        if (m_evidence.store() != nullptr)
            status.evidence = evidenceStatus();
        else if (const auto error = m_evidence.openError())
            status.evidence = notOpened(*error);
        return status;
    }

    std::shared_ptr<const policy::PolicySnapshot> running() const override {
        const auto now = runningPolicy();
        return now ? now->snapshot : nullptr;
    }

    Result<void> start(Policy policy) override {
        const std::scoped_lock actions(m_actions);
        if (m_server)
            return fail(ErrorKind::conflict, "the gateway runs already", {},
                        "Apply the policy instead, or stop first.");
        setState(GatewayState::starting, {});
        auto started = startServer(policy);
        if (!started)
            setState(GatewayState::failed, started.error().text());
        return started;
    }

    Result<void> apply(Policy policy) override { return apply(std::move(policy), atHand()); }
    Result<void> off(bool on) override { return off(on, atHand()).map([](Acted) {}); }
    Result<void> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) override {
        return setMode(mode, percent, atHand()).map([](Acted) {});
    }
    Result<void> act(const std::string& endpointId, EndpointAction action) override { return act(endpointId, action, atHand()); }
    Result<void> note(const std::string& words) override { return note(words, atHand()); }

    Result<void> apply(Policy policy, const Actor& by) override {
        const std::scoped_lock actions(m_actions);
        if (!m_server)
            return doesNotRun();
        // First, since it can fail: what follows changes limits and learning that the running policy goes by too.
        auto address = m_server->open(policy.snapshot->config->server);
        if (!address)
            return tl::unexpected(address.error());
        auto built = build(policy);
        if (!built)
            return tl::unexpected(built.error());
        m_server->apply(built->serving, std::move(*address));
        postApplied(*m_events, *withoutSwitch(), status().killed, policy, by);
        const std::string before = status().baseUrl;
        showRunning(policy, *built);
        if (const TargetStatus now = status(); now.baseUrl != before) // an apply may have moved it
            m_runningUrl = RunningUrl(m_options.stateFolder, now.baseUrl, now.startedAt);
        return {};
    }

    Result<void> stop(std::chrono::milliseconds patience) override {
        // Ended once other actions are free to go on, last to first: a name may be being looked up there, which nothing
        // can break off. What probed holds the policy's adapters, whose sockets belong to threads of the server.
        std::shared_ptr<gateway::Server> ending;
        std::shared_ptr<void> reading, probing;
        const std::scoped_lock actions(m_actions);
        if (!m_server)
            return {};
        setState(GatewayState::draining, {});
        m_server->stop(patience);
        reading = m_metrics.stop();
        probing = m_probing.stop();
        postStopped(*m_events, *m_running->snapshot, atHand());
        m_runningUrl = {};
        {
            const std::scoped_lock lock(m_state);
            ending = std::move(m_server);
            m_running.reset();
            m_policy = {};
            const TargetStatus before = std::exchange(m_status, {});
            m_status.tokenRequired = before.tokenRequired;
        }
        m_serving.reset(); // its adapters go before the threads that their sockets belong to
        return {};
    }

    Result<Acted> off(bool on, const Actor& by) override {
        const std::scoped_lock actions(m_actions);
        if (!m_server)
            return doesNotRun();
        if (status().killed == on)
            return Acted::unchanged;
        const auto snapshot = on ? withModeOff(*withoutSwitch()) : withoutSwitch();
        if (auto switched = switchTo(snapshot); !switched)
            return tl::unexpected(switched.error());
        postKillSwitch(*m_events, on, *snapshot, *withoutSwitch(), by);
        const std::scoped_lock lock(m_state);
        m_status.killed = on;
        return Acted::done;
    }

    Result<Acted> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent, const Actor& by) override {
        const std::scoped_lock actions(m_actions);
        if (!m_server)
            return doesNotRun();
        if (status().killed)
            return fail(ErrorKind::conflict, "the kill switch holds smart routing at off", {}, "Release it first.");
        const auto before = withoutSwitch();
        const config::Routing& now = before->config->routing;
        if (mode != config::RoutingMode::off && now.groups.empty())
            return fail(ErrorKind::badInput, "the running policy has no smart group that could be " +
                        std::string(config::toString(mode)), {}, "Apply a policy with a group in [routing.groups].");
        const std::uint8_t share = percent.value_or(now.activationPercent);
        if (now.mode == mode && now.activationPercent == share)
            return Acted::unchanged;
        const auto snapshot = asSet(mode, share);
        if (auto switched = switchTo(snapshot); !switched)
            return tl::unexpected(switched.error());
        postMode(*m_events, *before, *snapshot, by);
        const bool isPolicys = snapshot == m_policy.snapshot;
        m_moded = isPolicys ? nullptr : snapshot;
        const std::scoped_lock lock(m_state);
        m_status.modeOverride = isPolicys ? std::string() : shortMode(snapshot->config->routing);
        return Acted::done;
    }

    std::vector<EndpointHealth> endpoints() const override {
        const auto now = runningPolicy();
        return now ? endpointHealth(*now, m_clock.steady()) : std::vector<EndpointHealth>();
    }

    std::vector<dispatch::PoolView> pools() const override {
        const auto now = runningPolicy();
        return now ? poolViews(*now, m_clock.steady()) : std::vector<dispatch::PoolView>();
    }

    Result<dispatch::PoolForecast> forecast(const std::string& poolId, const dispatch::PoolQuestion& question) const override {
        const auto now = runningPolicy();
        if (!now)
            return doesNotRun();
        const auto found = now->pools->find(poolId);
        if (found == now->pools->end())
            return fail(ErrorKind::notFound, "the running policy has no model \"" + poolId + "\" with a router", {},
                        "Name a model of [models]");
        return found->second->forecast(question, m_clock.steady());
    }

    std::vector<ResourceView> resources() const override {
        const auto now = runningPolicy();
        return now ? resourceViews(*now, m_clock.steady()) : std::vector<ResourceView>();
    }

    Result<void> act(const std::string& endpointId, EndpointAction action, const Actor& by) override {
        const auto now = runningPolicy();
        if (!now)
            return doesNotRun();
        if (auto acted = actOn(*now, endpointId, action); !acted)
            return acted;
        postAction(*m_events, endpointId, action, by);
        return {};
    }

    Result<void> note(const std::string& words, const Actor& by) override {
        const auto now = runningPolicy();
        if (!now)
            return doesNotRun();
        if (!m_evidence.isEnabled() || !now->snapshot->config->evidence.enabled)
            return fail(ErrorKind::conflict, "this gateway keeps no evidence, so there is nowhere to write a note", {},
                        "Set evidence.enabled to true.");
        auto sentence = noteWords(words);
        if (!sentence)
            return tl::unexpected(sentence.error());
        m_events->post(evidence::EventKind::note, {}, *sentence, by.name);
        return {};
    }

    void postRefused(std::string_view subject, const std::string& words, const Actor& by) noexcept override {
        m_events->post(evidence::EventKind::adminRefused, subject, words, by.name);
    }

    std::vector<PrincipalUse> principals() const override {
        if (m_evidence.isEnabled())
            m_spending.poke();
        const auto now = runningPolicy();
        return now ? principalUse(*now) : std::vector<PrincipalUse>();
    }

    std::string routerStatusJson() const override {
        const auto now = runningPolicy();
        return now ? gateway::routerStatusJson(*now) : std::string("{}");
    }

    std::string clientToken() const override {
        const std::scoped_lock lock(m_state);
        return m_token;
    }

    std::vector<RefusalCount> refusals() const override {
        static_assert(RefusalCount::kWindow == std::chrono::minutes(gateway::RefusalLog::kMinutes));
        const std::scoped_lock lock(m_state);
        std::vector<RefusalCount> counts;
        if (!m_server)
            return counts;
        for (gateway::Refusal& refusal : m_server->refusals()) {
            gateway::RefusedClient& client = refusal.client;
            counts.push_back({std::move(refusal.code), std::move(refusal.message), refusal.count, refusal.newest, std::move(client.peer),
                              std::move(client.agent), std::move(client.principal), client.isOthers});
        }
        return counts;
    }

    RequestsUnderWay requests() const override {
        std::shared_ptr<gateway::Server> server; // held while it is waited for; not under m_state, which actions need
        {
            const std::scoped_lock lock(m_state);
            server = m_server;
        }
        evidence::RunningRequests running;
        if (server)
            running = server->running(RequestsUnderWay::kMost);
        return {std::move(running.rows), running.leftOut, RequestsUnderWay::Told::told};
    }

    std::unique_ptr<DecisionFeed> subscribe(FeedWish wish) override {
        return m_feeds.subscribe(wish);
    }

    std::unique_ptr<HistoryJob> ask(HistoryWorker::Question question) override {
        return m_history.ask(std::move(question));
    }

private:
    Result<void> startServer(const Policy& policy) {
        if (auto opened = openStore(); !opened)
            return opened;
        auto built = build(policy);
        if (!built)
            return tl::unexpected(built.error());
        m_beganWithoutEvidence = !m_evidence.isEnabled() && !policy.snapshot->config->evidence.enabled;
        gateway::ServerOptions options;
        evidence::EvidenceStore* const store = m_evidence.store();
        if (store != nullptr) // also where this policy keeps no evidence: the next one may
            options.makeSink = [store] { return store->makeSink(); };
        if (store != nullptr)
            options.evidence = [this] { return evidenceStatus(); };
        options.admin = m_admin;
        options.turnedAway = m_logs.turnedAway;
        options.onDecision = [this](const std::shared_ptr<const evidence::DecisionRecord>& record) {
            m_feeds.push(record);
            if (m_evidence.isEnabled())
                m_spending.poke();
        };
        // Before the first request; with a database that is not up yet the traffic asks again.
        if (m_evidence.isEnabled())
            m_spending.poke();
        auto server = gateway::Server::start(m_clock, std::move(options), built->serving);
        if (!server)
            return tl::unexpected(server.error());
        {
            const std::scoped_lock lock(m_state);
            m_server = std::move(*server);
            m_status.startedAt = m_clock.now();
        }
        postStarted(*m_events, policy, overridesIn(*policy.snapshot->config, m_options.environment), atHand());
        showRunning(policy, *built);
        m_runningUrl = RunningUrl(m_options.stateFolder, status().baseUrl, status().startedAt);
        return {};
    }

    static tl::unexpected<Error> doesNotRun() {
        return fail(ErrorKind::conflict, "the gateway does not run", {}, "Start it first.");
    }

    /// Whoever uses this process: its owner, who sits before it or started it.
    Actor atHand() const {
        Actor by;
        if (!m_options.operatedBy.empty())
            by.name += ":" + m_options.operatedBy;
        return by;
    }

    // With m_actions held.

    /// What runs, or would without the kill switch: the policy, in another mode where an operator set one.
    std::shared_ptr<const policy::PolicySnapshot> withoutSwitch() const { return m_moded ? m_moded : m_policy.snapshot; }

    /// The policy itself where it says the same, so that its hash is shown again.
    std::shared_ptr<const policy::PolicySnapshot> asSet(config::RoutingMode mode, std::uint8_t percent) const {
        const config::Routing& written = m_policy.snapshot->config->routing;
        const bool same = written.mode == mode && written.activationPercent == percent;
        return same ? m_policy.snapshot : withMode(*m_policy.snapshot, mode, percent);
    }

    /// Keeps connections, circuits and counters; the next request of every thread is decided by it.
    Result<void> switchTo(const std::shared_ptr<const policy::PolicySnapshot>& snapshot) {
        m_serving = gateway::withSnapshot(*m_serving, snapshot);
        if (auto applied = m_server->apply(m_serving); !applied)
            return applied;
        const std::scoped_lock lock(m_state);
        m_running = *m_serving;
        showPolicy(*snapshot);
        return {};
    }

    struct Built : BuiltServing {
        std::string clientToken;
    };
    Result<Built> build(const Policy& policy) const {
        auto client = clientTokenOf(*policy.snapshot->config, m_options.environment, m_options.stateFolder);
        if (!client)
            return tl::unexpected(client.error());
        auto admin = adminTokenOf(*policy.snapshot->config, m_options.environment, m_options.stateFolder);
        if (!admin)
            return tl::unexpected(admin.error());
        auto built = buildServing(policy.snapshot, m_options.environment, {*client, std::move(*admin)}, m_process,
                                  m_clock);
        if (!built)
            return tl::unexpected(built.error());
        return Built{std::move(*built), std::move(*client)};
    }

    std::optional<gateway::RunningPolicy> runningPolicy() const {
        const std::scoped_lock lock(m_state);
        return m_running;
    }

    Result<void> openStore() {
        const auto opened = m_evidence.open();
        if (!opened)
            return tl::unexpected(opened.error());
        if (*opened)
            m_history.setReaderFactory([this] { return m_evidence.makeReader(); });
        return {};
    }

    /// Of the store, which must be there, with what was lost before it.
    evidence::EvidenceStatus evidenceStatus() const {
        evidence::EvidenceStatus out = m_evidence.store()->status();
        out.eventsDropped = m_events->dropped();
        return out;
    }

    void setState(GatewayState state, std::string lastError) {
        const std::scoped_lock lock(m_state);
        m_status.state = state;
        m_status.lastError = std::move(lastError);
    }

    /// Why what the policy says of evidence is not, or no longer, what happens; empty where it is.
    std::string evidenceNotice(const policy::PolicySnapshot& snapshot) const {
        const bool wanted = snapshot.config->evidence.enabled;
        if (wanted && m_beganWithoutEvidence)
            return "evidence.enabled is true now, but this process began without evidence: nothing is recorded until it is started anew.";
        if (!wanted && m_evidence.store() != nullptr)
            return "evidence.enabled is false in the running policy: its requests are not recorded, while what was recorded stays readable.";
        return {};
    }

    void showRunning(const Policy& policy, Built& built) {
        if (std::string notice = evidenceNotice(*policy.snapshot); !notice.empty())
            built.notices.push_back(std::move(notice));
        const policy::PolicySnapshot& snapshot = *policy.snapshot;
        m_serving = built.serving;
        m_moded.reset();
        m_metrics.follow(*snapshot.config, m_options.environment);
        m_probing.follow(m_serving, probeSinks(*snapshot.config));
        const std::scoped_lock lock(m_state);
        m_policy = policy;
        m_running = *built.serving;
        m_token = built.clientToken;
        m_status.state = GatewayState::running;
        m_status.killed = false;
        m_status.modeOverride.clear();
        m_status.address = addressOf(m_server->host(), m_server->port());
        m_status.baseUrl = "http://" + addressOf(reachableHost(m_server->host()), m_server->port()) + "/v1";
        m_status.lastError = joined(built.notices);
        m_status.overrides = overridesIn(*snapshot.config, m_options.environment);
        m_status.signedBy = policy.signedBy;
        m_status.tokenRequired = snapshot.config->server.auth == config::AuthMode::token;
        showPolicy(snapshot);
    }

    Probing::SinkFactory probeSinks(const config::GatewayConfig& config) {
        evidence::EvidenceStore* const store = m_evidence.store();
        if (store == nullptr || !config.evidence.enabled)
            return nullptr;
        return [store] { return store->makeSink(); };
    }

    /// With m_state held.
    void showPolicy(const policy::PolicySnapshot& snapshot) {
        m_status.name = snapshot.config->evidence.target;
        m_status.runningHash = snapshot.hash;
        m_status.tableSha256 = snapshot.tableSha256;
        m_status.policyVersion = snapshot.config->routing.policyVersion;
        m_status.mode = config::toString(snapshot.config->routing.mode);
        m_status.activationPercent = snapshot.config->routing.activationPercent;
    }

    const EmbeddedOptions m_options;
    const LogFeeds m_logs;
    const SystemClock m_clock;
    const std::shared_ptr<capacity::ProcessState> m_process;
    MetricsPolling m_metrics{m_process->engines, m_clock}; ///< guarded by m_actions
    mutable SpendingLoader m_spending; ///< asks m_history, whose thread ends before it
    FeedHub m_feeds;
    std::mutex m_actions;
    mutable std::mutex m_state;
    EvidenceHome m_evidence{m_options.evidenceEnabled, m_options.evidence, m_clock};
    std::shared_ptr<gateway::Server> m_server;
    Policy m_policy; ///< as applied; what runs differs from it while a mode was set by hand or the kill switch is on
    std::shared_ptr<const policy::PolicySnapshot> m_moded; ///< it in the mode that was set by hand; guarded by m_actions
    std::optional<gateway::RunningPolicy> m_running;
    std::shared_ptr<const gateway::Serving> m_serving; ///< guarded by m_actions
    Probing m_probing{m_clock};                        ///< guarded by m_actions; its thread uses the store
    bool m_beganWithoutEvidence = false;               ///< as its first policy wanted; guarded by m_actions
    RunningUrl m_runningUrl;                           ///< guarded by m_actions
    std::string m_token;
    TargetStatus m_status;
    /// Its thread uses the store, and what waits is written when it ends: before the store does.
    const std::shared_ptr<EventLog> m_events = std::make_shared<EventLog>(
        m_evidence.isEnabled() ? EventLog::SinkFactory([this] { return m_evidence.makeEventSink(); }) : nullptr, m_clock);
    const std::shared_ptr<AdminService> m_admin = std::make_shared<AdminService>(
        *this, *this,
        [this](const wire::ApplyRequest& request) {
            return policyFrom(request, m_options.applyRules, m_options.environment, m_clock.now());
        },
        m_clock, m_logs.admin);
    HistoryWorker m_history; ///< last: its thread uses the rest
};

} // namespace

Result<std::unique_ptr<Target>> makeEmbeddedTarget(EmbeddedOptions options) {
    return makeEmbeddedTarget(std::move(options), LogFeeds());
}

Result<std::unique_ptr<Target>> makeEmbeddedTarget(EmbeddedOptions options, LogFeeds feeds) {
    if (!options.environment)
        options.environment = config::processEnvironment();
    if (options.stateFolder.empty()) {
        return fail(ErrorKind::badInput, "an embedded gateway needs a state folder", {},
                    "Name one in EmbeddedOptions::stateFolder.");
    }
    return std::unique_ptr<Target>(std::make_unique<EmbeddedTarget>(std::move(options), std::move(feeds)));
}

} // namespace signalbox::engine
