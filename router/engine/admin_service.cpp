// SPDX-License-Identifier: MIT
#include "router/engine/admin_service.h"

#include "router/base/text.h"
#include "router/engine/admin_wire.h"
#include "router/gateway/admin_paths.h"
#include "router/gateway/dry_run.h"
#include "router/upstream/failures.h"

#include <charconv>

namespace signalbox::engine {

namespace {

namespace served = gateway::admin;
using gateway::AdminCall;
using gateway::AdminResult;
using gateway::edgeError;
using gateway::EdgeError;

constexpr std::size_t kMostWaitingJobs = 64;
constexpr int kMostQuestions = 8;
constexpr std::size_t kMostEvents = 1000, kUsualEvents = 100;
constexpr std::chrono::seconds kRetryBusyAdmin{1};

Actor actorOf(const AdminCall& call) {
    Actor actor;
    if (!call.actor.empty())
        actor.name += ":" + upstream::redacted(call.actor, {}); // it is kept
    actor.from = call.peer.empty() ? "an address that has gone" : call.peer;
    return actor;
}

/// `/admin/off` is the action `off`; a note is posted to the events.
std::string actionNamed(std::string_view path) {
    return path == served::kEvents ? "note" : std::string(path.substr(std::min(path.size(), served::kPrefix.size())));
}

gateway::AdminEntry entryOf(const AdminCall& call, Timestamp now) {
    gateway::AdminEntry entry;
    entry.at = now;
    entry.action = actionNamed(call.path);
    entry.actor = actorOf(call).name;
    entry.peer = call.peer;
    return entry;
}

/// What went wrong, as HTTP says it. A place inside of the order is its parameter.
EdgeError adminError(const Error& error) {
    int status = 500;
    const char* code = "internal_error";
    switch (error.kind) {
    case ErrorKind::badInput:
        status = 400, code = "invalid_request";
        break;
    case ErrorKind::notFound:
        status = 404, code = "not_found";
        break;
    case ErrorKind::conflict:
        status = 409, code = "conflict";
        break;
    case ErrorKind::denied:
        status = 403, code = "not_verified";
        break;
    case ErrorKind::unavailable:
    case ErrorKind::cancelled:
        status = 503, code = "unavailable";
        break;
    case ErrorKind::internal:
        break;
    }
    EdgeError out = edgeError(status, code, error.text());
    if (error.where.starts_with('/'))
        out.param = error.where;
    return out;
}

tl::unexpected<EdgeError> adminFailure(const Error& error) {
    return tl::unexpected(adminError(error));
}

EdgeError busyAdmin() {
    EdgeError error = edgeError(429, "admin_busy", "Too many admin calls wait already. Try again shortly.");
    error.retryAfter = kRetryBusyAdmin;
    return error;
}

/// The value of `name` in a query; no value of ours needs an escape but a comma or colon, which some clients write.
std::optional<std::string> queryValue(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        if (!pair.starts_with(name) || pair.size() <= name.size() || pair[name.size()] != '=')
            continue;
        std::string value(pair.substr(name.size() + 1));
        for (const auto& [escape, plain] : {std::pair("%2C", ","), {"%2c", ","}, {"%3A", ":"}, {"%3a", ":"}})
            for (std::size_t at = value.find(escape); at != std::string::npos; at = value.find(escape))
                value.replace(at, 3, plain);
        return value;
    }
    return std::nullopt;
}

tl::expected<std::size_t, EdgeError> limitOf(std::string_view query) {
    const auto text = queryValue(query, "limit");
    if (!text)
        return kUsualEvents;
    std::size_t limit = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), limit);
    if (error == std::errc() && end == text->data() + text->size() && limit >= 1 && limit <= kMostEvents)
        return limit;
    return tl::unexpected(edgeError(400, "invalid_request", "\"limit\" is not a number from 1 to 1000. Send one, or leave it out.", "limit"));
}

/// One of at most so many while it lives.
class Counted {
public:
    explicit Counted(std::shared_ptr<std::atomic<int>> count) : m_count(std::move(count)), m_number(++*m_count) {}
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --*m_count; }
    /// Null where there are that many already. Counted first and judged then: several may come at once.
    static std::shared_ptr<const Counted> oneOf(std::shared_ptr<std::atomic<int>> count, int most) {
        auto one = std::make_shared<const Counted>(std::move(count));
        return one->m_number <= most ? one : nullptr;
    }

private:
    std::shared_ptr<std::atomic<int>> m_count;
    int m_number;
};

class SentLines final : public gateway::DecisionLines {
public:
    SentLines(std::unique_ptr<DecisionFeed> feed, const Clock& clock, std::shared_ptr<const Counted> counted)
        : m_feed(std::move(feed)), m_clock(clock), m_counted(std::move(counted)) {}

    std::string take() override {
        const DecisionFeed::Batch batch = m_feed->take();
        std::string out;
        if (batch.skipped > 0)
            out += wire::skippedLine(batch.skipped);
        for (const auto& record : batch.records)
            out += wire::decisionLine(*record);
        const Steady now = m_clock.steady();
        // The first one goes out at once, so that the reader knows that it is connected.
        if (out.empty() && (!m_wroteAt || now - *m_wroteAt >= AdminService::kHeartbeat))
            out = wire::heartbeatLine(m_clock.now());
        if (!out.empty())
            m_wroteAt = now;
        return out;
    }
    std::string end(std::string_view reason) override { return wire::endLine(reason); }

private:
    std::unique_ptr<DecisionFeed> m_feed;
    const Clock& m_clock;
    std::shared_ptr<const Counted> m_counted;
    std::optional<Steady> m_wroteAt;
};

} // namespace

struct AdminService::Path {
    std::string_view path;
    bool isPost = false;
    AdminResult (AdminService::*view)(const AdminCall&) = nullptr;
    Result<Acted> (AdminService::*action)(const AdminCall&, std::string& subject) = nullptr; ///< null: a view
};

const AdminService::Path* AdminService::find(const AdminCall& call) {
    static constexpr std::array kPaths{
        Path{served::kStatus, false, &AdminService::status},
        Path{served::kPolicy, false, &AdminService::policy},
        Path{served::kEndpoints, false, &AdminService::endpoints},
        Path{served::kPools, false, &AdminService::pools},
        Path{served::kResources, false, &AdminService::resources},
        Path{served::kPrincipals, false, &AdminService::principals},
        Path{served::kRefusals, false, &AdminService::refusals},
        Path{served::kRequests, false, &AdminService::requests},
        Path{served::kDecide, true, &AdminService::decide},
        Path{served::kForecast, true, &AdminService::forecast},
        Path{served::kOff, true, nullptr, &AdminService::off},
        Path{served::kMode, true, nullptr, &AdminService::mode},
        Path{served::kDrain, true, nullptr, &AdminService::drain},
        Path{served::kUndrain, true, nullptr, &AdminService::undrain},
        Path{served::kCircuit, true, nullptr, &AdminService::circuit},
        Path{served::kApply, true, nullptr, &AdminService::apply},
        Path{served::kEvents, true, nullptr, &AdminService::note}};
    for (const Path& one : kPaths)
        if (one.path == call.path && one.isPost == call.isPost)
            return &one;
    return nullptr;
}

AdminService::AdminService(Target& target, AdminActions& actions, PolicyReader readPolicy, const Clock& clock,
                           std::shared_ptr<gateway::AdminFeed> log)
    : m_target(target), m_actions(actions), m_readPolicy(std::move(readPolicy)), m_clock(clock), m_log(std::move(log)),
      m_views(kMostWaitingJobs), m_orders(kMostWaitingJobs) {}

AdminService::~AdminService() {
    close();
}

void AdminService::close() {
    m_views.close();
    m_orders.close();
}

void AdminService::handle(AdminCall call, gateway::AdminDone done) {
    if (call.path == served::kEvents && !call.isPost)
        return askEvents(call, std::move(done));
    if (call.path == served::kDecisions)
        return done(std::string("{}")); // a head is asked for, without its stream
    const Path* path = find(call);
    if (path == nullptr)
        return done(tl::unexpected(edgeError(404, "unknown_path", "This gateway does not know the path. Use the same version on both sides.")));
    const auto shared = std::make_shared<std::pair<AdminCall, gateway::AdminDone>>(std::move(call), std::move(done));
    if (path->path == served::kStatus)
        tellLooked(shared->first, "status");
    const bool isAction = path->action != nullptr;
    const bool taken = (isAction ? m_orders : m_views).post([this, path, isAction, shared] {
        AdminResult result = isAction ? acted(*path, shared->first) : (this->*path->view)(shared->first);
        // Before the answer: whoever waits for it may be the last to hold the policy, on a thread of the gateway.
        shared->first.serving.reset();
        shared->second(std::move(result));
    });
    if (taken)
        return;
    const EdgeError busy = busyAdmin();
    if (isAction) {
        tellRefused(shared->first, {}, busy);
        refused(shared->first, busy);
    }
    shared->second(tl::unexpected(busy));
}

AdminResult AdminService::acted(const Path& path, const AdminCall& call) {
    std::string subject;
    const Result<Acted> done = (this->*path.action)(call, subject);
    if (done) {
        tellDone(call, std::move(subject), *done);
        return wire::encodeStatus(m_target.status(), m_clock.steady());
    }
    EdgeError error = adminError(done.error());
    tellRefused(call, std::move(subject), error);
    refused(call, error);
    return tl::unexpected(std::move(error));
}

tl::expected<std::unique_ptr<gateway::DecisionLines>, EdgeError> AdminService::follow(const AdminCall& call) {
    auto counted = Counted::oneOf(m_streams, static_cast<int>(kMostStreams));
    if (!counted) {
        EdgeError error = edgeError(429, "too_many_streams",
                                    "Already " + std::to_string(kMostStreams) + " readers follow the decisions. End one of them first.");
        error.retryAfter = kRetryBusyAdmin;
        return tl::unexpected(std::move(error));
    }
    tellLooked(call, "tail");
    return std::make_unique<SentLines>(m_target.subscribe(kStreamBuffer), m_clock, std::move(counted));
}

void AdminService::refused(const AdminCall& call, const EdgeError& error) noexcept {
    try {
        const Actor by = actorOf(call);
        m_actions.postRefused(call.path, call.path + " was refused to " + by.from + ": " + elided(error.message, 500), by);
    } catch (...) { // no memory: the answer goes out all the same
    }
}

// Of a gateway whose evidence is off the log is all there is.
void AdminService::tellDone(const AdminCall& call, std::string subject, Acted how) {
    if (!m_log)
        return;
    gateway::AdminEntry entry = entryOf(call, m_clock.now());
    entry.subject = std::move(subject);
    if (how == Acted::unchanged)
        entry.outcome = gateway::AdminEntry::Outcome::unchanged;
    entry.policyHash = m_target.status().runningHash;
    m_log->add(std::move(entry));
}

void AdminService::tellRefused(const AdminCall& call, std::string subject, const EdgeError& error) {
    if (!m_log)
        return;
    gateway::AdminEntry entry = entryOf(call, m_clock.now());
    entry.subject = std::move(subject);
    entry.outcome = gateway::AdminEntry::Outcome::refused;
    entry.status = error.status;
    entry.code = error.code;
    entry.message = error.message;
    m_log->add(std::move(entry));
}

void AdminService::tellLooked(const AdminCall& call, std::string_view view) {
    if (!m_log)
        return;
    gateway::AdminEntry entry = entryOf(call, m_clock.now());
    entry.action = view;
    entry.outcome = gateway::AdminEntry::Outcome::looked;
    m_log->addLook(std::move(entry), m_clock.steady());
}

AdminResult AdminService::status(const AdminCall&) {
    return wire::encodeStatus(m_target.status(), m_clock.steady());
}

AdminResult AdminService::policy(const AdminCall&) {
    const auto running = m_target.running();
    if (!running)
        return adminFailure({ErrorKind::conflict, "the gateway does not run", {}, "Start it first."});
    return running->canonicalJson;
}

AdminResult AdminService::endpoints(const AdminCall&) {
    return wire::encodeEndpoints(m_target.endpoints(), m_clock.steady());
}

AdminResult AdminService::pools(const AdminCall&) {
    return wire::encodePools(m_target.pools());
}

AdminResult AdminService::resources(const AdminCall&) {
    return wire::encodeResources(m_target.resources());
}

AdminResult AdminService::principals(const AdminCall&) {
    return wire::encodePrincipals(m_target.principals());
}

AdminResult AdminService::refusals(const AdminCall&) {
    return wire::encodeRefusals(m_target.refusals());
}

AdminResult AdminService::requests(const AdminCall&) {
    return wire::encodeRequests(m_target.requests(), m_clock.steady());
}

AdminResult AdminService::decide(const AdminCall& call) {
    return gateway::dryRun(*call.serving, call.body, m_clock);
}

AdminResult AdminService::forecast(const AdminCall& call) {
    const auto request = wire::decodeForecastRequest(call.body);
    if (!request)
        return adminFailure(request.error());
    const auto forecast = m_target.forecast(request->pool, request->question);
    if (!forecast)
        return adminFailure(forecast.error());
    return wire::encodeForecast(*forecast);
}

Result<Acted> AdminService::off(const AdminCall& call, std::string& subject) {
    const auto on = wire::decodeOff(call.body);
    if (!on)
        return tl::unexpected(on.error());
    subject = *on ? "on" : "off";
    return m_actions.off(*on, actorOf(call));
}

Result<Acted> AdminService::mode(const AdminCall& call, std::string& subject) {
    const auto request = wire::decodeMode(call.body);
    if (!request)
        return tl::unexpected(request.error());
    subject = config::toString(request->mode);
    if (request->percent)
        subject += " " + std::to_string(*request->percent) + " %";
    return m_actions.setMode(request->mode, request->percent, actorOf(call));
}

Result<Acted> AdminService::act(const Result<std::string>& endpoint, EndpointAction action, const AdminCall& call,
                                std::string& subject) {
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    subject = *endpoint;
    return m_actions.act(*endpoint, action, actorOf(call)).map([] { return Acted::done; });
}

Result<Acted> AdminService::drain(const AdminCall& call, std::string& subject) {
    return act(wire::decodeEndpoint(call.body), EndpointAction::drain, call, subject);
}

Result<Acted> AdminService::undrain(const AdminCall& call, std::string& subject) {
    return act(wire::decodeEndpoint(call.body), EndpointAction::undrain, call, subject);
}

Result<Acted> AdminService::circuit(const AdminCall& call, std::string& subject) {
    const auto request = wire::decodeCircuit(call.body);
    if (!request)
        return tl::unexpected(request.error());
    auto done = act(request->endpointId, request->action, call, subject);
    subject += request->action == EndpointAction::trip ? " opened" : " closed";
    return done;
}

Result<Acted> AdminService::apply(const AdminCall& call, std::string& subject) {
    const auto request = wire::decodeApply(call.body);
    if (!request)
        return tl::unexpected(request.error());
    auto policy = m_readPolicy(*request);
    if (!policy)
        return tl::unexpected(policy.error());
    if (policy->snapshot)
        subject = policy->snapshot->hash;
    return m_actions.apply(std::move(*policy), actorOf(call)).map([] { return Acted::done; });
}

Result<Acted> AdminService::note(const AdminCall& call, std::string&) {
    const auto words = wire::decodeNote(call.body);
    if (!words)
        return tl::unexpected(words.error());
    return m_actions.note(*words, actorOf(call)).map([] { return Acted::done; });
}

void AdminService::askEvents(const AdminCall& call, gateway::AdminDone done) {
    const auto limit = limitOf(call.query);
    if (!limit)
        return done(tl::unexpected(limit.error()));
    std::optional<evidence::EventKey> after;
    if (const auto before = queryValue(call.query, "before")) {
        after = wire::decodeKey(*before);
        if (!after)
            return done(tl::unexpected(edgeError(400, "invalid_request", "\"before\" is not the \"next\" of an earlier page. Send one as it came.", "before")));
    }
    auto counted = Counted::oneOf(m_questions, kMostQuestions);
    if (!counted)
        return done(tl::unexpected(busyAdmin()));
    const auto job = m_target.ask([limit = *limit, after, done = std::move(done), counted](evidence::HistoryReader& reader,
                                                                                          const evidence::CancelToken& cancel) {
        const auto page = reader.events({}, after, limit, cancel);
        if (!page)
            return done(adminFailure(page.error()));
        done(wire::encodeEvents(*page));
    });
}

} // namespace signalbox::engine
