// SPDX-License-Identifier: MIT
#include "router/gateway/server.h"

#include "router/gateway/admin_exchange.h"
#include "router/gateway/io_thread.h"
#include "router/gateway/listener.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <future>
#include <sched.h>
#include <sys/resource.h>

namespace signalbox::gateway {

namespace {
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::chrono::milliseconds kPollPause{10};
constexpr std::chrono::seconds kCutOffPatience{5};
} // namespace

/// The acceptor lives on the first I/O thread and is touched only there once that runs.
struct Server::Parts {
    Parts(const Clock& clock, ServerOptions options) : shared{clock, std::move(options.onDecision)} {
        shared.evidence = std::move(options.evidence);
        shared.admin = std::move(options.admin);
        shared.adminGate = std::make_shared<AdminGate>();
        shared.refusalFeed = std::move(options.turnedAway);
    }

    SharedState shared;
    std::vector<std::unique_ptr<IoThread>> threads;
    std::unique_ptr<Acceptor> acceptor;
    std::unique_ptr<asio::steady_timer> acceptPause;
    std::size_t nextThread = 0;
    std::uint64_t listens = 0; ///< counts the sockets listened on; front thread
    mutable std::mutex addressMutex;
    std::string configuredHost;
    std::uint16_t configuredPort = 0;
    std::uint16_t boundPort = 0;
    bool stopped = false;

    ~Parts() {
        shared.adminGate->close();
        acceptPause.reset();
        acceptor.reset();
        // Adapters go before the contexts that their sockets belong to.
        if (sessions() == 0) {
            for (auto& thread : threads)
                thread->setServing(nullptr);
        }
    }

    asio::io_context& front() { return threads.front()->context(); }

    void listenOn(Acceptor opened, const config::Server& server) {
        const std::scoped_lock lock(addressMutex);
        configuredHost = server.host;
        configuredPort = server.port;
        boundPort = opened.local_endpoint().port();
        ++listens;
        acceptor = std::make_unique<Acceptor>(std::move(opened));
    }

    void accept() {
        IoThread& target = *threads[nextThread];
        acceptor->async_accept(
            target.context().get_executor(),
            [this, &target, mine = listens](const boost::system::error_code& ec, Socket socket) {
                const bool isOver = mine != listens || !acceptor->is_open(); // who listens now accepts by itself
                if (ec && (ec == asio::error::operation_aborted || isOver))
                    return;
                if (ec)
                    return pauseAccepting(); // out of descriptors: those in flight will free some
                nextThread = (nextThread + 1) % threads.size();
                target.startSession(std::move(socket));
                if (!isOver)
                    accept();
            });
    }

    /// Those who have connected already must not find the door shut: they are served, or told why not.
    void takeWaiting() {
        boost::system::error_code ec;
        acceptor->cancel(ec);
        acceptor->non_blocking(true, ec);
        while (!ec) {
            IoThread& target = *threads[nextThread];
            Socket socket = acceptor->accept(target.context().get_executor(), ec);
            if (ec)
                return;
            nextThread = (nextThread + 1) % threads.size();
            target.startSession(std::move(socket));
        }
    }

    void pauseAccepting() {
        acceptPause->expires_after(kAcceptPause);
        acceptPause->async_wait([this, mine = listens](const boost::system::error_code& ec) {
            if (!ec && mine == listens)
                accept();
        });
    }

    void onFront(const std::function<void()>& work) {
        std::promise<void> done;
        asio::post(front(), [&] {
            work();
            done.set_value();
        });
        done.get_future().wait();
    }

    [[nodiscard]] std::size_t sessions() const {
        std::size_t total = 0;
        for (const auto& thread : threads)
            total += thread->sessionCount();
        return total;
    }

    void waitForRequests(std::chrono::steady_clock::time_point deadline) const {
        while (shared.inFlight.all() > 0 && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(kPollPause);
    }

    bool waitForSessions(std::chrono::milliseconds patience) const {
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (sessions() > 0) {
            if (std::chrono::steady_clock::now() >= deadline)
                return false;
            for (const auto& thread : threads)
                thread->closeIdle();
            std::this_thread::sleep_for(kPollPause);
        }
        return true;
    }
};

/// The cores that this process may run on: a container or taskset can leave fewer than the machine has.
static unsigned usableCores() {
    cpu_set_t cores;
    if (::sched_getaffinity(0, sizeof(cores), &cores) == 0)
        return std::max(1U, static_cast<unsigned>(CPU_COUNT(&cores)));
    return std::max(1U, std::thread::hardware_concurrency());
}

/// Files, the journal, the database and one upstream socket for every request in flight come out of the same limit.
static std::size_t affordableConnections(const config::Server& server) {
    constexpr std::uint64_t kMost = 4096, kForTheRest = 128, kSpare = 64;
    const std::uint64_t served = server.maxConcurrentRequests;
    rlimit files{};
    const std::uint64_t open = ::getrlimit(RLIMIT_NOFILE, &files) == 0 ? files.rlim_cur : 1024;
    const std::uint64_t left = open > kForTheRest + served ? open - kForTheRest - served : 0;
    return std::max(std::min(left, kMost), served + kSpare);
}

Server::Server(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::start(const Clock& clock, ServerOptions options,
                                              std::shared_ptr<const Serving> serving) {
    const config::Server server = serving->snapshot->config->server;
    const auto makeSink = options.makeSink;
    const std::size_t connections = options.maxConnections != 0 ? options.maxConnections : affordableConnections(server);
    auto parts = std::make_unique<Parts>(clock, std::move(options));
    const unsigned count = server.threads != 0 ? server.threads : usableCores();
    const std::size_t share = (connections + count - 1) / count;
    for (unsigned i = 0; i < count; ++i) {
        std::unique_ptr<evidence::RecordSink> sink;
        if (makeSink) {
            auto made = makeSink();
            if (!made)
                return tl::unexpected(made.error());
            sink = std::move(*made);
        }
        parts->threads.push_back(std::make_unique<IoThread>(parts->shared, serving, std::move(sink), share));
        parts->threads.back()->run();
    }
    auto acceptor = openListener(parts->front(), server.host, server.port);
    if (!acceptor)
        return tl::unexpected(acceptor.error());
    parts->listenOn(std::move(*acceptor), server);
    parts->acceptPause = std::make_unique<asio::steady_timer>(parts->front());
    parts->onFront([&parts] { parts->accept(); });
    return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::~Server() {
    stop(std::chrono::milliseconds(0));
}

class Server::NewAddress {
public:
    explicit NewAddress(Acceptor opened) : acceptor(std::move(opened)) {}
    Acceptor acceptor;
};

Result<std::shared_ptr<Server::NewAddress>> Server::open(const config::Server& wanted) {
    if (wanted.host == m_parts->configuredHost && wanted.port == m_parts->configuredPort)
        return std::shared_ptr<NewAddress>();
    auto acceptor = openListener(m_parts->front(), wanted.host, wanted.port);
    if (!acceptor)
        return tl::unexpected(acceptor.error());
    return std::make_shared<NewAddress>(std::move(*acceptor));
}

void Server::apply(std::shared_ptr<const Serving> serving, std::shared_ptr<NewAddress> address) {
    for (const auto& thread : m_parts->threads)
        thread->setServing(serving);
    if (!address)
        return;
    m_parts->onFront([&] {
        m_parts->acceptPause->cancel();
        m_parts->takeWaiting();
        m_parts->listenOn(std::move(address->acceptor), serving->snapshot->config->server);
        m_parts->accept();
    });
}

Result<void> Server::apply(std::shared_ptr<const Serving> serving) {
    auto address = open(serving->snapshot->config->server);
    if (!address)
        return tl::unexpected(address.error());
    apply(std::move(serving), std::move(*address));
    return {};
}

void Server::stop(std::chrono::milliseconds patience) {
    if (m_parts->stopped)
        return;
    m_parts->stopped = true;
    m_parts->shared.draining = true;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    m_parts->waitForRequests(deadline);
    m_parts->onFront([this] {
        boost::system::error_code ignored;
        m_parts->acceptPause->cancel();
        m_parts->takeWaiting();
        m_parts->acceptor->close(ignored);
        ++m_parts->listens; // an accept that ends only now must not look at the acceptor, which may be gone by then
    });
    // What was accepted just before has been waiting in the queue; its session counts from here on.
    m_parts->onFront([] {});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (m_parts->waitForSessions(std::max(left, std::chrono::milliseconds(0))))
        return;
    for (const auto& thread : m_parts->threads)
        thread->endSessions();
    static_cast<void>(m_parts->waitForSessions(kCutOffPatience));
}

std::string Server::host() const {
    const std::scoped_lock lock(m_parts->addressMutex);
    return m_parts->configuredHost;
}

std::uint16_t Server::port() const {
    const std::scoped_lock lock(m_parts->addressMutex);
    return m_parts->boundPort;
}

ServerCounters Server::counters() const {
    const Metrics& metrics = m_parts->shared.metrics;
    return {m_parts->shared.inFlight.all(), metrics.decided(), metrics.dispatched(), metrics.served()};
}

std::vector<Refusal> Server::refusals() const {
    return m_parts->shared.refusals.ofLastHour(m_parts->shared.clock.steady());
}

evidence::RunningRequests Server::running(std::size_t most) const {
    std::vector<std::future<evidence::RunningRequests>> asked; // all of them before the first is waited for
    for (const auto& thread : m_parts->threads)
        asked.push_back(thread->running(most));
    std::vector<evidence::RunningRequests> told;
    for (auto& one : asked)
        told.push_back(one.get());
    return evidence::oldestOf(std::move(told), most);
}

} // namespace signalbox::gateway
