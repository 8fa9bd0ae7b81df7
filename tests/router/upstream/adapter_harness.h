// SPDX-License-Identifier: MIT
#pragma once

#include "router/upstream/adapters.h"
#include "tests/support/run_coroutine.h"
#include "tests/support/scripted_upstream.h"

#include <boost/asio/io_context.hpp>
#include <map>
#include <string>
#include <vector>

namespace signalbox::test {

/// What a call gave, read to its end.
struct AdapterAnswer {
    std::optional<dispatch::UpstreamFailure> atCall;  ///< failed before a stream existed
    std::optional<dispatch::UpstreamFailure> later;   ///< failed while being read
    dispatch::ResponseHead head;
    std::vector<dispatch::Chunk> chunks;
    dispatch::Usage usage;
    std::uint32_t toolCalls = 0;

    [[nodiscard]] std::string bytes() const {
        std::string all;
        for (const dispatch::Chunk& chunk : chunks) all += chunk.bytes;
        return all;
    }
    /// One letter a chunk: b body, m metadata, c content, u usage, d done.
    [[nodiscard]] std::string kinds() const {
        std::string all;
        for (const dispatch::Chunk& chunk : chunks) all += "bmcud"[static_cast<std::size_t>(chunk.kind)];
        return all;
    }
};

inline boost::asio::awaitable<AdapterAnswer> readAnswer(std::shared_ptr<dispatch::Adapter> adapter,
                                                        dispatch::UpstreamRequest request) {
    AdapterAnswer answer;
    auto stream = co_await adapter->call(std::move(request));
    if (!stream) {
        answer.atCall = std::move(stream.error());
        co_return answer;
    }
    answer.head = (*stream)->head();
    while (true) {
        auto chunk = co_await (*stream)->next();
        if (!chunk) answer.later = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        answer.chunks.push_back(std::move(**chunk));
    }
    answer.usage = (*stream)->usage();
    answer.toolCalls = (*stream)->toolCalls();
    co_return answer;
}

/// One adapter, one scripted upstream and the thread's I/O context, whose idle sockets live on between calls.
struct AdapterHarness {
    static constexpr const char* kKey = "hunter2-hunter2-hunter2";

    explicit AdapterHarness(std::optional<TlsFiles> tls = std::nullopt) : upstream(std::move(tls)) {
        provider.id = "local";
        provider.baseUrl = upstream.baseUrl();
        provider.apiKeyEnv = "LOCAL_KEY";
        environment["LOCAL_KEY"] = kKey;
    }

    [[nodiscard]] Result<std::shared_ptr<dispatch::Adapter>> make() const {
        return upstream::makeAdapter(provider, [this](const std::string& name) -> std::optional<std::string> {
            const auto found = environment.find(name);
            return found == environment.end() ? std::nullopt : std::optional(found->second);
        });
    }

    static dispatch::UpstreamRequest request(bool stream, std::string body = R"({"model":"m"})") {
        dispatch::UpstreamRequest out;
        out.path = "/chat/completions";
        out.model = "m";
        out.stream = stream;
        out.body = std::move(body);
        return out;
    }

    AdapterAnswer ask(dispatch::UpstreamRequest call) {
        auto adapter = make();
        return runCoroutine(context, readAnswer(*adapter, std::move(call)));
    }
    AdapterAnswer ask(bool stream) { return ask(request(stream)); }
    AdapterAnswer ask(bool stream, Reply reply) {
        upstream.enqueue(std::move(reply));
        return ask(stream);
    }

    ScriptedUpstream upstream;
    config::Provider provider;
    std::map<std::string, std::string> environment;
    boost::asio::io_context context{1};
};

}  // namespace signalbox::test
