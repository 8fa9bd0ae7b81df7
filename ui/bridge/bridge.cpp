// SPDX-License-Identifier: MIT
#include "ui/bridge/bridge.h"

#include "router/base/hashing.h"
#include "router/engine/release_files.h"
#include "router/engine/remote_target.h"
#include "ui/bridge/async.h"

#include <tuple>

namespace signalbox::ui {

static constexpr std::chrono::milliseconds kTick{100};
static constexpr int kPollTicks = 10;  // what is only looked at on the way: once a second
static constexpr std::chrono::milliseconds kDrainPatience{10'000};

static auto evidenceFacts(const evidence::EvidenceStatus& s) {
    return std::tie(s.state, s.where, s.lastError, s.recorded, s.stored, s.backlogRecords, s.journalBytes, s.dropped, s.eventsDropped, s.damagedBytes);
}

static auto facts(const engine::TargetStatus& s) {
    return std::tuple_cat(std::tie(s.name, s.state, s.address, s.baseUrl, s.lastError, s.startedAt, s.runningHash, s.tableSha256,
                                   s.policyVersion, s.mode, s.activationPercent, s.modeOverride, s.killed, s.overrides, s.signedBy, s.tokenRequired, s.inFlight, s.decided, s.dispatched, s.served, s.remote, s.unreachableSince),
                          evidenceFacts(s.evidence));
}

static auto facts(const policy::smart::CandidateSignals& s) {
    return std::tie(s.credentialReady, s.cooling, s.capable, s.policyAllows, s.providerAttempts, s.providerSuccesses, s.attempts,
                    s.latencyEwmaMs);
}

static auto facts(const engine::EndpointHealth& e) {
    return std::tuple_cat(std::tie(e.endpointId, e.circuit, e.cause, e.coolsFor, e.consecutiveFailures, e.openedTotal, e.credentialReady, e.lacks),
                          facts(e.signals));
}

static auto facts(const engine::PrincipalUse& p) { return std::tie(p.id, p.requestsThisMinute, p.spentUsd, p.spentKnown); }

template <class T>
static bool areSame(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return facts(x) == facts(y); });
}

Bridge::Bridge(std::shared_ptr<engine::Target> target, QObject* parent)
    : QObject(parent), m_own(target), m_target(std::move(target)), m_fleet(new Fleet(m_target, this)), m_requests(new LiveRequests(m_target, this)), m_here{m_own->subscribe(kRecentLimit), {}}, m_status(m_target->status()),
      m_running(m_target->running()) {
    m_timer.setInterval(kTick);
    connect(&m_timer, &QTimer::timeout, this, &Bridge::tick);
    m_timer.start();
}

Bridge::~Bridge() = default;

// The last reference to a gateway waits for its threads, so it goes on a worker.
static void letGo(std::shared_ptr<engine::Target> target, std::unique_ptr<engine::DecisionFeed> feed) {
    waitingPool().start([target = std::move(target), feed = std::shared_ptr<engine::DecisionFeed>(std::move(feed))]() mutable {
        feed.reset();
        target.reset();
    });
}

void Bridge::lookAt(std::shared_ptr<engine::Target> target) {
    if (!target) target = m_own;
    if (target == m_target) return;
    auto before = std::exchange(m_target, std::move(target));
    auto feed = std::exchange(m_elsewhere, {looksElsewhere() ? m_target->subscribe(kRecentLimit) : nullptr, {}}).feed;
    m_fleet->lookAt(m_target);
    m_requests->lookAt(m_target);
    letGo(std::move(before), std::move(feed));  // only now: whoever lets go last waits, and the fleet did hold it too
    m_status = m_target->status();
    m_running = m_target->running();
    const engine::KnownLists known = m_target->knownLists();
    m_knowsEndpoints = known.endpoints;
    m_knowsRefusals = known.refusals;
    m_endpoints = m_endpointsFollowed.expired() ? std::vector<engine::EndpointHealth>() : m_target->endpoints();
    m_principals = m_principalsFollowed.expired() ? std::vector<engine::PrincipalUse>() : m_target->principals();
    m_refusals = m_refusalsFollowed.expired() ? std::vector<engine::RefusalCount>() : m_target->refusals();
    Q_EMIT targetChanged();
    Q_EMIT statusChanged();
    Q_EMIT endpointsChanged();
    Q_EMIT principalsChanged();
    Q_EMIT refusalsChanged();
}

void Bridge::setOwn(std::shared_ptr<engine::Target> own) {
    auto before = std::exchange(m_own, std::move(own));
    auto feed = std::exchange(m_here, {m_own->subscribe(kRecentLimit), {}}).feed;
    if (m_target == before) lookAt(nullptr);
    letGo(std::move(before), std::move(feed));
}

std::string Bridge::runningHash() const {
    if (m_running) return m_running->hash;
    return m_status.remote && m_status.state == engine::GatewayState::running ? m_status.runningHash : std::string();
}

QString Bridge::clientToken() const { return QString::fromStdString(m_target->clientToken()); }

static Result<void> refusePolicyWithErrors(const WorkspacePtr& workspace) {
    if (workspace == nullptr)
        return fail(ErrorKind::badInput, "There is no policy to run", {}, "Open a workspace or a routing table first.");
    if (workspace->snapshot == nullptr)
        return fail(ErrorKind::badInput, "This policy holds errors and cannot run", workspace->tableFile.string(),
                    "Mend the errors listed on the overview page, then try again.");
    return {};
}

static engine::Policy policyOf(const policy::LoadedWorkspace& workspace, const Bridge::Signer& signer) {
    return {workspace.snapshot, signer ? signer(workspace) : std::string()};
}

void Bridge::start(WorkspacePtr workspace, std::function<void(Result<void>)> done, Signer signer) {
    if (auto usable = refusePolicyWithErrors(workspace); !usable) return done(std::move(usable));
    runWaiting(
        this, [target = m_target, workspace, signer = std::move(signer)] { return target->start(policyOf(*workspace, signer)); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

// What is sent is read at the moment of the click; it has to be what its sender saw.
static Result<void> refuseOtherBytes(const engine::wire::ApplyRequest& release, const policy::LoadedWorkspace& workspace) {
    for (const auto& file : release.files) {
        const bool isTable = file.name == "routing-table.json";
        if (sha256Hex(file.text) == (isTable ? workspace.table.sha256 : workspace.config.sha256)) continue;
        return fail(ErrorKind::conflict, "the files on disk are not the ones that are open", (isTable ? workspace.tableFile : workspace.configFile).string(),
                    "Read them again, look at the change, then apply.");
    }
    return {};
}

static Result<void> applyTo(engine::Target& target, const policy::LoadedWorkspace& workspace, const Bridge::Signer& signer) {
    auto* remote = dynamic_cast<engine::RemoteTarget*>(&target);
    if (remote == nullptr) return target.apply(policyOf(workspace, signer));
    const auto release = engine::readReleaseFiles(workspace.tableFile, workspace.configFile);
    if (!release) return tl::unexpected(release.error());
    if (auto same = refuseOtherBytes(*release, workspace); !same) return same;
    return remote->applyFiles(*release);
}

void Bridge::applyByRestart(WorkspacePtr workspace, std::function<void(Result<void>)> done, Signer signer) {
    if (auto usable = refusePolicyWithErrors(workspace); !usable) return done(std::move(usable));
    runWaiting(
        this, [target = m_target, workspace, signer = std::move(signer)] { return applyTo(*target, *workspace, signer); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

void Bridge::stop(std::function<void(Result<void>)> done) {
    runWaiting(
        this, [target = m_target] { return target->stop(kDrainPatience); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

void Bridge::off(bool on, std::function<void(Result<void>)> done) {
    runWaiting(
        this, [target = m_target, on] { return target->off(on); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

std::unique_ptr<TryRun> Bridge::tryRequest(engine::TryRequest request) const {
    const engine::TargetStatus now = m_target->status();
    request.baseUrl = now.baseUrl;
    request.token = m_target->clientToken();
    return std::make_unique<TryRun>(std::move(request));
}

void Bridge::postToGui(std::function<void()> call) { QMetaObject::invokeMethod(qApp, std::move(call), Qt::QueuedConnection); }

void Bridge::tick() {
    auto status = m_target->status();
    auto running = m_target->running();
    const bool differs = facts(status) != facts(m_status) || running != m_running;
    if (status.state != m_status.state) m_ticksToPoll = 0;  // what runs now has other endpoints than what stood still
    m_status = std::move(status);
    m_running = std::move(running);
    if (differs) Q_EMIT statusChanged();
    takeDecisions();
    if (--m_ticksToPoll > 0) return;
    m_ticksToPoll = kPollTicks;
    if (!m_endpointsFollowed.expired()) readEndpoints();
    if (!m_principalsFollowed.expired()) readPrincipals();
    if (!m_refusalsFollowed.expired()) readRefusals();
}

// Everybody who follows shares one token, which is gone when the last of them lets go.
static Bridge::Interest follow(std::weak_ptr<const void>& followed) {
    if (auto shared = followed.lock()) return shared;
    Bridge::Interest made = std::make_shared<const char>();
    followed = made;
    return made;
}

Bridge::Interest Bridge::followEndpoints() {
    auto interest = follow(m_endpointsFollowed);
    readEndpoints();
    return interest;
}

Bridge::Interest Bridge::followPrincipals() {
    auto interest = follow(m_principalsFollowed);
    readPrincipals();
    return interest;
}

Bridge::Interest Bridge::followRefusals() {
    auto interest = follow(m_refusalsFollowed);
    readRefusals();
    return interest;
}

void Bridge::readEndpoints() {
    const bool knew = std::exchange(m_knowsEndpoints, m_target->knownLists().endpoints);
    auto now = m_target->endpoints();
    if (knew == m_knowsEndpoints && areSame(now, m_endpoints)) return;
    m_endpoints = std::move(now);
    Q_EMIT endpointsChanged();
}

void Bridge::readPrincipals() {
    auto now = m_target->principals();
    if (areSame(now, m_principals)) return;
    m_principals = std::move(now);
    Q_EMIT principalsChanged();
}

void Bridge::readRefusals() {
    const bool knew = std::exchange(m_knowsRefusals, m_target->knownLists().refusals);
    auto now = m_target->refusals();
    if (knew == m_knowsRefusals && now == m_refusals) return;
    m_refusals = std::move(now);
    Q_EMIT refusalsChanged();
}

engine::DecisionFeed::Batch Bridge::take(Live& live) {
    auto batch = live.feed->take();
    live.recent.insert(live.recent.end(), batch.records.begin(), batch.records.end());
    if (live.recent.size() > kRecentLimit)
        live.recent.erase(live.recent.begin(), live.recent.end() - static_cast<std::ptrdiff_t>(kRecentLimit));
    return batch;
}

void Bridge::takeDecisions() {
    const auto isNews = [](const engine::DecisionFeed::Batch& batch) { return !batch.records.empty() || batch.skipped > 0; };
    const auto own = take(m_here);
    const auto seen = looksElsewhere() ? take(m_elsewhere) : own;
    if (isNews(own)) Q_EMIT ownDecisionsArrived(own.records, own.skipped);
    if (isNews(seen)) Q_EMIT decisionsArrived(seen.records, seen.skipped);
}

}  // namespace signalbox::ui
