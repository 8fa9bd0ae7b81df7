// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/admin_http.h"
#include "router/engine/admin_wire.h"

namespace signalbox::engine {

/// The admin API of a gateway elsewhere, call by call, in the types of the facade. Every call blocks, at most for the
/// time limits of its access. Thread safe, one call at a time. Errors as in `AdminHttp`, and `unavailable` where the
/// answer cannot be understood: another program, or a version that speaks otherwise.
class AdminClient {
public:
    explicit AdminClient(AdminAccess access) : m_http(std::move(access)) {}

    /// Which address a status names: where the gateway was reached from here, or where it says itself that it listens, which
    /// alone tells of a move.
    enum class Names : std::uint8_t { whereReached, whereItListens };
    /// As heard now.
    [[nodiscard]] Result<TargetStatus> status(Names names = Names::whereReached);
    [[nodiscard]] Result<std::vector<EndpointHealth>> endpoints();
    [[nodiscard]] Result<std::vector<dispatch::PoolView>> pools();
    [[nodiscard]] Result<std::vector<ResourceView>> resources();
    [[nodiscard]] Result<std::vector<PrincipalUse>> principals();
    [[nodiscard]] Result<std::vector<RefusalCount>> refusals();
    /// `never` where the gateway is of a version that does not know the call.
    [[nodiscard]] Result<RequestsUnderWay> requests();
    /// The document of `GET /admin/router/status`.
    [[nodiscard]] Result<std::string> routerStatusJson();
    [[nodiscard]] Result<dispatch::PoolForecast> forecast(const std::string& poolId, const dispatch::PoolQuestion& question);

    // Actions. Each gives the status after it.
    [[nodiscard]] Result<TargetStatus> off(bool on);
    [[nodiscard]] Result<TargetStatus> setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent);
    [[nodiscard]] Result<TargetStatus> act(const std::string& endpointId, EndpointAction action);
    [[nodiscard]] Result<TargetStatus> apply(const wire::ApplyRequest& release, Names names = Names::whereReached);
    [[nodiscard]] Result<TargetStatus> note(const std::string& words);

    struct LiveListener {
        std::function<void()> opened;
        std::function<void(evidence::DecisionRecord record)> decided;
        std::function<void(std::uint64_t count)> skipped;  ///< that came faster than they could be sent
    };
    /// Decisions as they happen, on the caller's thread, until the stream ends, breaks or is called off; gives why.
    [[nodiscard]] Error follow(const LiveListener& listener);

    /// Breaks off what is under way and every later call; from any thread.
    void cancel() { m_http.cancel(); }
    [[nodiscard]] const AdminAccess& access() const { return m_http.access(); }

private:
    [[nodiscard]] Result<TargetStatus> statusIn(Result<std::string> answer, Names names = Names::whereReached) const;
    template <class T>
    [[nodiscard]] Result<T> understood(Result<T> decoded) const;
    [[nodiscard]] Result<TargetStatus> order(std::string_view path, const std::string& json);

    AdminHttp m_http;
};

}  // namespace signalbox::engine
