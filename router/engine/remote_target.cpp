// SPDX-License-Identifier: MIT
#include "router/engine/remote_target.h"

#include "router/engine/feed_hub.h"
#include "router/engine/history_worker.h"
#include "router/engine/live_ledger.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace signalbox::engine {

namespace {

using namespace std::chrono_literals;

/// How long after the last look a view goes on being asked for.
constexpr std::chrono::seconds kInterestLasts{5};
constexpr std::chrono::milliseconds kPauseWhenDenied{60'000};
constexpr std::chrono::milliseconds kFirstPause{500}, kLongestPause{10'000};
constexpr std::chrono::milliseconds kApplyPatience{30'000};

enum View : std::size_t { endpointsView, poolsView, resourcesView, principalsView, refusalsView, requestsView, routerStatusView, viewCount };

AdminAccess patient(AdminAccess access) {
    access.patience = std::max(access.patience, kApplyPatience);
    return access;
}

std::unique_ptr<evidence::HistoryReader> readerOf(const std::optional<evidence::EvidenceOptions>& where) {
    if (!where)
        return makeAbsentHistory({ErrorKind::unavailable, "the history of a gateway elsewhere is read from its database, and none is named for this one", {},
                                  "Set the variable that its evidence.dsn_env names, as it is set there, and read it with `signalboxctl history --dsn-env`."});
    auto reader = evidence::openHistory(*where);
    return reader ? std::move(*reader) : makeAbsentHistory(reader.error());
}

class PollingTarget final : public RemoteTarget {
public:
    explicit PollingTarget(RemoteOptions options)
        : m_options(std::move(options)), m_polled(m_options.access), m_acting(m_options.access), m_applying(patient(m_options.access)), m_live(m_options.access),
          m_history([where = m_options.evidence] { return readerOf(where); }) {
        m_status.name = m_options.name;
        m_status.state = GatewayState::starting;
        m_status.remote = true;
        m_poller = std::thread([this] { poll(); });
    }

    ~PollingTarget() override {
        {
            const std::scoped_lock lock(m_mutex);
            m_ending = true;
        }
        m_wake.notify_all();
        for (AdminClient* client : {&m_polled, &m_acting, &m_applying, &m_live}) client->cancel();
        m_poller.join();
        if (m_follower.joinable()) m_follower.join();
    }

    TargetStatus status() const override {
        const std::scoped_lock lock(m_mutex);
        return m_status;
    }
    std::shared_ptr<const policy::PolicySnapshot> running() const override { return nullptr; }

    Result<void> start(Policy /*policy*/) override { return whereItRuns("started", "signalboxctl serve"); }
    Result<void> stop(std::chrono::milliseconds /*patience*/) override { return whereItRuns("stopped", "SIGTERM to its process, or its service manager,"); }
    Result<void> apply(Policy /*policy*/) override {
        return fail(ErrorKind::badInput, "a gateway elsewhere takes the files of a release, not a draft", m_options.name,
                    "Save and sign the files, then apply them.");
    }
    Result<void> applyFiles(const wire::ApplyRequest& release) override { return take(m_applying.apply(release)); }

    Result<void> off(bool on) override { return take(m_acting.off(on)); }
    Result<void> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) override { return take(m_acting.setMode(mode, percent)); }
    Result<void> note(const std::string& words) override { return take(m_acting.note(words)); }
    Result<void> act(const std::string& endpointId, EndpointAction action) override {
        auto done = take(m_acting.act(endpointId, action));
        if (done) refresh(endpointsView);
        return done;
    }

    KnownLists knownLists() const override {
        const std::scoped_lock lock(m_mutex);
        return {isKnown(endpointsView), isKnown(poolsView), isKnown(refusalsView)};
    }
    std::vector<EndpointHealth> endpoints() const override { return look(endpointsView, m_endpoints); }
    std::vector<dispatch::PoolView> pools() const override { return look(poolsView, m_pools); }
    std::vector<ResourceView> resources() const override { return look(resourcesView, m_resources); }
    std::vector<PrincipalUse> principals() const override { return look(principalsView, m_principals); }
    std::vector<RefusalCount> refusals() const override { return look(refusalsView, m_refusals); }

    /// What ran when nobody looked has ended since: until it is told again there are no rows.
    RequestsUnderWay requests() const override {
        RequestsUnderWay heard = look(requestsView, m_requests);
        const std::scoped_lock lock(m_mutex);
        return isKnown(requestsView) ? heard : RequestsUnderWay();
    }

    Result<dispatch::PoolForecast> forecast(const std::string& poolId, const dispatch::PoolQuestion& question) const override {
        return m_acting.forecast(poolId, question);
    }
    std::string routerStatusJson() const override { return look(routerStatusView, m_routerStatus); }
    /// The admin API does not hand it out.
    std::string clientToken() const override { return {}; }

    std::unique_ptr<DecisionFeed> subscribe(FeedWish wish) override {
        auto feed = m_feeds.subscribe(wish);
        const std::scoped_lock lock(m_mutex);
        if (!m_follower.joinable() && !m_ending) m_follower = std::thread([this] { follow(); });
        return feed;
    }

    std::unique_ptr<HistoryJob> ask(HistoryWorker::Question question) override { return m_history.ask(std::move(question)); }

private:
    Result<void> whereItRuns(const std::string& what, const std::string& how) const {
        return fail(ErrorKind::badInput, "a gateway elsewhere is " + what + " where it runs", m_options.name, "There, use " + how + ".");
    }

    template <class T>
    T look(View view, const T& heard) const {
        const std::scoped_lock lock(m_mutex);
        const Steady now = m_options.clock->steady();
        const bool wasFollowed = isFollowed(view, now);
        m_lookedAt[view] = now;
        if (!wasFollowed) {
            ++m_epochs[view];
            m_hurry = true;
            m_wake.notify_all();
        }
        return heard;
    }

    // With the mutex held.
    bool isFollowed(View view, Steady now) const { return m_lookedAt[view] != Steady{} && now - m_lookedAt[view] < kInterestLasts; }

    /// What was told in an earlier epoch may be of an earlier policy. With the mutex held.
    bool isKnown(View view) const { return isFollowed(view, m_options.clock->steady()) && m_toldIn[view] == m_epochs[view]; }

    /// What an action answered counts from now: a poll that was asked while it ran may not know of it yet.
    Result<void> take(Result<TargetStatus> answer) {
        if (!answer) return tl::unexpected(answer.error());
        heard(nextTurn(), std::move(*answer));
        return {};
    }

    std::uint64_t nextTurn() {
        const std::scoped_lock lock(m_mutex);
        return ++m_turn;
    }

    /// Several clients ask, and an answer may come late: it must not overwrite what is known since. Counted, since a clock
    /// may be set back.
    bool isNews(std::uint64_t turn) {
        if (turn < m_turnHeard) return false;
        m_turnHeard = turn;
        return true;
    }

    void heard(std::uint64_t turn, TargetStatus status) {
        status.name = m_options.name;
        const std::scoped_lock lock(m_mutex);
        if (!isNews(turn)) return;
        const bool isAnother = status.runningHash != m_status.runningHash || status.startedAt != m_status.startedAt;
        if (isAnother && !m_status.runningHash.empty()) forgetWhatIsKnown();
        m_status = std::move(status);
    }

    void failed(std::uint64_t turn, const Error& why) {
        const std::scoped_lock lock(m_mutex);
        if (!isNews(turn)) return;
        m_status.state = GatewayState::failed;
        m_status.lastError = why.text();
        forgetWhatIsKnown();  // it may come back with another policy
        if (m_status.unreachableSince == Timestamp{}) m_status.unreachableSince = SystemClock().now();
    }

    /// Lists told until now are still given, but not as known. With the mutex held.
    void forgetWhatIsKnown() {
        for (std::uint64_t& epoch : m_epochs) ++epoch;
        m_hurry = true;
        m_wake.notify_all();
    }

    /// False when the target ends.
    bool pause(std::chrono::milliseconds time) {
        std::unique_lock lock(m_mutex);
        m_wake.wait_for(lock, time, [this] { return m_ending; });
        return !m_ending;
    }

    void poll() {
        for (;;) {
            const std::uint64_t turn = nextTurn();
            const auto status = m_polled.status();
            if (status) {
                heard(turn, *status);
                for (std::size_t view = 0; view < viewCount; ++view) refresh(static_cast<View>(view));
            } else if (status.error().kind != ErrorKind::cancelled) {
                failed(turn, status.error());
            }
            // A token that was refused is refused again: each try stands in that gateway's audit.
            const bool denied = !status && status.error().kind == ErrorKind::denied;
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, denied ? std::max(kPauseWhenDenied, m_options.interval) : m_options.interval,
                            [this, denied] { return m_ending || (m_hurry && !denied); });
            m_hurry = false;
            if (m_ending) return;
        }
    }

    void refresh(View view) {
        std::uint64_t epoch = 0;
        {
            const std::scoped_lock lock(m_mutex);
            if (!isFollowed(view, m_options.clock->steady())) return;
            epoch = m_epochs[view];
        }
        switch (view) {
        case endpointsView: return keep(view, epoch, m_polled.endpoints(), m_endpoints);
        case poolsView: return keep(view, epoch, m_polled.pools(), m_pools);
        case resourcesView: return keep(view, epoch, m_polled.resources(), m_resources);
        case principalsView: return keep(view, epoch, m_polled.principals(), m_principals);
        case refusalsView: return keep(view, epoch, m_polled.refusals(), m_refusals);
        case requestsView: return keep(view, epoch, askRequests(), m_requests);
        case routerStatusView: return keep(view, epoch, m_polled.routerStatusJson(), m_routerStatus);
        case viewCount: break;
        }
    }

    /// A gateway that does not know the call counts and logs it as refused: it is asked once in its life.
    Result<RequestsUnderWay> askRequests() {
        const Timestamp startedAt = status().startedAt;
        if (m_requestsLackedSince == startedAt) return RequestsUnderWay{{}, 0, RequestsUnderWay::Told::never};
        auto answer = m_polled.requests();
        if (answer && answer->told == RequestsUnderWay::Told::never) m_requestsLackedSince = startedAt;
        return answer;
    }

    /// What could not be asked stays as it was heard; the next status says why. `epoch`: when it was asked.
    template <class T>
    void keep(View view, std::uint64_t epoch, Result<T> answer, T& into) {
        if (!answer) return;
        const std::scoped_lock lock(m_mutex);
        into = std::move(*answer);
        m_toldIn[view] = epoch;
    }

    void follow() {
        LiveLedger ledger;
        std::chrono::milliseconds wait = kFirstPause;
        for (;;) {
            const auto status = m_live.status();
            const bool denied = !status && status.error().kind == ErrorKind::denied;
            if (status) {
                if (const std::uint64_t missed = ledger.opens(*status); missed > 0) m_feeds.skip(missed);
                static_cast<void>(m_live.follow({[&wait] { wait = kFirstPause; },
                                                 [&](evidence::DecisionRecord record) {
                                                     ledger.came(record);
                                                     m_feeds.push(std::make_shared<const evidence::DecisionRecord>(std::move(record)));
                                                 },
                                                 [&](std::uint64_t count) {
                                                     ledger.skipped(count);
                                                     m_feeds.skip(count);
                                                 }}));
            }
            if (!pause(denied ? kPauseWhenDenied : wait)) return;
            wait = std::min(2 * wait, kLongestPause);
        }
    }

    const RemoteOptions m_options;
    mutable AdminClient m_polled;
    mutable AdminClient m_acting;
    AdminClient m_applying, m_live;
    FeedHub m_feeds;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_wake;
    bool m_ending = false;
    mutable bool m_hurry = false;
    mutable std::array<Steady, viewCount> m_lookedAt{};
    /// Of each view: a new one begins when somebody looks again, when the gateway could not be heard, and when it runs another policy.
    mutable std::array<std::uint64_t, viewCount> m_epochs{};
    std::array<std::uint64_t, viewCount> m_toldIn{};  ///< the one in which the last answer was asked for
    std::uint64_t m_turn = 0, m_turnHeard = 0;  ///< of questions for the status: the newest asked, the newest answered
    TargetStatus m_status;
    std::vector<EndpointHealth> m_endpoints;
    std::vector<dispatch::PoolView> m_pools;
    std::vector<ResourceView> m_resources;
    std::vector<PrincipalUse> m_principals;
    std::vector<RefusalCount> m_refusals;
    RequestsUnderWay m_requests;
    std::optional<Timestamp> m_requestsLackedSince;  ///< start of the gateway that did not know the call; the poller's alone
    std::string m_routerStatus = "{}";
    HistoryWorker m_history;
    std::thread m_poller, m_follower;
};

}  // namespace

Result<std::unique_ptr<RemoteTarget>> makeRemoteTarget(RemoteOptions options) {
    if (auto usable = checkAccess(options.access); !usable) return tl::unexpected(usable.error());
    return std::unique_ptr<RemoteTarget>(std::make_unique<PollingTarget>(std::move(options)));
}

}  // namespace signalbox::engine
