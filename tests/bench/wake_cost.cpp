// SPDX-License-Identifier: MIT
// What it costs the sender to wake whoever waits on the other core: the ends of a proxy do that with every message, so how often they
// sleep is a part of what a request costs. Needs two cores.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr int kSenderCore = 0, kWaiterCore = 1, kRounds = 3000;
/// Longer than the waiter takes to fall asleep again.
constexpr std::chrono::microseconds kPause{60};

void pinTo(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
}

double threadMicros() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

void spinFor(std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {}
}

struct Receiver {
    bool waits = false;
    /// Something else works on its core whenever it sleeps, with the policy SCHED_IDLE.
    bool coreIsBusy = false;
};

/// CPU microseconds of the sender for each message.
double costOf(const Receiver& receiver) {
    const int descriptor = eventfd(0, 0);
    std::atomic<bool> over{false};
    std::optional<std::thread> waiter, worker;
    if (receiver.waits)
        waiter.emplace([&] {
            pinTo(kWaiterCore);
            for (std::uint64_t got = 0; !over && read(descriptor, &got, sizeof got) == sizeof got;) {}
        });
    if (receiver.coreIsBusy)
        worker.emplace([&] {
            pinTo(kWaiterCore);
            const sched_param none{};
            pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
            while (!over) {}
        });
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const std::uint64_t one = 1;
    double used = 0;
    for (int i = 0; i < kRounds; ++i) {
        spinFor(kPause);
        const double before = threadMicros();
        if (write(descriptor, &one, sizeof one) != sizeof one) std::perror("write");
        used += threadMicros() - before;
    }
    over = true;
    if (write(descriptor, &one, sizeof one) != sizeof one) std::perror("write");
    if (waiter) waiter->join();
    if (worker) worker->join();
    close(descriptor);
    return used / kRounds;
}

}  // namespace

int main() {
    pinTo(kSenderCore);
    // The first holds what reading the clock costs, too.
    const double nobody = costOf({}), idle = costOf({.waits = true}), busy = costOf({.waits = true, .coreIsBusy = true});
    std::printf("| who is written to | CPU us of the sender | more than nobody |\n|---|---:|---:|\n");
    std::printf("| nobody | %.1f | |\n", nobody);
    std::printf("| one who sleeps, on an idle core | %.1f | %.1f |\n", idle, idle - nobody);
    std::printf("| one who sleeps, on a core where a SCHED_IDLE thread works | %.1f | %.1f |\n", busy, busy - nobody);
}
