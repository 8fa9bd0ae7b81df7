// SPDX-License-Identifier: MIT
#include "router/upstream/metrics_poller.h"

#include "router/base/json_document.h"
#include "router/upstream/engine_page.h"
#include "router/upstream/failures.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <nlohmann/json.hpp>

namespace signalbox::upstream {

namespace {

using dispatch::UpstreamFailure;

constexpr std::size_t kMaxVersionBytes = 4096;
constexpr std::size_t kMaxVersionText = 128;  // it is shown in a row
/// An engine may be replaced by another version without any counter falling.
constexpr std::chrono::seconds kVersionAge{60};

struct Answer {
    int status = 0;
    std::string body;  ///< of 200 only
};

/// One GET on a connection of its own.
asio::awaitable<tl::expected<Answer, UpstreamFailure>> get(std::shared_ptr<const Upstream> upstream, std::string head,
                                                           std::size_t limit) {
    auto exchange = co_await HttpExchange::start(std::move(upstream), std::move(head), std::string());
    if (!exchange) co_return tl::unexpected(std::move(exchange.error()));
    Answer answer;
    answer.status = (*exchange)->head().status;
    while (answer.status == 200) {
        auto more = co_await (*exchange)->read(answer.body, limit);
        if (!more) co_return tl::unexpected(std::move(more.error()));
        if (!*more) break;
    }
    co_return answer;
}

Error statusError(const MetricsPage& page, int status) {
    Error out{ErrorKind::unavailable, "The metrics page answers " + std::to_string(status), page.url, {}};
    if (status == 401 || status == 403)
        out.hint = "The page wants a credential; the provider's key is sent only to the host of its base URL";
    else if (status == 404)
        out.hint = "vLLM serves /metrics at its port; SGLang needs --enable-metrics, llama.cpp --metrics";
    else if (status / 100 == 3)
        out.hint = "Redirects are not followed; set metrics_url to the final address";
    else out.hint = "Look into the engine's log";
    return out;
}

Result<capacity::EnginePageReading> readingIn(const MetricsPage& page, const std::string& body) {
    const auto samples = readPrometheusText(body);
    auto reading = samples ? readEnginePage(*samples) : tl::unexpected(samples.error());
    if (!reading) {
        std::string& where = reading.error().where;
        where = where.empty() ? page.url : page.url + " line " + where;
    }
    return reading;
}

std::optional<std::string> versionIn(std::string body) {
    const auto document = JsonDocument::parse(std::move(body), {.maxBytes = kMaxVersionBytes, .maxDepth = 8});
    if (!document || !document->root().is_object()) return std::nullopt;
    const auto found = document->root().find("version");
    if (found == document->root().end() || !found->is_string()) return std::nullopt;
    auto version = found->get<std::string>();
    return version.size() <= kMaxVersionText ? std::optional(std::move(version)) : std::nullopt;
}

}  // namespace

/// One page being read. Shared with its coroutine, which may end later than the poller lets go of it.
struct MetricsPoller::Poll {
    Poll(MetricsPage followed, const Clock& time) : page(std::move(followed)), clock(time) {}

    const MetricsPage page;
    std::vector<std::shared_ptr<capacity::EnginePage>> readers;
    const Clock& clock;
    asio::cancellation_signal cancel;
    bool ended = false;  ///< what still arrives is of a page that nobody follows any more
    std::optional<Steady> versionAskedAt;

    void failed(const Error& why) {
        if (ended) return;
        versionAskedAt.reset();
        for (const auto& reader : readers) reader->failed(why, clock.now());
    }
    void end() {
        ended = true;
        cancel.emit(asio::cancellation_type::terminal);
    }
};

MetricsPoller::MetricsPoller(asio::any_io_executor executor, capacity::EngineMetricsBook& book, const Clock& clock)
    : m_executor(std::move(executor)), m_book(book), m_clock(clock) {}

MetricsPoller::~MetricsPoller() = default;

void MetricsPoller::stop() {
    for (const auto& poll : std::exchange(m_polls, {})) poll->end();
}

void MetricsPoller::setPages(std::vector<MetricsPage> pages, std::vector<UnusablePage> unusable) {
    stop();
    std::set<std::string, std::less<>> followed;
    for (const MetricsPage& page : pages) followed.insert(page.providers.begin(), page.providers.end());
    m_book.keepOnly(followed);
    for (UnusablePage& page : unusable) m_book.of(page.provider)->failed(std::move(page.why), m_clock.now());
    for (MetricsPage& page : pages) {
        const auto poll = m_polls.emplace_back(std::make_shared<Poll>(std::move(page), m_clock));
        for (const std::string& provider : poll->page.providers) {
            poll->readers.push_back(m_book.of(provider));
            poll->readers.back()->follow(poll->page.url, poll->page.interval);
        }
        auto slot = poll->cancel.slot();
        // The exception is the cancellation; `poll` lives until then, and its slot with it.
        asio::co_spawn(m_executor, follow(poll),
                       asio::bind_cancellation_slot(slot, [poll](const std::exception_ptr&) {}));
    }
}

asio::awaitable<void> MetricsPoller::follow(std::shared_ptr<Poll> poll) {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    for (;;) {
        co_await readPage(poll);
        if (poll->ended) co_return;
        pause.expires_after(poll->page.interval);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<void> MetricsPoller::readPage(std::shared_ptr<Poll> poll) {
    auto answer = co_await get(poll->page.upstream, poll->page.head, kMaxPrometheusBytes);
    if (!answer) {
        poll->failed(Error{ErrorKind::unavailable, answer.error().message, poll->page.url, std::string()});
        co_return;
    }
    if (answer->status != 200) {
        poll->failed(statusError(poll->page, answer->status));
        co_return;
    }
    const auto reading = readingIn(poll->page, answer->body);
    if (!reading) {
        poll->failed(reading.error());
        co_return;
    }
    if (poll->ended) co_return;
    const Steady at = poll->clock.steady();
    bool anew = false;
    for (const auto& reader : poll->readers) anew = reader->record(*reading, at) || anew;
    // A policy pins versions of vLLM only, and what SGLang tells beside its version holds its keys.
    const bool due = anew || !poll->versionAskedAt || at - *poll->versionAskedAt >= kVersionAge;
    if (reading->engine == capacity::EngineKind::vllm && due) co_await readVersion(poll);
}

asio::awaitable<void> MetricsPoller::readVersion(std::shared_ptr<Poll> poll) {
    poll->versionAskedAt = poll->clock.steady();
    auto answer = co_await get(poll->page.upstream, poll->page.versionHead, kMaxVersionBytes);
    // Without an answer it is what it was: it will be asked again.
    if (poll->ended || !answer) co_return;
    const auto version = answer->status == 200 ? versionIn(std::move(answer->body)) : std::nullopt;
    for (const auto& reader : poll->readers) reader->setVersion(version);
}

}  // namespace signalbox::upstream
