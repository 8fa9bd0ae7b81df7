// SPDX-License-Identifier: MIT
#include "tests/router/strategy/routewise_fixture.h"

#include "router/dispatch/given_up.h"
#include "router/strategy/parameter_reader.h"

namespace signalbox::test {

namespace asio = dispatch::asio;
using dispatch::Chunk;

UpstreamFailure upstreamStatus(int code) {
    UpstreamFailure out;
    out.kind = UpstreamFailure::Kind::status;
    out.status = code;
    out.code = "status_" + std::to_string(code);
    return out;
}

namespace {

/// One more of something, until it is destroyed, however that comes about.
class Counted {
public:
    explicit Counted(int& count) : m_count(&count) { ++count; }
    Counted(Counted&& other) noexcept : m_count(std::exchange(other.m_count, nullptr)) {}
    Counted& operator=(Counted&&) = delete;
    ~Counted() {
        if (m_count != nullptr) --*m_count;
    }

private:
    int* m_count;
};

UpstreamFailure outOfBudget() {
    UpstreamFailure out;
    out.kind = UpstreamFailure::Kind::timeout;
    out.code = dispatch::kRequestBudget;
    out.message = "p was not done when the request's time was over";
    return out;
}

UpstreamFailure gaveUpConnecting() {
    UpstreamFailure out;
    out.kind = UpstreamFailure::Kind::cancelled;
    out.code = dispatch::kGivenUpConnecting;
    return out;
}

class TimedStream final : public dispatch::ResponseStream {
public:
    TimedStream(Reply reply, Steady due, const dispatch::UpstreamRequest& request, VirtualTime& time, std::size_t& whole,
                Counted counted)
        : m_reply(std::move(reply)), m_due(due), m_endsBy(request.endsBy.value_or(Steady::max())), m_streams(request.stream),
          m_time(time), m_whole(whole), m_counted(std::move(counted)) {}
    const dispatch::ResponseHead& head() const override { return m_head; }
    asio::awaitable<tl::expected<std::optional<Chunk>, UpstreamFailure>> next() override {
        const int at = m_at++;
        if (at == 0 && m_streams) co_return Chunk{Chunk::Kind::metadata, "m"};
        const Steady due = at <= 1 ? m_due : at == 2 ? m_due + m_reply.rest : Steady::min();
        co_await m_time.until(std::min(due, m_endsBy));
        if (m_endsBy < due) co_return tl::unexpected(outOfBudget());
        if (at <= 1 && m_reply.failure) co_return tl::unexpected(*m_reply.failure);
        if (!m_streams && at == 0) co_return ended(Chunk{Chunk::Kind::body, "b"});
        if (m_streams && at == 1) co_return Chunk{Chunk::Kind::content, "c"};
        if (m_streams && at == 2) co_return ended(Chunk{Chunk::Kind::done, "d"});
        co_return std::optional<Chunk>();
    }
    dispatch::Usage usage() const override { return m_usage; }
    std::uint32_t toolCalls() const override { return 0; }

private:
    Chunk ended(Chunk last) {
        ++m_whole;
        m_usage.inputTokens = 1000;
        m_usage.outputTokens = m_reply.outputTokens;
        return last;
    }

    Reply m_reply;
    Steady m_due, m_endsBy;
    bool m_streams;
    VirtualTime& m_time;
    std::size_t& m_whole;
    Counted m_counted;
    int m_at = 0;
    dispatch::Usage m_usage;
    dispatch::ResponseHead m_head;
};

}  // namespace

asio::awaitable<tl::expected<std::unique_ptr<dispatch::ResponseStream>, UpstreamFailure>>
TimedEndpoint::call(dispatch::UpstreamRequest request) {
    Counted counted(alive);
    last = request;
    Reply with = reply(calls++);
    const Steady due = m_clock.steady() + with.after;
    const Steady endsBy = request.endsBy.value_or(Steady::max());
    if (with.connecting) {
        const bool gaveUp = co_await connect(due);
        if (gaveUp) co_return tl::unexpected(gaveUpConnecting());
    }
    if (with.inCall) co_await m_time.until(std::min(due, endsBy));
    if (with.inCall && endsBy < due) co_return tl::unexpected(outOfBudget());
    if (with.inCall && with.failure) co_return tl::unexpected(*with.failure);
    co_return std::make_unique<TimedStream>(std::move(with), due, request, m_time, whole, std::move(counted));
}

asio::awaitable<bool> TimedEndpoint::connect(Steady due) {
    bool gaveUp = false;
    try {
        co_await m_time.until(due);
    } catch (const boost::system::system_error&) {
        gaveUp = true;
    }
    co_return gaveUp;
}

RouteWiseFixture::RouteWiseFixture(std::size_t count) {
    config::Model model;
    model.id = "m";
    model.router = config::RouterKind::routewise;
    for (std::size_t i = 0; i < count; ++i) {
        config::Provider provider;
        provider.id = "p" + std::to_string(i);
        config.providers.push_back(provider);
        config::Route route;
        route.provider = provider.id;
        route.model = "m";
        model.routes.push_back(route);
        endpoints.push_back(std::make_shared<TimedEndpoint>(provider.id, clock, time));
    }
    config.models.push_back(std::move(model));
}

void RouteWiseFixture::priced(std::size_t endpoint, double in, double out) {
    config::Pricing pricing;
    pricing.inputPerMillion = in;
    pricing.outputPerMillion = out;
    config.providers[endpoint].pricing = pricing;
}

void RouteWiseFixture::billed(std::size_t endpoint, config::Billing billing, std::uint64_t limit) {
    config::Resource resource;
    resource.name = "r" + std::to_string(endpoint);
    resource.kind = billing == config::Billing::quota ? config::Resource::Kind::quota : config::Resource::Kind::concurrency;
    resource.limit = limit;
    if (billing == config::Billing::quota) resource.window = 600s;
    config.models[0].routes[endpoint].billing = billing;
    config.models[0].routes[endpoint].resources = {resource.name};
    config.resources.push_back(std::move(resource));
}

strategy::AdapterMap RouteWiseFixture::adapters() const {
    strategy::AdapterMap out;
    for (const auto& endpoint : endpoints) out.emplace(endpoint->providerId(), endpoint);
    return out;
}

void RouteWiseFixture::build() {
    auto runtime = process->runtimes.configure("v", {});
    auto book = std::make_shared<const capacity::EndpointBook>(std::vector<policy::smart::Group>{},
                                                               capacity::EndpointBook::Known{}, process, runtime);
    auto capacity = std::make_shared<const capacity::CapacityBook>(config, process->resources, clock.steady());
    auto members = std::make_shared<const strategy::MemberSource>(adapters(), strategy::NotCallable{}, book, capacity);
    const strategy::RouterContext builtFrom{config, members, process, clock};
    const strategy::PoolSpec spec{config.models[0], "models.m.router_params"};
    const OrderedJson json = strategy::parametersOf(config.models[0].parametersJson);
    const auto read = strategy::routewise::readParameters(json, spec.parametersPath);
    auto built = std::make_shared<const strategy::routewise::Pool>(spec, read.value(), builtFrom);
    // The test owns the time; the router only borrows it.
    router = std::make_shared<strategy::routewise::RouteWiseRouter>(
        std::move(built), std::shared_ptr<strategy::Waiter>(std::shared_ptr<void>(), &time));
}

dispatch::RequestRun RouteWiseFixture::run() {
    dispatch::RequestRun out;
    out.makeRequest = [this](const policy::RouteTarget& target) {
        dispatch::UpstreamRequest request;
        request.model = target.model;
        request.stream = streams;
        return request;
    };
    out.attempts = &attempts;
    out.whyNoFallback = &whyNoFallback;
    out.pool = &pool;
    out.admittedAt = clock.steady();
    out.promptTokens = 1000;
    if (random) out.random = &*random;
    out.blame = std::make_shared<capacity::RequestBlame>();
    if (adjust) adjust(out);
    return out;
}

dispatch::PoolCall RouteWiseFixture::delegated(std::string preferred) const {
    return {dispatch::DelegatePool{"m", std::move(preferred)}, {}, {}, true};
}

dispatch::PoolCall RouteWiseFixture::exactly(std::size_t endpoint, std::shared_ptr<dispatch::Adapter> adapter) const {
    if (!adapter) adapter = endpoints[endpoint];
    auto binding = dispatch::EndpointBinding::make("p" + std::to_string(endpoint) + ":m", "m", std::move(adapter), "m");
    dispatch::PoolCall out{dispatch::ExecuteEndpoint{std::move(binding.value())}, {}, {}, true};
    return out;
}

asio::awaitable<Served> RouteWiseFixture::toEnd(dispatch::PoolCall call) {
    Served out;
    const dispatch::RequestRun request = run();
    auto answer = co_await router->route(std::move(call), request);
    if (!answer) {
        out.failure = std::move(answer.error());
        co_return out;
    }
    out.endpoint = (*answer)->endpointId();
    while (true) {
        auto chunk = co_await (*answer)->next();
        if (!chunk) out.failure = std::move(chunk.error());
        if (!chunk || !*chunk) break;
        out.bytes += (*chunk)->bytes;
    }
    co_return out;
}

Served RouteWiseFixture::serve(dispatch::PoolCall call) {
    attempts.clear();
    whyNoFallback.clear();
    pool.reset();
    return time.run(*context, toEnd(std::move(call)));
}

void RouteWiseFixture::teach(std::size_t endpoint, std::size_t times, Reply with) {
    auto& reply = endpoints[endpoint]->reply;
    const auto before = std::exchange(reply, [with](std::size_t) { return with; });
    for (std::size_t i = 0; i < times; ++i) (void)serve(exactly(endpoint));
    reply = before;
}

std::string RouteWiseFixture::story() const {
    std::string out;
    for (const evidence::Attempt& attempt : attempts) {
        if (!out.empty()) out += "; ";
        out += attempt.endpointId.substr(0, attempt.endpointId.find(':')) + " " + std::string(toString(attempt.role)) + " " +
               std::string(toString(attempt.outcome)) + (attempt.reason.empty() ? "" : " " + attempt.reason);
    }
    return out;
}

capacity::CircuitView RouteWiseFixture::circuit(std::size_t endpoint) const {
    return process->circuits.of("p" + std::to_string(endpoint) + ":m")->view();
}

capacity::ResourceRegistry::Entry RouteWiseFixture::resource(std::size_t endpoint) const {
    for (const auto& entry : process->resources.all()) {
        const std::string& identity = std::visit([](const auto& one) -> const std::string& { return one->identity(); }, entry);
        if (identity.ends_with(":r" + std::to_string(endpoint))) return entry;
    }
    throw std::runtime_error("the endpoint has no resource of its own");
}

std::uint32_t RouteWiseFixture::slotsInUse(std::size_t endpoint) const {
    return std::get<std::shared_ptr<capacity::Slots>>(resource(endpoint))->inUse();
}

int RouteWiseFixture::alive() const {
    int out = 0;
    for (const auto& endpoint : endpoints) out += endpoint->alive;
    return out;
}

}  // namespace signalbox::test
