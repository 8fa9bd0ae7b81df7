// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/raw_http.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace signalbox::test {

/// What the clients of a soak know of their requests; whatever is admitted is one of the first four.
struct SoakSeen {
    std::uint64_t answered = 0;  ///< in full, without an error
    std::uint64_t failed = 0;    ///< an error status, or an error event in the stream
    std::uint64_t leftEarly = 0; ///< sent in full, and then the client was gone
    std::uint64_t lost = 0;      ///< no answer, or one that ended without saying why: there must be none
    std::uint64_t neverSent = 0; ///< left in the middle of the body
    std::uint64_t refused = 0;   ///< by the head alone, with `unsupported_encoding`
    std::vector<std::string> lostWhat;  ///< the first few
    std::chrono::milliseconds slowest{0};  ///< request whose answer was waited for, and which it was
    std::string slowestWhat;
    std::vector<std::string> answeredIds, failedIds;  ///< decisions of these

    [[nodiscard]] std::uint64_t admitted() const { return answered + failed + leftEarly + lost; }
    void add(const SoakSeen& other);
};

/// Clients of both edges that together send a number of mixed requests: streams and whole answers, tools, schemas, images,
/// long and short ones, to smart groups, pools, presets and single endpoints; one in twenty leaves early. Which they are
/// depends on the seed alone.
class SoakClients {
public:
    SoakClients(std::uint16_t port, std::string token, std::uint64_t requests, unsigned clients, std::uint64_t seed);
    ~SoakClients();
    SoakClients(const SoakClients&) = delete;
    SoakClients& operator=(const SoakClients&) = delete;

    /// Requests of which the client has seen the end.
    [[nodiscard]] std::uint64_t finished() const { return m_finished; }
    [[nodiscard]] bool isOver() const { return m_over == m_threads.size(); }
    /// Waits for all of them, once.
    [[nodiscard]] SoakSeen join();

private:
    void wait();
    void run(std::uint16_t port, const std::string& token, std::uint64_t requests, std::uint64_t seed);

    std::atomic<bool> m_stop{false};
    std::atomic<std::uint64_t> m_finished{0}, m_over{0};
    std::mutex m_mutex;
    SoakSeen m_seen;
    std::vector<std::thread> m_threads;
};

} // namespace signalbox::test
