// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace signalbox::engine {

/// Where the admin API of a gateway elsewhere is, and who asks.
struct AdminAccess {
    std::string url;        ///< `https://gateway.example:38082`; `/v1` or `/admin` behind it is taken off
    std::string token;      ///< in no message
    std::string tokenFrom;  ///< how messages speak of the token: "$SIGNALBOX_ADMIN_TOKEN", "the keyring"
    std::string caFile;     ///< PEM with the certificates to trust; empty: the system's
    std::string actor;      ///< `ada@ops-1`, sent as X-Signalbox-Actor; empty names nobody
    std::chrono::milliseconds patience{5'000};  ///< for connecting, and again for the answer
};

/// Checks the address alone: it is one, and no login stands in it, not even by the code of its @.
[[nodiscard]] Result<void> checkAddress(const std::string& url);
/// Checks what can be checked without asking: address, CA file, characters of token and actor.
[[nodiscard]] Result<void> checkAccess(const AdminAccess& access);

/// Whether an error of `AdminHttp` says that the gateway is of a version that does not know the call.
[[nodiscard]] bool isUnknownCall(const Error& error);

/// Calls to one admin API over HTTP or HTTPS, one at a time, over a connection that is used again.
/// Blocks, at most for the time limits: from a worker. Thread safe.
///
/// Errors: `unavailable` (no answer, not verified, not a gateway, another version), `denied` (the token), and what
/// the gateway itself said: `badInput`, `notFound`, `conflict`, `unavailable`.
class AdminHttp {
public:
    explicit AdminHttp(AdminAccess access);
    ~AdminHttp();
    AdminHttp(const AdminHttp&) = delete;
    AdminHttp& operator=(const AdminHttp&) = delete;

    /// The body of the answer. `path` begins with `/admin/`.
    [[nodiscard]] Result<std::string> get(const std::string& path);
    [[nodiscard]] Result<std::string> post(const std::string& path, const std::string& json);

    /// What a live stream tells; both on the caller's thread.
    struct StreamListener {
        std::function<void()> opened;
        std::function<bool(std::string_view bytes)> bytes;  ///< split anywhere; false ends the reading
    };
    /// Reads a stream until it ends, breaks or is called off; gives why. Silence for `idle` is a break.
    [[nodiscard]] Error stream(const std::string& path, std::chrono::milliseconds idle, const StreamListener& listener);

    /// Breaks off what is under way, down to the socket, and every later call; from any thread.
    void cancel();

    [[nodiscard]] const AdminAccess& access() const { return m_access; }

private:
    struct Loop;
    struct Reading;
    [[nodiscard]] Result<void> run(Reading& reading);

    const AdminAccess m_access;
    const std::unique_ptr<Loop> m_loop;
};

}  // namespace signalbox::engine
