// SPDX-License-Identifier: MIT
#include "tests/integration/load.h"

#include <algorithm>

namespace signalbox::test {

Load::Load(std::uint16_t port, int clients, Request request) {
    for (int i = 0; i < clients; ++i)
        m_threads.emplace_back([this, port, request] { run(port, request); });
}

Load::~Load() {
    stop();
}

void Load::stop() {
    m_stop = true;
    for (std::thread& thread : m_threads) {
        if (thread.joinable())
            thread.join();
    }
}

void Load::run(std::uint16_t port, const Request& request) {
    while (!m_stop) {
        const auto response = fetch(port, request(m_next++));
        LoadResult result;
        if (response && response->complete) {
            result = {response->status, response->header("x-signalbox-decision-id"),
                      response->header("x-signalbox-preset")};
        }
        {
            const std::scoped_lock lock(m_mutex);
            m_results.push_back(std::move(result));
        }
        ++m_finished;
        // Nobody there any more: do not spin.
        if (!response)
            std::this_thread::yield();
    }
}

std::vector<LoadResult> Load::results() const {
    const std::scoped_lock lock(m_mutex);
    return m_results;
}

int Load::failures() const {
    const std::scoped_lock lock(m_mutex);
    return static_cast<int>(std::count_if(m_results.begin(), m_results.end(),
                                          [](const LoadResult& result) { return result.status != 200; }));
}

} // namespace signalbox::test
