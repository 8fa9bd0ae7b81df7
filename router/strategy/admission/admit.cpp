// SPDX-License-Identifier: MIT
#include "router/strategy/admission/admit.h"

#include "router/strategy/admission/knapsack.h"
#include "router/strategy/admission/validate.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace signalbox::strategy::admission {
namespace {

using Positions = std::vector<std::size_t>;

/// Below this a request counts as this much work, so that its density stays a number (N6).
constexpr double kLeastWorkS = 1e-12;

/// One run over a queue: what was taken so far, and the load that it leads to.
class Run {
public:
    Run(Policy policy, const Profile& profile, const Load& load, std::span<const Request> requests, double nowS)
        : m_policy(policy), m_profile(profile), m_requests(requests), m_nowS(nowS), m_model(profile, nowS),
          m_load(load), m_ttftS(requests.size()) {
        m_queue.resize(requests.size());
        std::iota(m_queue.begin(), m_queue.end(), std::size_t{0});
        std::sort(m_queue.begin(), m_queue.end(), [&](std::size_t a, std::size_t b) {
            return std::tie(requests[a].arrivalS, requests[a].requestId) <
                   std::tie(requests[b].arrivalS, requests[b].requestId);
        });
    }

    Admission finish() {
        select();
        Admission out{std::move(m_selected), m_truncated, m_load, {}};
        for (const std::size_t position : m_queue) out.decisions.push_back(explain(position));
        return out;
    }

private:
    void select() {
        const Positions waiting = arrived();
        switch (m_policy) {
            case Policy::allApi: return;
            case Policy::allLocal:
                for (const std::size_t position : waiting) take(position);
                return;
            case Policy::concurrency:
                for (const std::size_t position : waiting)
                    if (m_load.runningRequests < m_profile.maxRunningRequests) take(position);
                return;
            case Policy::fifo:
            case Policy::greedy: return takeWhatFits(waiting);
            case Policy::density: return takeWhatFits(byDensity(waiting));
            case Policy::knapsack: return takeBestChunks(waiting);
        }
    }

    Positions arrived() const {
        Positions out;
        for (const std::size_t position : m_queue)
            if (m_requests[position].arrivalS <= m_nowS) out.push_back(position);
        return out;
    }

    void take(std::size_t position) {
        m_ttftS[position] = m_model.ttftS(m_load, m_requests[position]);
        m_load = LocalModel::with(m_load, m_requests[position]);
        m_selected.push_back(position);
    }

    void takeWhatFits(const Positions& order) {
        for (const std::size_t position : order)
            if (!m_model.refusal(m_load, m_requests[position])) take(position);
    }

    /// Splits off the aged requests; both parts keep their order.
    std::pair<Positions, Positions> agedAndOthers(std::span<const std::size_t> waiting) const {
        std::pair<Positions, Positions> out;
        for (const std::size_t position : waiting)
            (m_model.aged(m_requests[position]) ? out.first : out.second).push_back(position);
        return out;
    }

    double density(std::size_t position) const {
        const Request& request = m_requests[position];
        return request.estimatedRemoteCost / std::max(m_model.workS(request), kLeastWorkS);
    }

    Positions byDensity(const Positions& waiting) const {
        auto [order, others] = agedAndOthers(waiting);
        std::stable_sort(others.begin(), others.end(),
                         [this](std::size_t a, std::size_t b) { return density(a) > density(b); });
        order.insert(order.end(), others.begin(), others.end());
        return order;
    }

    void takeBestChunks(const Positions& waiting) {
        const auto window = static_cast<std::size_t>(m_profile.knapsackWindow);
        m_truncated = waiting.size() > window;
        for (std::size_t begin = 0; begin < waiting.size(); begin += window) {
            const auto chunk = std::span(waiting).subspan(begin, std::min(window, waiting.size() - begin));
            auto [aged, others] = agedAndOthers(chunk);
            takeWhatFits(aged);
            for (const std::size_t position : bestSubset(m_model, m_load, m_requests, std::move(others))) take(position);
        }
    }

    Decision explain(std::size_t position) const {
        const Request& request = m_requests[position];
        Decision out;
        out.request = position;
        out.reservedTokens = LocalModel::reservedTokens(request);
        out.workS = m_model.workS(request);
        out.value = request.estimatedRemoteCost;
        if (request.arrivalS > m_nowS) return out;
        out.selected = m_ttftS[position].has_value();
        out.reason = out.selected ? selectedReason() : refusedReason(request);
        out.predictedTtftS = out.selected ? *m_ttftS[position] : m_model.ttftS(m_load, request);
        out.predictedTpotS = m_model.tpotS(m_load.runningRequests + (out.selected ? 0 : 1));
        return out;
    }

    Reason selectedReason() const {
        if (m_policy == Policy::allLocal) return Reason::baselineAllLocal;
        return m_policy == Policy::concurrency ? Reason::baselineConcurrency : Reason::admitted;
    }

    Reason refusedReason(const Request& request) const {
        if (m_policy == Policy::allApi) return Reason::baselineAllApi;
        // What did not fit into less load does not fit into more. Only a knapsack can leave out what would still fit
        // at the end: at its place by deadline it would have made another member late.
        return m_model.refusal(m_load, request).value_or(Reason::ttftDeadline);
    }

    const Policy m_policy;
    const Profile& m_profile;
    std::span<const Request> m_requests;
    const double m_nowS;
    const LocalModel m_model;
    Load m_load;
    Positions m_queue;  // by arrival, then id
    Positions m_selected;
    std::vector<std::optional<double>> m_ttftS;
    bool m_truncated = false;
};

std::optional<Finding> fault(const Profile& profile, const Load& load, std::span<const Request> requests, double nowS) {
    if (auto found = firstFault(profile)) return found;
    if (auto found = firstFault(load)) return found;
    if (auto found = firstFault(requests)) return found;
    if (std::isfinite(nowS)) return std::nullopt;
    return Finding{Severity::error, "bad_value", "now_s", {}, "the clock is not a number", "Pass seconds"};
}

}  // namespace

tl::expected<Admission, Finding> admit(Policy policy, const Profile& profile, const Load& load,
                                       std::span<const Request> requests, double nowS) {
    if (auto found = fault(profile, load, requests, nowS)) return tl::unexpected(*std::move(found));
    return Run(policy, profile, load, requests, nowS).finish();
}

}  // namespace signalbox::strategy::admission
