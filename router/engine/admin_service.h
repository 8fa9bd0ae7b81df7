// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/admin_actions.h"
#include "router/engine/apply_rules.h"
#include "router/engine/work_lane.h"
#include "router/gateway/admin_feed.h"
#include "router/gateway/admin_handler.h"

#include <atomic>

namespace signalbox::engine {

/// The admin API over a gateway of this process. Views are made on one thread and actions done on another, so that an
/// apply delays no status; history is asked where it is always asked.
class AdminService final : public gateway::AdminHandler {
public:
    /// Live streams at once, and decisions that each keeps for a reader who is slow.
    static constexpr std::size_t kMostStreams = 16, kStreamBuffer = 1024;
    static constexpr std::chrono::seconds kHeartbeat{10};

    using PolicyReader = std::function<Result<Policy>(const wire::ApplyRequest&)>;
    /// `target` and `actions` are one gateway and outlive the service or its `close`. `readPolicy` is called on the
    /// thread of the actions. `log` is told of every action, of statuses that somebody asks for and of streams that somebody
    /// opens; it may be null.
    AdminService(Target& target, AdminActions& actions, PolicyReader readPolicy, const Clock& clock,
                 std::shared_ptr<gateway::AdminFeed> log = nullptr);
    ~AdminService() override;

    void handle(gateway::AdminCall call, gateway::AdminDone done) override;
    [[nodiscard]] tl::expected<std::unique_ptr<gateway::DecisionLines>, gateway::EdgeError>
    follow(const gateway::AdminCall& call) override;
    void refused(const gateway::AdminCall& call, const gateway::EdgeError& error) noexcept override;

    /// Ends what it does at the moment and answers nothing more: before the target goes.
    void close();

private:
    struct Path;
    [[nodiscard]] static const Path* find(const gateway::AdminCall& call);

    // Views.
    [[nodiscard]] gateway::AdminResult status(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult policy(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult endpoints(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult pools(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult resources(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult principals(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult refusals(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult requests(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult decide(const gateway::AdminCall& call);
    [[nodiscard]] gateway::AdminResult forecast(const gateway::AdminCall& call);
    // Actions; each is answered by the status after it. `subject` becomes what it is done to, once that is read.
    [[nodiscard]] Result<Acted> off(const gateway::AdminCall& call, std::string& subject);
    [[nodiscard]] Result<Acted> mode(const gateway::AdminCall& call, std::string& subject);
    [[nodiscard]] Result<Acted> drain(const gateway::AdminCall& call, std::string& subject);
    [[nodiscard]] Result<Acted> undrain(const gateway::AdminCall& call, std::string& subject);
    [[nodiscard]] Result<Acted> circuit(const gateway::AdminCall& call, std::string& subject);
    [[nodiscard]] Result<Acted> apply(const gateway::AdminCall& call, std::string& subject);
    [[nodiscard]] Result<Acted> note(const gateway::AdminCall& call, std::string& subject);

    [[nodiscard]] Result<Acted> act(const Result<std::string>& endpoint, EndpointAction action, const gateway::AdminCall& call,
                                    std::string& subject);
    [[nodiscard]] gateway::AdminResult acted(const Path& path, const gateway::AdminCall& call);
    void tellDone(const gateway::AdminCall& call, std::string subject, Acted how);
    void tellRefused(const gateway::AdminCall& call, std::string subject, const gateway::EdgeError& error);
    void tellLooked(const gateway::AdminCall& call, std::string_view view);
    void askEvents(const gateway::AdminCall& call, gateway::AdminDone done);

    Target& m_target;
    AdminActions& m_actions;
    const PolicyReader m_readPolicy;
    const Clock& m_clock;
    const std::shared_ptr<gateway::AdminFeed> m_log; ///< may be null
    const std::shared_ptr<std::atomic<int>> m_streams = std::make_shared<std::atomic<int>>(0);
    const std::shared_ptr<std::atomic<int>> m_questions = std::make_shared<std::atomic<int>>(0);
    WorkLane m_views, m_orders;
};

} // namespace signalbox::engine
