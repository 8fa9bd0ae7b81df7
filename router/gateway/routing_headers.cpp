// SPDX-License-Identifier: MIT
#include "router/gateway/routing_headers.h"

#include "router/policy/smart/request_headers.h"

namespace signalbox::gateway {

namespace {

namespace smart = policy::smart;

EdgeError invalidHeader(const Error& error, const char* code, std::string_view header) {
    EdgeError out = toEdgeError(error);
    out.code = code;
    out.param = header;
    return out;
}

std::optional<EdgeError> differing(const TwoNameHeader& header, std::string_view what) {
    if (!header.differs)
        return std::nullopt;
    return edgeError(400, "conflicting_headers",
                     "The " + std::string(what) + " came twice, under X-ModelPort-… or X-Signalbox-…, with " +
                         "different values. Send one of them.",
                     std::string(header.name));
}

tl::expected<std::optional<policy::Pin>, EdgeError> readPin(const HttpRequest& request, const Caller& caller) {
    if (!request.pin)
        return std::nullopt;
    if (!caller.mayPin) {
        return tl::unexpected(
            edgeError(403, "pin_not_allowed",
                      "Principal " + caller.id +
                          " may not pin. Leave X-Signalbox-Pin out, or set may_pin for this principal in "
                          "gateway.toml."));
    }
    auto pin = policy::parsePin(*request.pin);
    if (!pin)
        return tl::unexpected(invalidHeader(pin.error(), "invalid_pin", "X-Signalbox-Pin"));
    return std::move(*pin);
}

} // namespace

tl::expected<RoutingWishes, EdgeError> readWishes(const HttpRequest& request, const Caller& caller) {
    RoutingWishes wishes;
    auto pin = readPin(request, caller);
    if (!pin)
        return tl::unexpected(std::move(pin.error()));
    wishes.pin = std::move(*pin);
    if (auto conflict = differing(request.sessionId, "session id"))
        return tl::unexpected(std::move(*conflict));
    if (auto conflict = differing(request.routingProfile, "routing profile"))
        return tl::unexpected(std::move(*conflict));
    const auto session = smart::parseSessionHeader(request.sessionId.value);
    if (!session) {
        const std::string_view name = request.sessionId.name;
        return tl::unexpected(invalidHeader(smart::toError(session.error(), name), "invalid_session_id", name));
    }
    const auto profile = smart::parseProfileHeader(request.routingProfile.value);
    if (!profile) {
        const std::string_view name = request.routingProfile.name;
        return tl::unexpected(
            invalidHeader(smart::toError(profile.error(), name), "invalid_routing_profile", name));
    }
    wishes.session = *session;
    wishes.profile = *profile;
    return wishes;
}

} // namespace signalbox::gateway
