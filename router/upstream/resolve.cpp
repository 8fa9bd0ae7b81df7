// SPDX-License-Identifier: MIT
#include "router/upstream/resolve.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::upstream {

namespace {

using asio::ip::tcp;

/// Shared with the lookup, which may finish long after everybody stopped waiting.
struct Lookup {
    explicit Lookup(const asio::any_io_executor& executor) : resolver(executor), arrived(executor) {}
    tcp::resolver resolver;
    asio::steady_timer arrived;
    Resolved result;
    bool done = false;
};

/// Lookups of one context wait for each other. One that nobody waits for any more must not be made, or those of a zone that
/// does not answer hold up everybody else's.
struct GiveUp {
    std::shared_ptr<Lookup> lookup;
    ~GiveUp() {
        if (!lookup->done) lookup->resolver.cancel();
    }
};

}  // namespace

asio::awaitable<Resolved> resolve(std::string host, std::uint16_t port, Deadline& deadline) {
    boost::system::error_code notAnAddress;
    const asio::ip::address address = asio::ip::make_address(host, notAnAddress);
    if (!notAnAddress) {
        Resolved literal;
        literal.endpoints.emplace_back(address, port);
        co_return literal;
    }
    const asio::any_io_executor executor = co_await asio::this_coro::executor;
    auto lookup = std::make_shared<Lookup>(executor);
    lookup->arrived.expires_at(Steady::max());
    lookup->resolver.async_resolve(
        host, std::to_string(port),
        [lookup](const boost::system::error_code& error, const tcp::resolver::results_type& results) {
            lookup->result.error = error;
            for (const auto& entry : results) lookup->result.endpoints.push_back(entry.endpoint());
            lookup->done = true;
            lookup->arrived.cancel();
        });
    const GiveUp atTheEnd{lookup};
    deadline.onExpiry([lookup] { lookup->arrived.cancel(); });
    co_await lookup->arrived.async_wait(asio::as_tuple(asio::use_awaitable));
    deadline.onExpiry(nullptr);
    if (lookup->done) co_return std::move(lookup->result);
    Resolved unfinished;
    unfinished.error = asio::error::operation_aborted;
    co_return unfinished;
}

}  // namespace signalbox::upstream
