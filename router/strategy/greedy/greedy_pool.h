// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/backends.h"
#include "router/strategy/attempt.h"
#include "router/strategy/greedy/greedy_choice.h"
#include "router/strategy/greedy/greedy_record.h"
#include "router/strategy/prober.h"
#include "router/strategy/stage_verdict.h"

#include <array>
#include <atomic>

namespace signalbox::strategy {

/// The router behind `makeGreedyPool`: owns admission to the local servers, and hands what they do not take to the cloud
/// part's own router. Probes are that router's, of the cloud's endpoints: local admission knows its servers by their load.
class GreedyRouter final : public dispatch::PoolRouter, public Prober {
public:
    GreedyRouter(const config::Model& model, const GreedyParameters& parameters, const RouterContext& context,
                 std::optional<dispatch::RouteWiseCloudBackend> cloud);

    const dispatch::PoolGrant& grant() const override { return m_grant; }
    dispatch::asio::awaitable<dispatch::AnswerResult> route(dispatch::PoolCall call, const dispatch::RequestRun& run) override;
    dispatch::PoolView view(Steady now) const override;
    dispatch::PoolForecast forecast(const dispatch::PoolQuestion& question, Steady now) const override;

    bool wantsProbes() const override { return m_prober != nullptr && m_prober->wantsProbes(); }
    const std::string& probedPool() const override { return m_grant.poolId; }
    std::vector<std::string> takeDueProbes(Steady now) override { return m_prober->takeDueProbes(now); }
    dispatch::asio::awaitable<std::optional<dispatch::UpstreamFailure>> probe(std::string endpointId,
                                                                              const dispatch::RequestRun& run) override {
        return m_prober->probe(std::move(endpointId), run);
    }

private:
    /// One request on its way through the pool; lives in the coroutine that routes it.
    struct Way {
        const dispatch::PoolCall& call;
        const dispatch::RequestRun& run;
        std::size_t begunAt = 0;  ///< length of the attempt list before anything was tried here
        admission::Request request;
        LocalChoice choice;
        StageVerdict verdict;
        GreedyRecord record;
    };
    Way begin(const dispatch::PoolCall& call, const dispatch::RequestRun& run) const;
    admission::Request requestOf(std::uint64_t promptTokens, std::optional<std::uint64_t> maxTokens, Steady now) const;
    double remoteCost(std::int64_t promptTokens, std::int64_t outputTokens) const;
    std::vector<std::size_t> localsToTry(const LocalChoice& choice, const std::string& preferred) const;
    bool cloudCanServe(const dispatch::PoolCall& call) const;
    void count(const LocalServer::Judgement& judgement);
    void note(Way& way, std::size_t server, const LocalServer::Judgement& judgement);
    dispatch::UpstreamFailure failureOf(const Way& way) const;
    std::shared_ptr<LocalAttempt> attemptOf(LocalServer::Judgement admitted, std::uint64_t promptTokens) const;

    dispatch::asio::awaitable<dispatch::AnswerResult> exactly(dispatch::PoolCall call, const dispatch::RequestRun& run);
    /// `left` stages come regularly; servers that cool only while nothing was sent.
    bool mayGoOn(Way& way, dispatch::UpstreamFailure failure, std::size_t left) const;
    /// One attempt at a local server that has room; what came of it, or the refusal.
    dispatch::asio::awaitable<dispatch::AnswerResult> tryLocal(Way& way, std::size_t server, bool anyway);
    dispatch::asio::awaitable<dispatch::AnswerResult> tryCloud(Way& way, const std::string* preferred);
    dispatch::asio::awaitable<dispatch::AnswerResult> lastResort(Way& way);
    void countRefusal(const LocalChoice& choice);
    dispatch::PoolMemberView memberView(const std::string& id, const evidence::RecordedPool& usual, const dispatch::PoolView& cloud,
                                        Steady now) const;
    dispatch::LocalLoadView localView(Steady now) const;
    evidence::RecordedPool boundRecord(const std::string& endpointId, const LocalServer::Judgement* judgement = nullptr) const;

    std::vector<std::string> m_aliases;
    dispatch::PoolGrant m_grant;
    GreedyParameters m_parameters;
    LocalServers m_servers;
    std::vector<config::Route> m_routes;  // all, in the order of the file
    std::vector<config::Pricing> m_cloudPrices;
    std::optional<dispatch::RouteWiseCloudBackend> m_cloud;
    std::shared_ptr<Prober> m_prober;  // of the cloud part; null without one
    std::shared_ptr<capacity::OutputPredictor> m_predictor;
    const Clock& m_clock;
    std::atomic<std::uint64_t> m_requests{0};
    std::atomic<std::uint64_t> m_admitted{0};
    std::array<std::atomic<std::uint64_t>, 10> m_refused{};  // by admission::Reason
};

}  // namespace signalbox::strategy
