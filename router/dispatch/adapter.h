// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/base/ids.h"
#include "router/classify/dialect.h"
#include "router/dispatch/coroutine_frames.h"

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace signalbox::dispatch {

namespace asio = boost::asio;

struct Header {
    std::string name;
    std::string value;
};

/// The tools that a request offered, ready to check a call's arguments against.
class OfferedTools {
public:
    virtual ~OfferedTools() = default;
    enum class Verdict : std::uint8_t { fits, violates, unknownTool, unchecked };
    /// `arguments` is the text that the model wrote, known to be JSON. Thread safe.
    [[nodiscard]] virtual Verdict check(std::string_view tool, std::string_view arguments) const = 0;
};

/// The tool calls of one answer as observed on its way. Holds no arguments.
struct ToolOutcome {
    std::uint32_t called = 0;
    std::uint32_t validJson = 0;    ///< whose arguments are one JSON value
    std::uint32_t fitSchema = 0;    ///< of those, that the offered schema accepts
    std::uint32_t unchecked = 0;    ///< of those, whose tool has no schema, or one that cannot be read
    bool operator==(const ToolOutcome&) const = default;
};

/// What goes upstream: the client's body after the gateway's closed list of splices (contract D).
struct UpstreamRequest {
    std::string path;  ///< `/chat/completions`, appended to the provider's base URL
    std::string body;
    std::string model;  ///< upstream's name, for labels and the simulated adapter
    bool stream = false;
    std::vector<Header> headers;  ///< to send besides the provider's own
    DecisionId decisionId;
    std::uint64_t inputTokens = 0;  ///< estimate, for the simulated adapter
    /// Of `body`, and of the answer: an adapter whose upstream speaks the other one translates both ways.
    classify::Dialect dialect = classify::Dialect::openai;
    /// What the request offered, to judge calls by; null when it offered none.
    std::shared_ptr<const OfferedTools> tools;
    /// No wait of the call lasts longer, its answer's included: every limit of the provider is cut to it. A wait that it
    /// ends, and the provider's own limit would not have, fails with `kRequestBudget` (F44).
    std::optional<Steady> endsBy;
};

/// The code of a failure by which the whole request ran out of time, whatever it was waiting for.
inline constexpr std::string_view kRequestBudget = "request_budget";

/// Why an attempt did not deliver. `sent` false means that nothing reached the upstream (admission refusal).
struct UpstreamFailure {
    enum class Kind : std::uint8_t {
        refused,         ///< not admitted; nothing was sent
        connect,         ///< refused, unreachable, name not found, TLS
        timeout,         ///< `code` says which of the four limits fired
        status,          ///< an HTTP error status
        errorFrame,      ///< 200 and then an error as first SSE frame (F3)
        protocol,        ///< not HTTP, unusable encoding, malformed stream
        disconnected,    ///< closed before the end
        cancelled,       ///< our side gave up
        composition,     ///< a bug in composition: wrong pool, wrong model; never retried
    };
    Kind kind = Kind::connect;
    int status = 0;            ///< the upstream's true status; for errorFrame the code inside it when it names one
    std::string code;          ///< stable: `connect_refused`, `timeout_first_byte`, `status_429`, …
    std::string message;       ///< for a person, redacted, at most 2 KiB of upstream text
    std::string body;          ///< upstream's error body, redacted and cut, for relaying its own shape; may be empty
    std::optional<std::chrono::seconds> retryAfter;
    int headStatus = 0;        ///< of the answer's head when one came, also when it broke later; 0: none came
    /// The field of the request at fault, where it is refused for one: in words of `classify::fieldOf` or `smart::fieldOf`, or
    /// as a pointer into its body.
    std::string where{};
    /// As `ResponseHead::leftOut`: what the upstream was not told, whatever became of the call.
    std::string_view leftOut{};
    [[nodiscard]] bool sent() const { return kind != Kind::refused && kind != Kind::composition; }
    /// The request's time was over, which says nothing about the endpoint.
    [[nodiscard]] bool ranOutOfBudget() const { return code == kRequestBudget; }
};

struct Usage {
    std::optional<std::uint64_t> inputTokens, cachedTokens, outputTokens;
    bool operator==(const Usage&) const = default;
};

/// One piece of an answer.
/// Not streaming: one chunk of kind `body` that is the whole JSON. Streaming: one chunk per SSE event, `bytes` being
/// the event framed for an SSE client (ending in a blank line), whatever the split of the upstream's packets was.
struct Chunk {
    enum class Kind : std::uint8_t {
        body,
        metadata,  ///< role, ids, comments: does not commit a stream (F2)
        content,   ///< text, tool call or refusal: commits
        usage,     ///< a usage-only chunk: for the client only if it asked (F10)
        done,      ///< `[DONE]`
    };
    Kind kind = Kind::body;
    std::string bytes;
};

struct ResponseHead {
    int status = 200;
    std::string contentType;
    bool simulated = false;
    /// Of the request, what the upstream was not told although the answer may differ for it: a field's name. A literal; mostly empty.
    std::string_view leftOut{};
};

/// An answer being read. Pulling gives back-pressure; destroying it before the end cancels the call down to the socket.
class ResponseStream {
public:
    virtual ~ResponseStream() = default;
    [[nodiscard]] virtual const ResponseHead& head() const = 0;
    /// The next chunk, nullopt after the last. After a failure nothing follows.
    [[nodiscard]] virtual asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() = 0;
    /// What the upstream counted so far, and tool calls seen.
    [[nodiscard]] virtual Usage usage() const = 0;
    [[nodiscard]] virtual std::uint32_t toolCalls() const = 0;
    /// The same calls, judged.
    [[nodiscard]] virtual ToolOutcome toolOutcome() const { return {toolCalls()}; }
};

/// One upstream endpoint's protocol and connection. Owned by the engine that built it and kept alive by bindings;
/// `call` may run on any I/O thread, each call staying on its own. Does no accounting.
class Adapter {
public:
    virtual ~Adapter() = default;
    [[nodiscard]] virtual std::string_view providerId() const = 0;
    /// Sends and reads the head. For a stream that means: up to and including its first frame, so that an error in
    /// it is a failure here and not a committed stream (F3). Only 2xx succeed.
    [[nodiscard]] virtual asio::awaitable<tl::expected<std::unique_ptr<ResponseStream>, UpstreamFailure>>
    call(UpstreamRequest request) = 0;
};

}  // namespace signalbox::dispatch
