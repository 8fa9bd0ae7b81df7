// SPDX-License-Identifier: MIT
#include "ui/bridge/bridge.h"

#include "ui/bridge/async.h"

#include <tuple>

namespace signalbox::ui {

static constexpr std::chrono::milliseconds kTick{100};
static constexpr std::chrono::milliseconds kDrainPatience{10'000};

static auto evidenceFacts(const evidence::EvidenceStatus& s) {
    return std::tie(s.state, s.where, s.lastError, s.recorded, s.stored, s.backlogRecords, s.journalBytes, s.dropped);
}

static auto facts(const engine::TargetStatus& s) {
    return std::tuple_cat(std::tie(s.name, s.state, s.address, s.baseUrl, s.lastError, s.startedAt, s.runningHash, s.tableSha256,
                                   s.policyVersion, s.mode, s.signedBy, s.tokenRequired, s.inFlight, s.decided, s.dispatched, s.served),
                          evidenceFacts(s.evidence));
}

Bridge::Bridge(std::shared_ptr<engine::Target> target, QObject* parent)
    : QObject(parent), m_target(std::move(target)), m_feed(m_target->subscribe(kRecentLimit)), m_status(m_target->status()),
      m_running(m_target->running()) {
    m_timer.setInterval(kTick);
    connect(&m_timer, &QTimer::timeout, this, &Bridge::tick);
    m_timer.start();
}

Bridge::~Bridge() = default;

QString Bridge::clientToken() const { return QString::fromStdString(m_target->clientToken()); }

std::vector<engine::RefusalCount> Bridge::refusals() const { return m_target->refusals(); }

static Result<void> refusePolicyWithErrors(const WorkspacePtr& workspace) {
    if (workspace == nullptr)
        return fail(ErrorKind::badInput, "There is no policy to run", {}, "Open a workspace or a routing table first.");
    if (workspace->snapshot == nullptr)
        return fail(ErrorKind::badInput, "This policy holds errors and cannot run", workspace->tableFile.string(),
                    "Mend the errors listed on the overview page, then try again.");
    return {};
}

void Bridge::start(WorkspacePtr workspace, std::function<void(Result<void>)> done) {
    if (auto usable = refusePolicyWithErrors(workspace); !usable) return done(std::move(usable));
    runAsync(
        this, [target = m_target, snapshot = workspace->snapshot] { return target->start({snapshot, {}}); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

void Bridge::applyByRestart(WorkspacePtr workspace, std::function<void(Result<void>)> done) {
    if (auto usable = refusePolicyWithErrors(workspace); !usable) return done(std::move(usable));
    runAsync(
        this, [target = m_target, snapshot = workspace->snapshot] { return target->apply({snapshot, {}}); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

void Bridge::stop(std::function<void(Result<void>)> done) {
    runAsync(
        this, [target = m_target] { return target->stop(kDrainPatience); },
        [this, done = std::move(done)](Result<void> result) {
            tick();
            done(std::move(result));
        });
}

void Bridge::postToGui(std::function<void()> call) { QMetaObject::invokeMethod(qApp, std::move(call), Qt::QueuedConnection); }

void Bridge::tick() {
    auto status = m_target->status();
    auto running = m_target->running();
    const bool differs = facts(status) != facts(m_status) || running != m_running;
    m_status = std::move(status);
    m_running = std::move(running);
    if (differs) Q_EMIT statusChanged();

    auto batch = m_feed->take();
    if (batch.records.empty() && batch.skipped == 0) return;
    m_recent.insert(m_recent.end(), batch.records.begin(), batch.records.end());
    if (m_recent.size() > kRecentLimit)
        m_recent.erase(m_recent.begin(), m_recent.end() - static_cast<std::ptrdiff_t>(kRecentLimit));
    Q_EMIT decisionsArrived(batch.records, batch.skipped);
}

}  // namespace signalbox::ui
