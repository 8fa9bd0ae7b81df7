// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/response_writer.h"
#include "router/gateway/shared_state.h"

namespace signalbox::gateway {

/// Whether a request may use `/admin/`, from its head and its peer alone. Whoever may not is counted, locked out for a
/// while when it was too often, and written down.
[[nodiscard]] std::optional<EdgeError> admitAdmin(SharedState& shared, const AccessPolicy& access, const HttpRequest& head,
                                                  const Connection& connection);
/// Writes down a request to `/admin/` that was turned away as a web page's; it locks nobody out.
void noteRefusedAdmin(SharedState& shared, const HttpRequest& head, const Connection& connection, const EdgeError& error);

/// Longest body of a path, bytes.
[[nodiscard]] std::uint64_t adminBodyLimit(std::string_view path);
[[nodiscard]] EdgeError adminBodyTooLarge(std::uint64_t limit);

/// Answers one admitted call. Waits for the handler without holding the thread; a stream ends when the client leaves or
/// the gateway drains, and holds no policy.
[[nodiscard]] asio::awaitable<void> serveAdmin(ThreadState& thread, std::shared_ptr<const Serving> serving, Connection& connection,
                                               ResponseWriter& writer, const HttpRequest& head, std::string body);

/// Lets callbacks of other threads reach I/O threads as long as there are any.
class AdminGate {
public:
    template <class Executor, class Work>
    void post(const Executor& executor, Work work) {
        const std::scoped_lock lock(m_mutex);
        if (m_open)
            asio::post(executor, std::move(work));
    }
    /// Before the threads end.
    void close() {
        const std::scoped_lock lock(m_mutex);
        m_open = false;
    }

private:
    std::mutex m_mutex;
    bool m_open = true;
};

} // namespace signalbox::gateway
