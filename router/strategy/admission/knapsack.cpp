// SPDX-License-Identifier: MIT
#include "router/strategy/admission/knapsack.h"

#include <algorithm>
#include <tuple>

namespace signalbox::strategy::admission {
namespace {

/// Depth-first over "take it if it fits" and "leave it", in order of dispatch.
class Search {
public:
    Search(const LocalModel& model, std::span<const Request> requests, std::span<const std::size_t> order)
        : m_model(model), m_requests(requests), m_order(order), m_valueFrom(order.size() + 1, 0) {
        for (std::size_t i = order.size(); i-- > 0;) m_valueFrom[i] = m_valueFrom[i + 1] + at(i).estimatedRemoteCost;
    }

    void run(const Load& load) { visit(0, load, 0); }
    [[nodiscard]] const std::vector<std::size_t>& best() const { return m_best; }

private:
    const Request& at(std::size_t i) const { return m_requests[m_order[i]]; }

    void visit(std::size_t i, const Load& load, double value) {
        if (hopeless(i, value)) return;
        if (i == m_order.size()) {
            if (better(value)) {
                m_best = m_path;
                m_bestValue = value;
            }
            m_any = true;
            return;
        }
        if (!m_model.refusal(load, at(i))) {
            m_path.push_back(m_order[i]);
            visit(i + 1, LocalModel::with(load, at(i)), value + at(i).estimatedRemoteCost);
            m_path.pop_back();
        }
        visit(i + 1, load, value);
    }

    /// Even everything that is left cannot reach the best. The bound is a sum in another order than the value it
    /// bounds, hence the slack for rounding.
    bool hopeless(std::size_t i, double value) const {
        if (!m_any) return false;
        const double bound = value + m_valueFrom[i];
        if (bound < m_bestValue * (1 - 1e-12)) return true;
        return bound <= m_bestValue && m_path.size() + (m_order.size() - i) < m_best.size();
    }

    bool better(double value) const {
        if (!m_any) return true;
        if (value != m_bestValue) return value > m_bestValue;
        if (m_path.size() != m_best.size()) return m_path.size() > m_best.size();
        return std::lexicographical_compare(m_path.begin(), m_path.end(), m_best.begin(), m_best.end(),
                                            [this](std::size_t a, std::size_t b) {
                                                return m_requests[a].requestId < m_requests[b].requestId;
                                            });
    }

    const LocalModel& m_model;
    std::span<const Request> m_requests;
    std::span<const std::size_t> m_order;
    std::vector<double> m_valueFrom;
    std::vector<std::size_t> m_path;
    std::vector<std::size_t> m_best;
    double m_bestValue = 0;
    bool m_any = false;
};

}  // namespace

std::vector<std::size_t> bestSubset(const LocalModel& model, const Load& load, std::span<const Request> requests,
                                    std::vector<std::size_t> chunk) {
    std::sort(chunk.begin(), chunk.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [](const Request& r) { return std::tie(r.deadlineS, r.arrivalS, r.requestId); };
        return key(requests[a]) < key(requests[b]);
    });
    Search search(model, requests, chunk);
    search.run(load);
    return search.best();
}

}  // namespace signalbox::strategy::admission
