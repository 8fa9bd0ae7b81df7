// SPDX-License-Identifier: MIT
#include "router/engine/admin_client.h"

#include "router/gateway/admin_paths.h"
#include "router/upstream/base_url.h"

namespace signalbox::engine {
namespace {

namespace paths = gateway::admin;

/// The gateway sends a heartbeat after ten seconds without a decision: two missed ones are a broken line.
constexpr std::chrono::seconds kSilence{25};
constexpr std::size_t kMaxLineBytes = std::size_t{256} << 10;

/// Puts a stream's pieces together to lines.
class Lines {
public:
    /// False once a line is over the limit.
    template <class Take>
    bool feed(std::string_view bytes, const Take& take) {
        m_rest.append(bytes);
        std::size_t from = 0;
        for (std::size_t end; (end = m_rest.find('\n', from)) != std::string::npos; from = end + 1)
            if (end > from) take(std::string_view(m_rest).substr(from, end - from));
        m_rest.erase(0, from);
        return m_rest.size() <= kMaxLineBytes;
    }

private:
    std::string m_rest;
};

}  // namespace

template <class T>
Result<T> AdminClient::understood(Result<T> decoded) const {
    if (decoded) return decoded;
    // Without a place in the document it is none of ours at all.
    if (decoded.error().where.empty()) return fail(ErrorKind::unavailable, "what answers there is no Signalbox gateway", access().url, "Look at the address.");
    return fail(ErrorKind::unavailable, "the gateway's answer cannot be understood: it is of another version", access().url,
                "Use the console or signalboxctl of its own version. The first value that did not fit: " + decoded.error().where);
}

Result<TargetStatus> AdminClient::statusIn(Result<std::string> answer, Names names) const {
    if (!answer) return tl::unexpected(answer.error());
    const SystemClock clock;
    auto status = understood(wire::decodeStatus(*answer, clock.steady()));
    if (!status) return status;
    status->remote = true;
    status->heardAt = clock.now();
    // What it listens on is seen from its own machine; from here it is where it was reached.
    if (names == Names::whereItListens) return status;
    if (const auto url = upstream::parseBaseUrl(access().url)) {
        status->address = url->origin.hostHeader();
        status->baseUrl = url->origin.text() + (url->path.empty() || url->path == "/admin" ? "/v1" : url->path);
    }
    return status;
}

Result<TargetStatus> AdminClient::status(Names names) { return statusIn(m_http.get(std::string(paths::kStatus)), names); }

Result<std::vector<EndpointHealth>> AdminClient::endpoints() {
    const auto body = m_http.get(std::string(paths::kEndpoints));
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodeEndpoints(*body, SystemClock().steady()));
}

Result<std::vector<dispatch::PoolView>> AdminClient::pools() {
    const auto body = m_http.get(std::string(paths::kPools));
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodePools(*body));
}

Result<std::vector<ResourceView>> AdminClient::resources() {
    const auto body = m_http.get(std::string(paths::kResources));
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodeResources(*body));
}

Result<std::vector<PrincipalUse>> AdminClient::principals() {
    const auto body = m_http.get(std::string(paths::kPrincipals));
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodePrincipals(*body));
}

Result<std::vector<RefusalCount>> AdminClient::refusals() {
    const auto body = m_http.get(std::string(paths::kRefusals));
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodeRefusals(*body));
}

Result<RequestsUnderWay> AdminClient::requests() {
    const auto body = m_http.get(std::string(paths::kRequests));
    if (!body && isUnknownCall(body.error())) return RequestsUnderWay{{}, 0, RequestsUnderWay::Told::never};
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodeRequests(*body, SystemClock().steady()));
}

Result<std::string> AdminClient::routerStatusJson() { return m_http.get(std::string(paths::kRouterStatus)); }

Result<dispatch::PoolForecast> AdminClient::forecast(const std::string& poolId, const dispatch::PoolQuestion& question) {
    const auto body = m_http.post(std::string(paths::kForecast), wire::encodeForecastRequest({poolId, question}));
    if (!body) return tl::unexpected(body.error());
    return understood(wire::decodeForecast(*body));
}

Result<TargetStatus> AdminClient::order(std::string_view path, const std::string& json) { return statusIn(m_http.post(std::string(path), json)); }

Result<TargetStatus> AdminClient::off(bool on) { return order(paths::kOff, wire::encodeOff(on)); }

Result<TargetStatus> AdminClient::setMode(config::RoutingMode mode, std::optional<std::uint8_t> percent) {
    return order(paths::kMode, wire::encodeMode({mode, percent}));
}

Result<TargetStatus> AdminClient::act(const std::string& endpointId, EndpointAction action) {
    switch (action) {
    case EndpointAction::drain: return order(paths::kDrain, wire::encodeEndpoint(endpointId));
    case EndpointAction::undrain: return order(paths::kUndrain, wire::encodeEndpoint(endpointId));
    case EndpointAction::trip:
    case EndpointAction::reset: break;
    }
    return order(paths::kCircuit, wire::encodeCircuit({endpointId, action}));
}

Result<TargetStatus> AdminClient::apply(const wire::ApplyRequest& release, Names names) {
    return statusIn(m_http.post(std::string(paths::kApply), wire::encodeApply(release)), names);
}

Result<TargetStatus> AdminClient::note(const std::string& words) { return order(paths::kEvents, wire::encodeNote(words)); }

Error AdminClient::follow(const LiveListener& listener) {
    Lines lines;
    std::string end;
    bool fits = true;  // else what answers is none of ours, or broken: a later stream may be better
    const auto take = [&](std::string_view line) {
        auto said = wire::decodeLine(line);
        if (!said) return;  // of a later version: what it tells is not ours to guess
        if (said->decision) listener.decided(std::move(*said->decision));
        if (said->skipped > 0) listener.skipped(said->skipped);
        if (!said->end.empty()) end = said->end;
    };
    const AdminHttp::StreamListener bytes{listener.opened, [&](std::string_view piece) {
                                                fits = lines.feed(piece, take);
                                                return fits;
                                            }};
    Error why = m_http.stream(std::string(paths::kDecisions), kSilence, bytes);
    if (!fits)
        return {ErrorKind::unavailable, "the gateway sent a line of more than 256 KiB", access().url,
                "Use the console or signalboxctl of its own version."};
    if (!end.empty()) why.message = "the gateway ended the stream: " + end;
    return why;
}

}  // namespace signalbox::engine
