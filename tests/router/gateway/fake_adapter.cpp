// SPDX-License-Identifier: MIT
#include "tests/router/gateway/fake_adapter.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace signalbox::test {

namespace asio = boost::asio;
using namespace dispatch;

namespace {

asio::awaitable<void> pause(std::chrono::milliseconds time) {
    if (time.count() == 0)
        co_return;
    asio::steady_timer timer(co_await asio::this_coro::executor, time);
    co_await timer.async_wait(asio::use_awaitable);
}

/// Counts a call from its start to its end, and says whether the end was a drop.
struct Running {
    std::atomic<int>* active;
    std::atomic<int>* dropped;
    bool ended = false;
    Running(std::atomic<int>& a, std::atomic<int>& d) : active(&a), dropped(&d) { ++*active; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;
    ~Running() {
        --*active;
        if (!ended)
            ++*dropped;
    }
};

} // namespace

FakeReply FakeReply::whole(std::string json) {
    FakeReply reply;
    reply.chunks.push_back({Chunk::Kind::body, std::move(json)});
    return reply;
}

FakeReply FakeReply::stream(const std::vector<std::string>& pieces) {
    FakeReply reply;
    reply.chunks.push_back(
        {Chunk::Kind::metadata, "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n"});
    for (const std::string& piece : pieces) {
        reply.chunks.push_back(
            {Chunk::Kind::content, "data: {\"choices\":[{\"delta\":{\"content\":\"" + piece + "\"}}]}\n\n"});
    }
    reply.chunks.push_back(
        {Chunk::Kind::usage, "data: {\"choices\":[],\"usage\":{\"total_tokens\":19}}\n\n"});
    reply.chunks.push_back({Chunk::Kind::done, "data: [DONE]\n\n"});
    return reply;
}

UpstreamFailure upstreamStatus(int status, std::string body) {
    UpstreamFailure failure;
    failure.kind = UpstreamFailure::Kind::status;
    failure.status = status;
    failure.code = "status_" + std::to_string(status);
    failure.message = "The upstream answered " + std::to_string(status) + ".";
    failure.body = std::move(body);
    return failure;
}

class FakeAdapter::Stream final : public ResponseStream {
public:
    Stream(FakeReply reply, std::unique_ptr<Running> running)
        : m_reply(std::move(reply)), m_running(std::move(running)) {
        m_head.contentType = "application/json";
        m_head.simulated = m_reply.simulated;
    }
    const ResponseHead& head() const override { return m_head; }
    asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() override {
        if (m_at > 0)
            co_await pause(m_reply.chunkDelay);
        if (m_at < m_reply.chunks.size())
            co_return std::optional<Chunk>(m_reply.chunks[m_at++]);
        m_running->ended = true;
        if (m_reply.endsWith)
            co_return tl::unexpected(*m_reply.endsWith);
        co_return std::optional<Chunk>();
    }
    Usage usage() const override { return m_reply.usage; }
    std::uint32_t toolCalls() const override { return 0; }

private:
    FakeReply m_reply;
    std::unique_ptr<Running> m_running;
    ResponseHead m_head;
    std::size_t m_at = 0;
};

FakeAdapter::FakeAdapter(std::string providerId, Script script)
    : m_providerId(std::move(providerId)), m_script(std::move(script)) {}

void FakeAdapter::setScript(Script script) {
    const std::scoped_lock lock(m_mutex);
    m_script = std::move(script);
}

std::vector<UpstreamRequest> FakeAdapter::requests() const {
    const std::scoped_lock lock(m_mutex);
    return m_requests;
}

asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
FakeAdapter::call(UpstreamRequest request) {
    FakeReply reply;
    {
        const std::scoped_lock lock(m_mutex);
        m_requests.push_back(request);
        if (m_script) {
            reply = m_script(request);
        } else {
            reply = request.stream ? FakeReply::stream({"a", "b"})
                                   : FakeReply::whole("{\"object\":\"chat.completion\"}");
        }
    }
    auto running = std::make_unique<Running>(m_active, m_dropped);
    co_await pause(reply.firstDelay);
    if (reply.failure) {
        running->ended = true;
        co_return tl::unexpected(*reply.failure);
    }
    co_return std::unique_ptr<ResponseStream>(std::make_unique<Stream>(std::move(reply), std::move(running)));
}

} // namespace signalbox::test
