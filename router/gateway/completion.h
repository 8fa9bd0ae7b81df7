// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/admission.h"
#include "router/gateway/response_writer.h"

#include <string>

namespace signalbox::gateway {

/// One request, of either edge, that goes to a model: classified, decided, dispatched, answered, recorded.
struct CompletionRequest {
    const HttpRequest& head;
    const Caller& caller;
    std::string_view upstreamPath; ///< `/chat/completions`, …
    std::string body;
    InFlightLedger::Guard place; ///< among the requests in flight; left before the last bytes go to the client
    Steady arrived{};            ///< when its head was complete: its budget counts from here (F44)
    Edge edge = Edge::openai;    ///< whose client it is
};

/// Serves it on its connection. Throws only when cancelled, with everything recorded. After it returns the
/// connection may take the next request unless the writer says otherwise.
[[nodiscard]] asio::awaitable<void> serveCompletion(ThreadState& thread,
                                                    std::shared_ptr<const Serving> serving,
                                                    Connection& connection, ResponseWriter& writer,
                                                    CompletionRequest request);

} // namespace signalbox::gateway
