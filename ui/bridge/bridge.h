// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "router/policy/workspace.h"
#include "ui/bridge/fleet.h"
#include "ui/bridge/live_requests.h"
#include "ui/bridge/try_run.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace signalbox::ui {

using RecordPtr = std::shared_ptr<const evidence::DecisionRecord>;
using WorkspacePtr = std::shared_ptr<const policy::LoadedWorkspace>;

/// A history question in flight. Destroying it cancels the question and drops its answer.
class HistoryTicket {
public:
    explicit HistoryTicket(std::unique_ptr<engine::HistoryJob> job, std::shared_ptr<bool> wanted)
        : m_job(std::move(job)), m_wanted(std::move(wanted)) {}
    ~HistoryTicket() {
        *m_wanted = false;
        if (m_job) m_job->cancel();
    }
    HistoryTicket(const HistoryTicket&) = delete;
    HistoryTicket& operator=(const HistoryTicket&) = delete;

private:
    std::unique_ptr<engine::HistoryJob> m_job;
    std::shared_ptr<bool> m_wanted;  ///< touched on the GUI thread only
};
using TicketPtr = std::unique_ptr<HistoryTicket>;

/// Joins one target gateway and the console: engine events become batched signals at most ten times a second,
/// operator intents become engine calls on worker threads. Lives on the GUI thread; nothing here blocks it.
class Bridge : public QObject {
    Q_OBJECT
public:
    explicit Bridge(std::shared_ptr<engine::Target> target, QObject* parent = nullptr);
    ~Bridge() override;

    /// From here on status, live decisions, fleet and intents are those of another gateway; null: of the console's own
    /// again. History stays that of the workspace: what another gateway recorded stands in its own database. What the own
    /// gateway decides is followed meanwhile, too: it belongs beside that history, and nothing else does.
    void lookAt(std::shared_ptr<engine::Target> target);
    /// The console's own gateway is this one from now on; the one before, which nothing was asked to run, is let go.
    void setOwn(std::shared_ptr<engine::Target> own);
    [[nodiscard]] bool looksElsewhere() const { return m_target != m_own; }
    /// Of the console's own gateway, whose history the pages read; cheap.
    [[nodiscard]] engine::TargetStatus ownStatus() const { return m_own->status(); }

    /// As of the last tick; cheap.
    [[nodiscard]] const engine::TargetStatus& status() const { return m_status; }
    /// Null while nothing runs, and of a gateway elsewhere, which tells no more than the hash of its policy.
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> running() const { return m_running; }
    /// Of the policy that answers now; empty while none does.
    [[nodiscard]] std::string runningHash() const;
    [[nodiscard]] QString clientToken() const;
    /// The newest decisions seen of the gateway that is looked at, oldest first, at most `kRecentLimit`.
    [[nodiscard]] const std::vector<RecordPtr>& recent() const { return looksElsewhere() ? m_elsewhere.recent : m_here.recent; }
    /// Of the console's own gateway, whichever is looked at: the only ones that may stand among what `ask` reads.
    [[nodiscard]] const std::vector<RecordPtr>& ownRecent() const { return m_here.recent; }
    static constexpr std::size_t kRecentLimit = 2000;

    /// Held by a page for as long as it shows what is measured now; the figures then follow about once a second.
    using Interest = std::shared_ptr<const void>;
    /// Health of the endpoints of the running policy, sorted by id; fresh while somebody holds the interest.
    [[nodiscard]] const std::vector<engine::EndpointHealth>& endpoints() const { return m_endpoints; }
    /// False while a gateway elsewhere has not told them: then nobody knows whether there are none.
    [[nodiscard]] bool knowsEndpoints() const { return m_knowsEndpoints; }
    [[nodiscard]] Interest followEndpoints();
    /// What each principal used; fresh while somebody holds the interest.
    [[nodiscard]] const std::vector<engine::PrincipalUse>& principals() const { return m_principals; }
    [[nodiscard]] Interest followPrincipals();
    /// What was turned away, by reason; fresh while somebody holds the interest.
    [[nodiscard]] const std::vector<engine::RefusalCount>& refusals() const { return m_refusals; }
    /// False while a gateway elsewhere has not told them.
    [[nodiscard]] bool knowsRefusals() const { return m_knowsRefusals; }
    [[nodiscard]] Interest followRefusals();

    /// What serves, with pools and resources, and what an operator does to it. Lives as long as the bridge.
    [[nodiscard]] Fleet& fleet() const { return *m_fleet; }
    /// What is under way. Lives as long as the bridge.
    [[nodiscard]] LiveRequests& requests() const { return *m_requests; }

    /// The intents. `done` comes on the GUI thread.
    /// `signer` says who signed what is about to run, if anybody; it is asked on the worker.
    using Signer = std::function<std::string(const policy::LoadedWorkspace& workspace)>;
    void start(WorkspacePtr workspace, std::function<void(Result<void>)> done, Signer signer = {});
    /// A gateway elsewhere gets the files as they stand on disk, with their signatures, which it verifies itself.
    /// Errors then also: conflict when they are not the bytes of `workspace`.
    void applyByRestart(WorkspacePtr workspace, std::function<void(Result<void>)> done, Signer signer = {});
    void stop(std::function<void(Result<void>)> done);
    /// The kill switch: holds the running policy at mode off, or lets it go again.
    void off(bool on, std::function<void(Result<void>)> done);

    /// Sends a request of the operator through the running gateway; address and token are filled in here, so that no
    /// page holds the token for it.
    [[nodiscard]] std::unique_ptr<TryRun> tryRequest(engine::TryRequest request) const;

    /// Asks history on a worker; `done` comes on the GUI thread unless the ticket was dropped before.
    template <class T>
    [[nodiscard]] TicketPtr ask(std::function<Result<T>(evidence::HistoryReader&, const evidence::CancelToken&)> question,
                                std::function<void(Result<T>)> done) {
        auto wanted = std::make_shared<bool>(true);
        auto job = m_own->ask([question = std::move(question), done = std::move(done), wanted](
                                     evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
            auto answer = std::make_shared<Result<T>>(question(reader, cancel));
            postToGui([answer, done, wanted] {
                if (*wanted) done(std::move(*answer));
            });
        });
        return std::make_unique<HistoryTicket>(std::move(job), wanted);
    }

Q_SIGNALS:
    /// Another gateway is looked at; what pages gathered from the last one is not this one's. `statusChanged` follows.
    void targetChanged();
    /// Something in `status()` changed; at most ten times a second.
    void statusChanged();
    /// New decisions of the gateway that is looked at, oldest first; at most ten times a second. `skipped` did not fit in the buffer.
    void decisionsArrived(const std::vector<signalbox::ui::RecordPtr>& records, quint64 skipped);
    /// The same of the console's own gateway, whichever is looked at.
    void ownDecisionsArrived(const std::vector<signalbox::ui::RecordPtr>& records, quint64 skipped);
    /// Something in `endpoints()`, `principals()` or `refusals()` changed, or whether they are known; at most once a second, and
    /// at once when followed anew.
    void endpointsChanged();
    void principalsChanged();
    void refusalsChanged();

private:
    /// The live decisions of one gateway.
    struct Live {
        std::unique_ptr<engine::DecisionFeed> feed;
        std::vector<RecordPtr> recent;
    };
    static void postToGui(std::function<void()> call);
    void tick();
    void takeDecisions();
    [[nodiscard]] static engine::DecisionFeed::Batch take(Live& live);
    void readEndpoints();
    void readPrincipals();
    void readRefusals();

    std::shared_ptr<engine::Target> m_own;
    std::shared_ptr<engine::Target> m_target;
    Fleet* m_fleet;
    LiveRequests* m_requests;
    Live m_here;       ///< of `m_own`
    Live m_elsewhere;  ///< of `m_target` while that is another one
    engine::TargetStatus m_status;
    std::shared_ptr<const policy::PolicySnapshot> m_running;
    bool m_knowsEndpoints = true, m_knowsRefusals = true;
    std::vector<engine::EndpointHealth> m_endpoints;
    std::vector<engine::PrincipalUse> m_principals;
    std::vector<engine::RefusalCount> m_refusals;
    std::weak_ptr<const void> m_endpointsFollowed, m_principalsFollowed, m_refusalsFollowed;
    int m_ticksToPoll = 0;
    QTimer m_timer;
};

}  // namespace signalbox::ui
