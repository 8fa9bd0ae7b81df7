// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace signalbox::engine {

/// One request of an operator to a running gateway, sent to its own listener as any client would: it is traffic,
/// counted, limited and recorded. Its `x-request-id` begins with `try-`, so that it can be told later.
struct TryRequest {
    std::string baseUrl;  ///< `http://127.0.0.1:38082/v1`
    std::string token;    ///< sent as the client's credential; empty sends none. In no message
    std::string model, prompt;
    bool stream = true;
    std::string pin;      ///< X-Signalbox-Pin; empty sends none
    std::optional<std::uint32_t> maxTokens;
};

/// What the gateway decided, as its answer's headers say. Empty where it does not say.
struct TryHead {
    int status = 0;
    std::string requestId;  ///< that was sent
    std::string decisionId, route, preset, coverage;
    bool simulated = false, lastResort = false;
};

struct TryEnd {
    /// In the edge's words, or why nothing came; kind `cancelled` when it was called off.
    std::optional<Error> error;
    std::string errorCode;  ///< of the edge's error; empty otherwise
    std::optional<double> firstTextMs;  ///< from the first byte sent to the first text; none without a stream
    double totalMs = 0;
    std::optional<std::uint64_t> inputTokens, outputTokens;  ///< as the gateway passed them on
};

/// Called on the thread that runs it: at most one head, any number of texts.
struct TryListener {
    std::function<void(const TryHead&)> head;
    std::function<void(const std::string& text)> text;
};

/// One try. `run` may be called once; `cancel` at any time from any thread.
class TryCall {
public:
    TryCall();
    ~TryCall();
    /// Blocks until the answer ended, failed or was called off: from a worker.
    [[nodiscard]] TryEnd run(const TryRequest& request, const TryListener& listener);
    /// Breaks off down to the socket: the gateway sees its client leave. `run` then returns at once.
    void cancel();

private:
    struct Loop;
    const std::unique_ptr<Loop> m_loop;
};

}  // namespace signalbox::engine
