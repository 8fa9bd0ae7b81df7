// SPDX-License-Identifier: MIT
#include "router/engine/probing.h"

#include "router/base/random.h"
#include "router/strategy/prober.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace signalbox::engine {

namespace asio = boost::asio;
using evidence::DecisionRecord;
using evidence::Outcome;

namespace {

/// How often pools are asked what is due.
constexpr std::chrono::seconds kTick{1};

using Probers = std::vector<std::shared_ptr<strategy::Prober>>;

Probers probersOf(const gateway::Serving& serving) {
    Probers out;
    if (!serving.pools) return out;
    for (const auto& [id, router] : *serving.pools)
        if (auto prober = std::dynamic_pointer_cast<strategy::Prober>(router); prober && prober->wantsProbes())
            out.push_back(std::move(prober));
    return out;
}

}  // namespace

struct Probing::Thread {
    explicit Thread(const Clock& of) : clock(of), thread([this] { context.run(); }) {}

    // All below: on the thread, or before it began.
    void begin(std::shared_ptr<const gateway::Serving> next, Probers of, SinkFactory sinks) {
        serving = std::move(next);
        probers = std::move(of);
        makeSink = std::move(sinks);
        if (!makeSink) sink.reset();
        if (!probers.empty() && !std::exchange(ticks, true)) asio::co_spawn(context, tick(), asio::detached);
    }

    asio::awaitable<void> tick() {
        asio::steady_timer timer(context);
        while (!probers.empty()) {
            for (const auto& prober : probers)
                for (std::string& endpoint : prober->takeDueProbes(clock.steady()))
                    asio::co_spawn(context, probe(prober, serving, std::move(endpoint)), asio::detached);
            timer.expires_after(kTick);
            co_await timer.async_wait(asio::use_awaitable);
        }
        ticks = false;
    }

    asio::awaitable<void> probe(std::shared_ptr<strategy::Prober> prober, std::shared_ptr<const gateway::Serving> of,
                                std::string endpoint) {
        DecisionRecord record;
        record.createdAt = clock.now();
        record.id = DecisionId::make(record.createdAt, random);
        record.origin = evidence::Origin::probe;
        record.target = of->snapshot->config->evidence.target;
        record.environment = of->snapshot->config->evidence.environment;
        record.policyHash = of->snapshot->hash;
        record.requestedModel = prober->probedPool();
        dispatch::RequestRun run;
        run.attempts = &record.attempts;
        run.admittedAt = clock.steady();
        const std::optional<dispatch::UpstreamFailure> failure = co_await prober->probe(std::move(endpoint), run);
        finish(record, failure, run.admittedAt);
        keep(record);
    }

    void keep(const DecisionRecord& record) {
        if (!sink && makeSink)
            if (auto made = makeSink()) sink = std::move(*made);
        if (sink) sink->append(record);
    }

    void finish(DecisionRecord& record, const std::optional<dispatch::UpstreamFailure>& failure, Steady began) const {
        record.totalMs = std::chrono::duration<double, std::milli>(clock.steady() - began).count();
        if (!record.attempts.empty()) {
            const evidence::Attempt& attempt = record.attempts.back();
            record.firstContentMs = attempt.firstContentMs;
            record.inputTokens = attempt.inputTokens;
            record.outputTokens = attempt.outputTokens;
            record.costUsd = attempt.costUsd;
            if (!failure) record.endpointId = attempt.endpointId;
        }
        if (!failure) return;
        record.outcome = failure->sent() ? Outcome::failed : Outcome::refused;
        record.status = failure->status != 0 ? failure->status : failure->sent() ? 502 : 503;
        record.errorCode = failure->code;
    }

    const Clock& clock;
    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
    std::shared_ptr<const gateway::Serving> serving;
    Probers probers;
    SinkFactory makeSink;
    std::unique_ptr<evidence::RecordSink> sink;
    FastRandom random;
    bool ticks = false;
    std::thread thread;  // last: it uses the rest
};

Probing::Probing(const Clock& clock) : m_clock(clock) {}

Probing::~Probing() { stop(); }

void Probing::follow(std::shared_ptr<const gateway::Serving> serving, SinkFactory makeSink) {
    Probers probers = probersOf(*serving);
    if (probers.empty() && !m_thread) return;
    if (probers.empty()) serving.reset();
    if (!m_thread) m_thread = std::make_unique<Thread>(m_clock);
    asio::post(m_thread->context, [thread = m_thread.get(), serving = std::move(serving), probers = std::move(probers),
                                   makeSink = std::move(makeSink)]() mutable {
        thread->begin(std::move(serving), std::move(probers), std::move(makeSink));
    });
}

std::shared_ptr<void> Probing::stop() {
    if (m_thread) {
        m_thread->context.stop();
        m_thread->thread.join();
    }
    return std::shared_ptr<void>(std::move(m_thread));
}

}  // namespace signalbox::engine
