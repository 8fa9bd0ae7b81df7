// SPDX-License-Identifier: MIT
#include "app/shared/shutdown.h"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace signalbox::app {

ShutdownSignals::ShutdownSignals() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&held, number);
    pthread_sigmask(SIG_BLOCK, &held, &m_before);
    std::signal(SIGPIPE, SIG_IGN);
    m_descriptor = ::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
}

ShutdownSignals::~ShutdownSignals() {
    if (m_descriptor >= 0) ::close(m_descriptor);
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

std::optional<SignalRequest> ShutdownSignals::wait(std::chrono::milliseconds patience) {
    pollfd waiting{m_descriptor, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return std::nullopt;
    signalfd_siginfo info{};
    if (::read(m_descriptor, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
    return info.ssi_signo == static_cast<unsigned>(SIGHUP) ? SignalRequest::reload : SignalRequest::stop;
}

}  // namespace signalbox::app
