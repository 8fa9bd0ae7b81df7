// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "tests/support/fake_history.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace signalbox::test {

/// A gateway without sockets, scripted by the test. Start, apply and stop move the state as a real one does, or fail
/// with what the test set. Thread safe.
class FakeTarget final : public engine::Target {
public:
    FakeTarget();
    ~FakeTarget() override;

    // The script.
    void setStatus(const engine::TargetStatus& status);
    void setRefusals(std::vector<engine::RefusalCount> refusals);
    void setRequests(engine::RequestsUnderWay requests);
    [[nodiscard]] int requestsAsked() const { return m_requestsAsked; }
    /// `running` is null from here on, as of a gateway elsewhere; the status goes on telling the hash.
    void tellHashOnly() { m_tellsHashOnly = true; }
    void setEndpoints(std::vector<engine::EndpointHealth> endpoints);
    void setPools(std::vector<dispatch::PoolView> pools);
    /// As of a gateway elsewhere that has not told them all.
    void setKnownLists(engine::KnownLists known);
    void setResources(std::vector<engine::ResourceView> resources);
    /// What `forecast` answers for every pool that was set.
    void setForecast(dispatch::PoolForecast forecast);
    void setPrincipals(std::vector<engine::PrincipalUse> principals);
    void setHistory(FakeHistory::Records records);
    /// Oldest first.
    void setEvents(std::vector<evidence::Event> events);
    void setHistoryFailure(std::optional<Error> failure);
    /// History then answers as where no index does: a page ends after so many rows looked at.
    void setSearchRows(std::size_t rows) { m_searchRows = rows; }
    /// The next start, apply or stop fails with it.
    void failNext(Error error);
    /// A decision happens now.
    void decide(evidence::DecisionRecord record);
    [[nodiscard]] int appliedCount() const { return m_applied; }

    // The target.
    [[nodiscard]] engine::TargetStatus status() const override;
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> running() const override;
    [[nodiscard]] Result<void> start(engine::Policy policy) override;
    [[nodiscard]] Result<void> apply(engine::Policy policy) override;
    [[nodiscard]] Result<void> stop(std::chrono::milliseconds patience) override;
    [[nodiscard]] Result<void> off(bool on) override;
    [[nodiscard]] Result<void> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) override;
    [[nodiscard]] Result<void> note(const std::string& words) override;
    [[nodiscard]] engine::KnownLists knownLists() const override;
    [[nodiscard]] std::vector<engine::EndpointHealth> endpoints() const override;
    [[nodiscard]] std::vector<dispatch::PoolView> pools() const override;
    [[nodiscard]] Result<dispatch::PoolForecast> forecast(const std::string& poolId,
                                                          const dispatch::PoolQuestion& question) const override;
    [[nodiscard]] std::vector<engine::ResourceView> resources() const override;
    /// Changes the endpoint that was set.
    [[nodiscard]] Result<void> act(const std::string& endpointId, engine::EndpointAction action) override;
    [[nodiscard]] std::vector<engine::PrincipalUse> principals() const override;
    [[nodiscard]] std::string routerStatusJson() const override;
    [[nodiscard]] std::string clientToken() const override;
    [[nodiscard]] std::vector<engine::RefusalCount> refusals() const override;
    [[nodiscard]] engine::RequestsUnderWay requests() const override;
    [[nodiscard]] std::unique_ptr<engine::DecisionFeed> subscribe(engine::FeedWish wish) override;
    [[nodiscard]] std::unique_ptr<engine::HistoryJob>
    ask(std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)> question) override;

private:
    class Feed;
    class Job;
    struct Question {
        std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)> ask;
        evidence::CancelToken cancel;
    };
    void work();
    [[nodiscard]] std::optional<Error> takeFailure();
    void run(const engine::Policy& policy);

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    engine::TargetStatus m_status;
    std::shared_ptr<const policy::PolicySnapshot> m_running;
    engine::KnownLists m_known;
    std::vector<engine::RefusalCount> m_refusals;
    engine::RequestsUnderWay m_requests{{}, 0, engine::RequestsUnderWay::Told::told};
    mutable std::atomic<int> m_requestsAsked = 0;
    std::vector<engine::EndpointHealth> m_endpoints;
    std::vector<engine::PrincipalUse> m_principals;
    std::vector<dispatch::PoolView> m_pools;
    std::vector<engine::ResourceView> m_resources;
    dispatch::PoolForecast m_forecast;
    FakeHistory::Records m_records;
    std::vector<evidence::Event> m_events;
    std::atomic<std::size_t> m_searchRows{0};
    std::optional<Error> m_historyFailure, m_nextFailure;
    std::vector<std::shared_ptr<Feed>> m_feeds;
    std::deque<Question> m_questions;
    std::atomic<int> m_applied = 0;
    bool m_ending = false;
    std::thread m_worker;
    std::atomic<bool> m_tellsHashOnly{false};
};

}  // namespace signalbox::test
