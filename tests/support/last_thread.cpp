// SPDX-License-Identifier: MIT
// Linked into every test of the address sanitizer, which looks for leaks once the process ends. A thread that has been waited
// for may not have freed what belongs to it yet: Qt's own thread that watches over each test, for one. So the process ends when
// no other is left, or after two seconds, if some thread was never to end.
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>

namespace {

class LastThread {
public:
    ~LastThread() {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
        while (othersLive() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

private:
    static bool othersLive() {
        std::error_code ignored;
        const std::filesystem::directory_iterator all("/proc/self/task", ignored);
        return std::distance(begin(all), end(all)) > 1;
    }
};

const LastThread lastThread;

}  // namespace
