// SPDX-License-Identifier: MIT
#include "tests/router/gateway/pool_scene.h"

#include "router/strategy/parameter_reader.h"
#include "router/strategy/routewise/pool.h"

#include <cerrno>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace signalbox::test {

namespace {

std::string idAt(std::size_t endpoint) { return std::string(1, static_cast<char>('a' + endpoint)); }

/// Cheaper ones first, so that RouteWise, which spends nothing more than it must, draws `a`.
std::string providerText(std::size_t at, const EndpointSetup& setup, const std::string& baseUrl) {
    const std::string price = std::to_string(at + 1) + ".0";
    return "[providers." + idAt(at) + "]\nbase_url = \"" + baseUrl + "\"\nmodels = [\"m\"]\nconnect_timeout_ms = " +
           std::to_string(setup.connectMs) + "\nfirst_byte_timeout_ms = " + std::to_string(setup.firstByteMs) +
           "\nstream_idle_timeout_ms = " + std::to_string(setup.idleMs) + "\nrequest_timeout_ms = " +
           std::to_string(setup.totalMs) + "\n[providers." + idAt(at) + ".pricing]\ninput_per_million = " + price +
           "\noutput_per_million = " + price + "\n";
}

std::string routeText(std::size_t at, PoolKind kind) {
    const bool composed = kind == PoolKind::greedy || kind == PoolKind::hybrid;
    std::string out = "[[models.pool.route]]\nprovider = \"" + idAt(at) + "\"\nmodel = \"m\"\nresources = [\"slots-" + idAt(at) +
                      "\", \"day-" + idAt(at) + "\"]\n";
    if (composed) out += std::string("kind = \"") + (at == 0 ? "local" : "cloud") + "\"\n";
    if (kind == PoolKind::fixed || kind == PoolKind::hybrid) out += std::string("weight = ") + (at == 0 ? "1" : "0") + "\n";
    return out;
}

std::string modelText(const PoolSceneOptions& options) {
    const std::string hedged = "{ budget_alpha = 0, latency_hedge_mode = \"probability_target\", latency_slo_sec = " +
                               std::to_string(options.sloS) + " }";
    switch (options.kind) {
    case PoolKind::fixed: return "router = \"fixed\"\n";
    case PoolKind::hybrid: return "router = \"fixed\"\nrouter_params = { hybrid_composition = true }\n";
    case PoolKind::routewise: return "router = \"routewise\"\nrouter_params = { budget_alpha = 0 }\n";
    case PoolKind::hedging: return "router = \"routewise\"\nrouter_params = " + hedged + "\n";
    case PoolKind::greedy:
        return "router = \"greedy\"\nrouter_params = { prefill_tokens_per_s = 100000, decode_tokens_per_s = 1000, "
               "max_running_requests = 8, max_reserved_tokens = 20000, max_work_s = 100, ttft_deadline_s = 5, "
               "cloud = { budget_alpha = 0 } }\n";
    }
    return {};
}

std::string configText(const PoolSceneOptions& options, const std::vector<std::string>& urls) {
    std::string out;
    for (std::size_t i = 0; i < urls.size(); ++i) {
        out += "[resources.slots-" + idAt(i) + "]\nlimit = " + std::to_string(options.slots) + "\n";
        out += "[resources.day-" + idAt(i) + "]\nkind = \"quota\"\nlimit = " + std::to_string(PoolScene::kQuota) + "\nwindow_s = 86400\n";
        out += providerText(i, options.endpoints[i], urls[i]);
    }
    out += "[models.pool]\n" + modelText(options);
    for (std::size_t i = 0; i < urls.size(); ++i) out += routeText(i, options.kind);
    return out + options.more;
}

}  // namespace

std::string toString(PoolKind kind) {
    switch (kind) {
    case PoolKind::fixed: return "fixed";
    case PoolKind::routewise: return "routewise";
    case PoolKind::hedging: return "hedging";
    case PoolKind::greedy: return "greedy";
    case PoolKind::hybrid: return "hybrid";
    }
    return {};
}

DeadPort::DeadPort(Manner manner) : m_listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    bool usable = bind(m_listener, generic, size) == 0 && getsockname(m_listener, generic, &size) == 0;
    m_port = ntohs(address.sin_port);
    if (manner == Manner::hangs) {
        // Its queue is full and nobody accepts, so that further connects get no answer.
        usable = usable && listen(m_listener, 0) == 0;
        for (int i = 0; i < 4 && usable; ++i) {
            m_fillers.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
            usable = connect(m_fillers.back(), generic, size) == 0 || errno == EINPROGRESS;
        }
    }
    if (!usable) throw std::runtime_error("no dead port can be made");
}

DeadPort::~DeadPort() {
    for (const int filler : m_fillers) ::close(filler);
    ::close(m_listener);
}

PoolScene::PoolScene(PoolSceneOptions options) : m_kind(options.kind), m_slots(options.slots) {
    FixtureOptions fixture;
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < options.endpoints.size(); ++i) {
        m_upstreams.push_back(std::make_unique<ScriptedUpstream>());
        m_upstreams.back()->setResponder([](const ReceivedRequest& request) { return goodReply(wantsStream(request)); });
        std::string url = m_upstreams.back()->baseUrl();
        if (const auto dead = options.endpoints[i].dead) {
            m_dead.push_back(std::make_unique<DeadPort>(*dead));
            url = m_dead.back()->baseUrl();
        }
        fixture.upstreams[idAt(i)] = url;
        urls.push_back(url);
    }
    fixture.threads = options.threads;
    fixture.server = options.server;
    fixture.more = configText(options, urls);
    m_gateway = std::make_unique<GatewayFixture>(std::move(fixture));
}

std::uint32_t PoolScene::slotsInUse(std::size_t endpoint) const {
    return m_gateway->process().resources.slots("concurrency:slots-" + idAt(endpoint), static_cast<std::uint32_t>(m_slots)).value()->inUse();
}

std::uint32_t PoolScene::slotsInUse() const {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < size(); ++i) out += slotsInUse(i);
    return out;
}

std::uint64_t PoolScene::quotaUsed(std::size_t endpoint) const {
    capacity::QuotaOptions options;
    options.limit = static_cast<double>(kQuota);
    options.window = std::chrono::seconds(86'400);
    const Steady now = SystemClock().steady();
    const auto quota = m_gateway->process().resources.quota("quota:day-" + idAt(endpoint), options, now).value();
    return kQuota - quota->state(now)->remaining;
}

std::size_t PoolScene::profileSamples(std::size_t endpoint) const {
    return m_gateway->process().profiles.of(idOf(endpoint))->mean(SystemClock().steady()).samples;
}

capacity::CircuitView PoolScene::circuit(std::size_t endpoint) const { return m_gateway->process().circuits.of(idOf(endpoint))->view(); }

// The slots that a route names are the local server's identity for all pools.
std::int64_t PoolScene::takenOn() const {
    const Steady now = SystemClock().steady();
    std::int64_t out = 0;
    for (const std::string& server : {std::string("resource slots-a"), "endpoint " + idOf(0)})
        out += m_gateway->process().locals.of(server)->load(now).runningRequests;
    return out;
}

std::string PoolScene::whatIsHeld() const {
    std::string out;
    const auto say = [&](const std::string& what, std::uint64_t count) {
        if (count != 0) out += std::to_string(count) + " " + what + "; ";
    };
    for (std::size_t i = 0; i < size(); ++i) {
        say("slots of " + idOf(i), slotsInUse(i));
        say("permits of " + idOf(i), circuit(i).inFlight);
    }
    if (m_kind == PoolKind::greedy) say("requests in the local ledger", static_cast<std::uint64_t>(takenOn()));
    say("requests in flight", m_gateway->server().counters().inFlight);
    return out;
}

// RouteWise keeps the times of streams by itself: a pool over the same process and options learns into the same book.
void PoolScene::teach(std::size_t endpoint, std::chrono::milliseconds ttft, int times) const {
    const SystemClock clock;
    const auto serving = m_gateway->makeServing();
    const config::GatewayConfig& config = *serving->snapshot->config;
    const auto members = std::make_shared<const strategy::MemberSource>(strategy::AdapterMap{}, strategy::NotCallable{},
                                                                        serving->endpoints, serving->capacity);
    const std::shared_ptr<capacity::ProcessState> process(std::shared_ptr<void>(), &m_gateway->process());
    const config::Model& model = config.models.front();
    const auto parameters = strategy::routewise::readParameters(strategy::parametersOf(model.parametersJson), "taught");
    if (!parameters) throw std::runtime_error(parameters.error().front().text("pool"));
    const auto pool = std::make_shared<const strategy::routewise::Pool>(strategy::PoolSpec{model, "taught"}, *parameters,
                                                                        strategy::RouterContext{config, members, process, clock});
    for (const auto& profile : pool->probeTerms(endpoint).profiles)
        for (int i = 0; i < times; ++i) profile->addFirstContent(clock.steady(), ttft);
}

Reply heldReply(bool stream) {
    Reply out = Reply::nothing().awaitRelease();
    const Reply good = goodReply(stream);
    for (const Reply::Step& step : good.steps()) out.bytes(step.bytes);
    return out;
}

std::string poolBody(bool stream) {
    return std::string(R"({"model":"pool",)") + (stream ? R"("stream":true,)" : "") +
           R"("max_tokens":10,"messages":[{"role":"user","content":"hi"}]})";
}

std::string poolRequest(bool stream) { return requestText({"POST", "/v1/chat/completions", {kAuth}, poolBody(stream)}); }

std::string storyOf(const evidence::DecisionRecord& record) {
    std::string out;
    for (const evidence::Attempt& attempt : record.attempts) {
        if (!out.empty()) out += "; ";
        out += attempt.endpointId.substr(0, attempt.endpointId.find(':')) + " " + std::string(toString(attempt.role)) + " " +
               std::string(toString(attempt.outcome));
        if (!attempt.reason.empty()) out += " " + attempt.reason;
    }
    return out;
}

bool wantsStream(const ReceivedRequest& request) { return request.body.find("\"stream\":true") != std::string::npos; }

Reply goodReply(bool stream) {
    if (!stream) return Reply::json(frames::kWhole);
    Reply out = Reply::stream();
    for (const std::string& frame : {frames::kRole, frames::kText, frames::kFinish, frames::kUsage, frames::kDone}) out.event(frame);
    return out.end();
}

}  // namespace signalbox::test
