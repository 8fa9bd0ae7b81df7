// SPDX-License-Identifier: MIT
#pragma once

#include "router/capacity/output_predictor.h"
#include "router/strategy/attempt_record.h"
#include "router/strategy/greedy/local_server.h"

#include <functional>
#include <string>
#include <vector>

namespace signalbox::strategy {

/// The local servers of a greedy pool with what admission said of one request.
struct LocalChoice {
    struct One {
        std::size_t server = 0;
        std::string excluded;  ///< why it was not asked, or what admission said; empty when it takes the request
        bool isResting = false;  ///< its circuit is open: not asked, and tried only as the last resort
        std::optional<LocalServer::Judgement> judgement;  ///< when it was asked
    };
    std::vector<One> all;               ///< one for each server, in the order of the file
    std::vector<std::size_t> order;     ///< those that would take it, the soonest first token first
};

using LocalServers = std::vector<std::shared_ptr<LocalServer>>;

/// Asks every server that can take the request at all. `exclusion` says why one cannot.
[[nodiscard]] LocalChoice chooseLocal(const LocalServers& servers, const admission::Request& request, Steady now,
                                      const std::function<std::string(const PoolMember&)>& exclusion);

/// As it is recorded, without the cloud part. The reason and the predictions are those of the server that takes it, else
/// of the first that was asked.
[[nodiscard]] evidence::RecordedPool recordOf(const LocalChoice& choice, const LocalServers& servers,
                                              const std::string& poolId, Steady now);

/// Keeps a request's hold on a local server until its attempt ends, and teaches how long answers are.
class LocalAttempt final : public AttemptObserver {
public:
    LocalAttempt(LocalServer::Judgement admitted, std::shared_ptr<capacity::OutputPredictor> predictor, std::string model,
                 std::uint64_t promptTokens, const Clock& clock);
    /// The run with whose requests the attempt is made. Whether they stream is known once a body was made: of a whole
    /// body the first token is never seen, and is taken to come when it was predicted.
    [[nodiscard]] static dispatch::RequestRun watched(std::shared_ptr<LocalAttempt> attempt, const dispatch::RequestRun& run);
    void firstContent(double ms) override;
    void served(const dispatch::Usage& usage) override;
    void failed() override;

private:
    LocalServer::Judgement m_admitted;  // with the hold
    std::shared_ptr<capacity::OutputPredictor> m_predictor;
    std::string m_model;
    std::uint64_t m_promptTokens;
    const Clock& m_clock;
};

}  // namespace signalbox::strategy
