// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <atomic>
#include <functional>
#include <mutex>

namespace signalbox::test {

/// What a fake upstream does with one call.
struct FakeReply {
    std::optional<dispatch::UpstreamFailure> failure; ///< instead of an answer
    std::chrono::milliseconds firstDelay{0};          ///< before the answer's head
    std::chrono::milliseconds chunkDelay{0};          ///< before each further chunk
    std::vector<dispatch::Chunk> chunks;
    std::optional<dispatch::UpstreamFailure> endsWith; ///< after the chunks
    bool simulated = false;
    dispatch::Usage usage{12, 3, 7};

    static FakeReply whole(std::string json);
    /// Role chunk, the pieces as content, a usage chunk, `[DONE]`.
    static FakeReply stream(const std::vector<std::string>& pieces);
};
[[nodiscard]] dispatch::UpstreamFailure upstreamStatus(int status, std::string body = {});

/// An adapter without sockets that keeps what it was sent and answers by a script. Thread safe.
class FakeAdapter final : public dispatch::Adapter {
public:
    using Script = std::function<FakeReply(const dispatch::UpstreamRequest&)>;
    explicit FakeAdapter(std::string providerId, Script script = {});

    [[nodiscard]] std::string_view providerId() const override { return m_providerId; }
    [[nodiscard]] dispatch::asio::awaitable<
        tl::expected<std::unique_ptr<dispatch::ResponseStream>, dispatch::UpstreamFailure>>
    call(dispatch::UpstreamRequest request) override;

    void setScript(Script script);
    [[nodiscard]] std::vector<dispatch::UpstreamRequest> requests() const;
    /// Calls that are running now, and calls that were dropped before their end.
    [[nodiscard]] int active() const { return m_active; }
    [[nodiscard]] int dropped() const { return m_dropped; }

private:
    class Stream;
    std::string m_providerId;
    mutable std::mutex m_mutex;
    Script m_script;
    std::vector<dispatch::UpstreamRequest> m_requests;
    std::atomic<int> m_active{0}, m_dropped{0};
};

} // namespace signalbox::test
