// SPDX-License-Identifier: MIT
#pragma once

#include "router/gateway/edge_error.h"

#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace signalbox::gateway {

struct Serving;

/// One call to `/admin/`, whose sender has shown the admin token.
struct AdminCall {
    std::string path;   ///< one of admin_paths.h
    bool isPost = false;
    std::string query;  ///< without its question mark
    std::string body;
    std::string actor;  ///< as they call themselves: visible ASCII, bounded, maybe empty
    std::string peer;   ///< their address
    std::shared_ptr<const Serving> serving;  ///< that answers requests as the call came
};

using AdminResult = tl::expected<std::string, EdgeError>;  ///< a JSON document
using AdminDone = std::function<void(AdminResult)>;

/// The lines of one live stream of decisions. For one thread; cheap, never waits.
class DecisionLines {
public:
    virtual ~DecisionLines() = default;
    /// What came since the last call, with a heartbeat when that was long ago; maybe empty.
    [[nodiscard]] virtual std::string take() = 0;
    /// The last line.
    [[nodiscard]] virtual std::string end(std::string_view reason) = 0;
};

/// Who answers the admin paths: the engine, above this folder. Everything here is called on I/O threads, and none of
/// it may block.
class AdminHandler {
public:
    virtual ~AdminHandler() = default;
    /// Calls `done` at most once, from any thread, at once or later; not at all when the gateway ends meanwhile.
    virtual void handle(AdminCall call, AdminDone done) = 0;
    /// Error: too many of them.
    [[nodiscard]] virtual tl::expected<std::unique_ptr<DecisionLines>, EdgeError> follow(const AdminCall& call) = 0;
    /// For the audit: this call was turned away before it came to `handle`. `call` has neither body nor policy.
    virtual void refused(const AdminCall& call, const EdgeError& error) noexcept = 0;
};

} // namespace signalbox::gateway
