// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <utility>

namespace signalbox::test {

/// Hands everything on to another target; a test overrides what it wants to see or to hold up.
class PassingTarget : public engine::Target {
public:
    explicit PassingTarget(std::shared_ptr<engine::Target> to) : m_to(std::move(to)) {}

    engine::TargetStatus status() const override { return m_to->status(); }
    std::shared_ptr<const policy::PolicySnapshot> running() const override { return m_to->running(); }
    Result<void> start(engine::Policy policy) override { return m_to->start(std::move(policy)); }
    Result<void> apply(engine::Policy policy) override { return m_to->apply(std::move(policy)); }
    Result<void> stop(std::chrono::milliseconds patience) override { return m_to->stop(patience); }
    Result<void> off(bool on) override { return m_to->off(on); }
    Result<void> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) override { return m_to->setMode(mode, percent); }
    Result<void> note(const std::string& words) override { return m_to->note(words); }
    engine::KnownLists knownLists() const override { return m_to->knownLists(); }
    std::vector<engine::EndpointHealth> endpoints() const override { return m_to->endpoints(); }
    std::vector<dispatch::PoolView> pools() const override { return m_to->pools(); }
    Result<dispatch::PoolForecast> forecast(const std::string& poolId, const dispatch::PoolQuestion& question) const override {
        return m_to->forecast(poolId, question);
    }
    std::vector<engine::ResourceView> resources() const override { return m_to->resources(); }
    Result<void> act(const std::string& endpointId, engine::EndpointAction action) override { return m_to->act(endpointId, action); }
    std::vector<engine::PrincipalUse> principals() const override { return m_to->principals(); }
    std::string routerStatusJson() const override { return m_to->routerStatusJson(); }
    std::string clientToken() const override { return m_to->clientToken(); }
    std::vector<engine::RefusalCount> refusals() const override { return m_to->refusals(); }
    engine::RequestsUnderWay requests() const override { return m_to->requests(); }
    std::unique_ptr<engine::DecisionFeed> subscribe(engine::FeedWish wish) override { return m_to->subscribe(wish); }
    std::unique_ptr<engine::HistoryJob>
    ask(std::function<void(evidence::HistoryReader&, const evidence::CancelToken&)> question) override {
        return m_to->ask(std::move(question));
    }

private:
    const std::shared_ptr<engine::Target> m_to;
};

}  // namespace signalbox::test
