// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/raw_http.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace signalbox::test {

/// One finished exchange as its client saw it.
struct LoadResult {
    int status = 0; ///< 0: no complete response
    std::string decisionId;
    std::string preset;
};

/// Clients that send one request after another until stopped, each on a new connection.
class Load {
public:
    using Request = std::function<RequestLines(int number)>;
    Load(std::uint16_t port, int clients, Request request);
    ~Load();

    void stop();
    [[nodiscard]] int finished() const { return m_finished; }
    [[nodiscard]] std::vector<LoadResult> results() const;
    /// Exchanges that did not end with 200 and complete.
    [[nodiscard]] int failures() const;

private:
    void run(std::uint16_t port, const Request& request);
    std::atomic<bool> m_stop{false};
    std::atomic<int> m_next{0}, m_finished{0};
    mutable std::mutex m_mutex;
    std::vector<LoadResult> m_results;
    std::vector<std::thread> m_threads;
};

} // namespace signalbox::test
