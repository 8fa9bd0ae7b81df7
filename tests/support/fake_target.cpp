// SPDX-License-Identifier: MIT
#include "tests/support/fake_target.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace signalbox::test {

class FakeTarget::Feed {
public:
    explicit Feed(std::size_t capacity) : m_capacity(capacity) {}

    void put(const std::shared_ptr<const evidence::DecisionRecord>& record) {
        const std::lock_guard lock(m_mutex);
        m_batch.records.push_back(record);
        if (m_batch.records.size() <= m_capacity) return;
        m_batch.records.erase(m_batch.records.begin());
        ++m_batch.skipped;
    }
    engine::DecisionFeed::Batch take() {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_batch, {});
    }

private:
    std::size_t m_capacity;
    std::mutex m_mutex;
    engine::DecisionFeed::Batch m_batch;
};

class FakeTarget::Job final : public engine::HistoryJob {
public:
    explicit Job(evidence::CancelToken token) : m_token(std::move(token)) {}
    void cancel() override { *m_token = true; }

private:
    evidence::CancelToken m_token;
};

FakeTarget::FakeTarget() : m_records(std::make_shared<const std::vector<evidence::DecisionRecord>>()) {
    m_status.evidence.state = evidence::StoreState::ready;
    m_status.evidence.where = "private cluster of the demo";
    m_worker = std::thread([this] { work(); });
}

FakeTarget::~FakeTarget() {
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wake.notify_all();
    m_worker.join();
}

void FakeTarget::setStatus(const engine::TargetStatus& status) {
    const std::lock_guard lock(m_mutex);
    m_status = status;
}

void FakeTarget::setRefusals(std::vector<engine::RefusalCount> refusals) {
    const std::lock_guard lock(m_mutex);
    m_refusals = std::move(refusals);
}

void FakeTarget::setRequests(engine::RequestsUnderWay requests) {
    const std::lock_guard lock(m_mutex);
    m_requests = std::move(requests);
}

engine::RequestsUnderWay FakeTarget::requests() const {
    const std::lock_guard lock(m_mutex);
    ++m_requestsAsked;
    return m_requests;
}

void FakeTarget::setHistory(FakeHistory::Records records) {
    const std::lock_guard lock(m_mutex);
    m_records = std::move(records);
}

void FakeTarget::setEvents(std::vector<evidence::Event> events) {
    const std::lock_guard lock(m_mutex);
    m_events = std::move(events);
}

void FakeTarget::setHistoryFailure(std::optional<Error> failure) {
    const std::lock_guard lock(m_mutex);
    m_historyFailure = std::move(failure);
}

void FakeTarget::failNext(Error error) {
    const std::lock_guard lock(m_mutex);
    m_nextFailure = std::move(error);
}

void FakeTarget::decide(evidence::DecisionRecord record) {
    const auto shared = std::make_shared<const evidence::DecisionRecord>(std::move(record));
    const std::lock_guard lock(m_mutex);
    ++m_status.decided;
    if (shared->outcome == evidence::Outcome::served) ++m_status.served;
    for (const auto& feed : m_feeds) feed->put(shared);
}

engine::TargetStatus FakeTarget::status() const {
    const std::lock_guard lock(m_mutex);
    return m_status;
}

std::shared_ptr<const policy::PolicySnapshot> FakeTarget::running() const {
    const std::lock_guard lock(m_mutex);
    return m_tellsHashOnly ? nullptr : m_running;
}

std::optional<Error> FakeTarget::takeFailure() { return std::exchange(m_nextFailure, std::nullopt); }

void FakeTarget::run(const engine::Policy& policy) {
    m_running = policy.snapshot;
    m_status.runningHash = policy.snapshot->hash;
    m_status.tableSha256 = policy.snapshot->tableSha256;
    m_status.policyVersion = policy.snapshot->config->routing.policyVersion;
    m_status.mode = config::toString(policy.snapshot->config->routing.mode);
    m_status.activationPercent = policy.snapshot->config->routing.activationPercent;
    m_status.killed = false;
    m_status.signedBy = policy.signedBy;
}

Result<void> FakeTarget::start(engine::Policy policy) {
    const std::lock_guard lock(m_mutex);
    if (auto error = takeFailure()) {
        m_status.state = engine::GatewayState::failed;
        m_status.lastError = error->text();
        return tl::unexpected(std::move(*error));
    }
    run(policy);
    m_status.state = engine::GatewayState::running;
    m_status.address = "127.0.0.1:38082";
    m_status.baseUrl = "http://127.0.0.1:38082/v1";
    m_status.startedAt = SystemClock().now();
    return {};
}

Result<void> FakeTarget::apply(engine::Policy policy) {
    const std::lock_guard lock(m_mutex);
    if (auto error = takeFailure()) return tl::unexpected(std::move(*error));
    run(policy);
    ++m_applied;
    return {};
}

Result<void> FakeTarget::stop(std::chrono::milliseconds) {
    const std::lock_guard lock(m_mutex);
    if (auto error = takeFailure()) return tl::unexpected(std::move(*error));
    m_running = nullptr;
    m_status.state = engine::GatewayState::stopped;
    m_status.address.clear();
    m_status.baseUrl.clear();
    m_status.runningHash.clear();
    return {};
}

Result<void> FakeTarget::off(bool on) {
    const std::lock_guard lock(m_mutex);
    if (auto error = takeFailure()) return tl::unexpected(std::move(*error));
    if (!m_running) return fail(ErrorKind::conflict, "the gateway does not run");
    m_status.killed = on;
    m_status.mode = on ? "off" : std::string(config::toString(m_running->config->routing.mode));
    return {};
}

Result<void> FakeTarget::setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) {
    const std::lock_guard lock(m_mutex);
    if (auto error = takeFailure()) return tl::unexpected(std::move(*error));
    if (!m_running) return fail(ErrorKind::conflict, "the gateway does not run");
    m_status.mode = config::toString(mode);
    m_status.activationPercent = percent.value_or(static_cast<std::uint8_t>(m_status.activationPercent));
    m_status.modeOverride = m_status.mode + " " + std::to_string(m_status.activationPercent) + " %";
    return {};
}

Result<void> FakeTarget::note(const std::string& words) {
    const std::lock_guard lock(m_mutex);
    if (auto error = takeFailure()) return tl::unexpected(std::move(*error));
    FastRandom random;
    evidence::Event event;
    event.createdAt = SystemClock().now();
    event.id = evidence::EventId::make(event.createdAt, random);
    event.words = words;
    event.actor = evidence::kByOperator;
    m_events.push_back(std::move(event));
    return {};
}

std::vector<engine::EndpointHealth> FakeTarget::endpoints() const {
    const std::lock_guard lock(m_mutex);
    return m_endpoints;
}

void FakeTarget::setPools(std::vector<dispatch::PoolView> pools) {
    const std::lock_guard lock(m_mutex);
    m_pools = std::move(pools);
}

void FakeTarget::setKnownLists(engine::KnownLists known) {
    const std::lock_guard lock(m_mutex);
    m_known = known;
}

void FakeTarget::setResources(std::vector<engine::ResourceView> resources) {
    const std::lock_guard lock(m_mutex);
    m_resources = std::move(resources);
}

void FakeTarget::setForecast(dispatch::PoolForecast forecast) {
    const std::lock_guard lock(m_mutex);
    m_forecast = std::move(forecast);
}

engine::KnownLists FakeTarget::knownLists() const {
    const std::lock_guard lock(m_mutex);
    return m_known;
}

std::vector<dispatch::PoolView> FakeTarget::pools() const {
    const std::lock_guard lock(m_mutex);
    return m_pools;
}

Result<dispatch::PoolForecast> FakeTarget::forecast(const std::string& poolId, const dispatch::PoolQuestion&) const {
    const std::lock_guard lock(m_mutex);
    for (const dispatch::PoolView& pool : m_pools)
        if (pool.id == poolId) return m_forecast;
    return fail(ErrorKind::notFound, "no model " + poolId);
}

std::vector<engine::ResourceView> FakeTarget::resources() const {
    const std::lock_guard lock(m_mutex);
    return m_resources;
}

Result<void> FakeTarget::act(const std::string& endpointId, engine::EndpointAction action) {
    if (const auto failure = takeFailure()) return tl::unexpected(*failure);
    const std::lock_guard lock(m_mutex);
    for (engine::EndpointHealth& endpoint : m_endpoints) {
        if (endpoint.endpointId != endpointId) continue;
        switch (action) {
        case engine::EndpointAction::drain: endpoint.drained = true; break;
        case engine::EndpointAction::undrain: endpoint.drained = false; break;
        case engine::EndpointAction::trip: endpoint.circuit = "open"; break;
        case engine::EndpointAction::reset: endpoint.circuit = "closed"; break;
        }
        return {};
    }
    return fail(ErrorKind::notFound, "no endpoint " + endpointId);
}

std::vector<engine::PrincipalUse> FakeTarget::principals() const {
    const std::lock_guard lock(m_mutex);
    return m_principals;
}

std::string FakeTarget::routerStatusJson() const { return "{}"; }

void FakeTarget::setEndpoints(std::vector<engine::EndpointHealth> endpoints) {
    const std::lock_guard lock(m_mutex);
    m_endpoints = std::move(endpoints);
}

void FakeTarget::setPrincipals(std::vector<engine::PrincipalUse> principals) {
    const std::lock_guard lock(m_mutex);
    m_principals = std::move(principals);
}

std::string FakeTarget::clientToken() const { return status().tokenRequired ? "sbx-fake-token-of-the-tests" : ""; }

std::vector<engine::RefusalCount> FakeTarget::refusals() const {
    const std::lock_guard lock(m_mutex);
    return m_refusals;
}

std::unique_ptr<engine::DecisionFeed> FakeTarget::subscribe(engine::FeedWish wish) {
    class Handle final : public engine::DecisionFeed {
    public:
        explicit Handle(std::shared_ptr<Feed> feed) : m_feed(std::move(feed)) {}
        [[nodiscard]] Batch take() override { return m_feed->take(); }

    private:
        std::shared_ptr<Feed> m_feed;
    };
    auto feed = std::make_shared<Feed>(wish.capacity);
    const std::lock_guard lock(m_mutex);
    m_feeds.push_back(feed);
    return std::make_unique<Handle>(std::move(feed));
}

std::unique_ptr<engine::HistoryJob>
FakeTarget::ask(std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)> question) {
    auto token = std::make_shared<std::atomic<bool>>(false);
    {
        const std::lock_guard lock(m_mutex);
        m_questions.push_back({std::move(question), token});
    }
    m_wake.notify_all();
    return std::make_unique<Job>(token);
}

void FakeTarget::work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [this] { return m_ending || !m_questions.empty(); });
        if (m_ending) return;
        Question question = std::move(m_questions.front());
        m_questions.pop_front();
        FakeHistory history(m_records);
        history.happened = m_events;
        history.failure = m_historyFailure;
        history.searchRows = m_searchRows;
        lock.unlock();
        if (!*question.cancel) question.ask(history, question.cancel);
        lock.lock();
    }
}

}  // namespace signalbox::test
