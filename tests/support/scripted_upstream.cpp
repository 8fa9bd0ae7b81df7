// SPDX-License-Identifier: MIT
#include "tests/support/scripted_upstream.h"

#include <arpa/inet.h>
#include <csignal>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace signalbox::test {

struct ScriptedUpstream::TlsContext {
    explicit TlsContext(const TlsFiles& files) : context(SSL_CTX_new(TLS_server_method())) {
        if (SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1 ||
            SSL_CTX_use_PrivateKey_file(context, files.key.c_str(), SSL_FILETYPE_PEM) != 1)
            throw std::runtime_error("the scripted upstream cannot use its certificate");
    }
    ~TlsContext() { SSL_CTX_free(context); }
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;
    SSL_CTX* context;
};

/// One accepted socket, plain or TLS, whose blocking reads end when the server stops.
class ScriptedUpstream::Peer {
public:
    Peer(int fd, int stopEvent, TlsContext* tls) : m_fd(fd), m_stopEvent(stopEvent) {
        const int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (tls == nullptr) return;
        m_ssl = SSL_new(tls->context);
        SSL_set_fd(m_ssl, fd);
        m_usable = waitReadable() && SSL_accept(m_ssl) == 1;
    }
    ~Peer() {
        if (m_ssl != nullptr) {
            if (m_usable) SSL_shutdown(m_ssl);
            SSL_free(m_ssl);
        }
        ::close(m_fd);
    }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    /// False at the end, on an error and when the server stops.
    bool readSome(std::string& into) {
        if (!m_usable || (pendingTls() == 0 && !waitReadable())) return false;
        char buffer[65536];
        const ssize_t got = m_ssl != nullptr ? SSL_read(m_ssl, buffer, sizeof buffer) : recv(m_fd, buffer, sizeof buffer, 0);
        if (got <= 0) return false;
        into.append(buffer, static_cast<std::size_t>(got));
        return true;
    }

    bool write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t put = m_ssl != nullptr ? SSL_write(m_ssl, bytes.data(), static_cast<int>(bytes.size()))
                                                 : send(m_fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (put <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(put));
        }
        return true;
    }

    /// True when the peer went away, false when the server stops first.
    bool waitClosed() {
        std::string ignored;
        while (readSome(ignored)) ignored.clear();
        return !m_stopped;
    }

    void gather(bool on) {
        const int cork = on ? 1 : 0;
        if (std::exchange(m_gathers, on) != on) setsockopt(m_fd, IPPROTO_TCP, TCP_CORK, &cork, sizeof cork);
    }

    void resetOnClose() {
        m_usable = false;
        const linger at_once{1, 0};
        setsockopt(m_fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }

private:
    [[nodiscard]] int pendingTls() const { return m_ssl != nullptr ? SSL_pending(m_ssl) : 0; }

    bool waitReadable() {
        pollfd fds[2]{{m_fd, POLLIN, 0}, {m_stopEvent, POLLIN, 0}};
        if (poll(fds, 2, -1) < 0) return false;
        m_stopped = fds[1].revents != 0;
        return !m_stopped;
    }

    int m_fd;
    int m_stopEvent;
    SSL* m_ssl = nullptr;
    bool m_usable = true;
    bool m_stopped = false;
    bool m_gathers = false;
};

namespace {

std::size_t contentLength(const ReceivedRequest& request) {
    return static_cast<std::size_t>(std::strtoull(request.header("Content-Length").c_str(), nullptr, 10));
}

}  // namespace

ScriptedUpstream::ScriptedUpstream(std::optional<TlsFiles> tls)
    : m_tls(tls ? std::make_unique<TlsContext>(*tls) : nullptr), m_standing(Reply::json("{}", 500)) {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL answers with an alert where the other side has gone already
    m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    m_stopEvent = eventfd(0, EFD_CLOEXEC);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(m_listener, generic, size) != 0 || listen(m_listener, 128) != 0 ||
        getsockname(m_listener, generic, &size) != 0)
        throw std::runtime_error("the scripted upstream cannot listen");
    m_port = ntohs(address.sin_port);
    m_acceptor = std::thread([this] { acceptLoop(); });
}

ScriptedUpstream::~ScriptedUpstream() {
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_released.notify_all();
    const std::uint64_t one = 1;
    if (::write(m_stopEvent, &one, sizeof one) < 0) std::abort();
    m_acceptor.join();
    for (auto& [connection, thread] : m_threads) thread.join();
    ::close(m_listener);
    ::close(m_stopEvent);
}

std::string ScriptedUpstream::baseUrl() const {
    return (m_tls ? "https://127.0.0.1:" : "http://127.0.0.1:") + std::to_string(m_port) + "/v1";
}

void ScriptedUpstream::enqueue(Reply reply) {
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(std::move(reply));
}

void ScriptedUpstream::setStandingReply(Reply reply) {
    const std::lock_guard lock(m_mutex);
    m_standing = std::move(reply);
    m_responder = nullptr;
}

void ScriptedUpstream::setResponder(std::function<Reply(const ReceivedRequest&)> responder) {
    const std::lock_guard lock(m_mutex);
    m_responder = std::move(responder);
}

void ScriptedUpstream::release() {
    {
        const std::lock_guard lock(m_mutex);
        ++m_releases;
    }
    m_released.notify_all();
}

std::vector<ReceivedRequest> ScriptedUpstream::requests() const {
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

void ScriptedUpstream::forgetRequests() {
    const std::lock_guard lock(m_mutex);
    m_keeps = false;
    m_requests.clear();
}

// A thread that is not joined keeps its stack.
void ScriptedUpstream::joinFinished() {
    std::vector<std::size_t> finished;
    {
        const std::lock_guard lock(m_mutex);
        finished.swap(m_finished);
    }
    for (const std::size_t connection : finished) {
        m_threads.at(connection).join();
        m_threads.erase(connection);
    }
}

void ScriptedUpstream::acceptLoop() {
    while (true) {
        pollfd fds[2]{{m_listener, POLLIN, 0}, {m_stopEvent, POLLIN, 0}};
        if (poll(fds, 2, -1) < 0 || fds[1].revents != 0) return;
        const int fd = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (fd < 0) continue;
        joinFinished();
        const std::size_t index = m_accepted++;
        ++m_open;
        m_threads.emplace(index, [this, fd, index] { serve(fd, index); });
    }
}

void ScriptedUpstream::serve(int fd, std::size_t index) {
    {
        Peer peer(fd, m_stopEvent, m_tls.get());
        std::string input;
        bool goOn = true;
        while (goOn) {
            std::size_t headEnd = std::string::npos;
            while ((headEnd = input.find("\r\n\r\n")) == std::string::npos && goOn) goOn = peer.readSome(input);
            if (!goOn) break;
            ReceivedRequest request;
            request.connection = index;
            request.head = input.substr(0, headEnd + 4);
            const std::size_t total = request.head.size() + (m_early ? 0 : contentLength(request));
            while (input.size() < total && goOn) goOn = peer.readSome(input);
            request.body = input.substr(request.head.size(), total - request.head.size());
            input.erase(0, total);
            goOn = goOn && play(peer, nextReply(std::move(request)));
        }
    }
    --m_open;
    const std::lock_guard lock(m_mutex);
    m_finished.push_back(index);
}

Reply ScriptedUpstream::nextReply(ReceivedRequest request) {
    const std::lock_guard lock(m_mutex);
    ++m_received;
    if (m_keeps) m_requests.push_back(request);
    if (m_queue.empty()) return m_responder ? m_responder(request) : m_standing;
    Reply reply = std::move(m_queue.front());
    m_queue.pop_front();
    return reply;
}

bool ScriptedUpstream::play(Peer& peer, const Reply& reply) {
    for (const Reply::Step& step : reply.steps()) {
        switch (step.kind) {
        case Reply::Step::Kind::send: {
            const std::size_t piece = step.pieceBytes != 0 ? step.pieceBytes : step.bytes.size();
            for (std::size_t at = 0; at < step.bytes.size(); at += piece)
                if (!peer.write(std::string_view(step.bytes).substr(at, piece))) return false;
            break;
        }
        case Reply::Step::Kind::gather: peer.gather(true); break;
        case Reply::Step::Kind::stall:
            if (peer.waitClosed()) ++m_abandoned;
            return false;
        case Reply::Step::Kind::awaitRelease: {
            std::unique_lock lock(m_mutex);
            m_released.wait(lock, [this] { return m_releases > 0 || m_stopping; });
            if (m_stopping) return false;
            --m_releases;
            break;
        }
        case Reply::Step::Kind::close: return false;
        case Reply::Step::Kind::reset: peer.resetOnClose(); return false;
        }
    }
    peer.gather(false);
    return true;
}

}  // namespace signalbox::test
