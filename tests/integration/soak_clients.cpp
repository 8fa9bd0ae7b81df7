// SPDX-License-Identifier: MIT
#include "tests/integration/soak_clients.h"

#include "router/base/random.h"

#include <array>
#include <optional>

namespace signalbox::test {

namespace {

using namespace std::chrono_literals;

constexpr std::array kModels{"auto",       "auto",        "deep",        "pool-fixed", "pool-wise", "pool-hedging", "pool-greedy",
                             "pool-hybrid", "plain-oa",   "plain-an",    "oa:fine",    "model-a",   "a-k1",         "model-b"};
constexpr std::size_t kLostShown = 8;

enum class Leaving : std::uint8_t { stays, atOnce, afterHead, inTheStream, inTheBody };

struct SoakRequest {
    RequestLines lines;
    bool anthropic = false, stream = false, refused = false;
    Leaving leaving = Leaving::stays;
};

template <std::size_t N>
const char* oneOf(const std::array<const char*, N>& from, FastRandom& random) {
    return from[random.next() % N];
}

/// Members of the body besides model, stream and limit.
std::string openAiMembers(FastRandom& random) {
    static const std::string tool =
        R"({"type":"function","function":{"name":"book","parameters":{"type":"object","properties":{"dock":{"type":"integer"}},"required":["dock"]}}})";
    static const std::string ask = R"("messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Which dock is free?"}])";
    switch (random.next() % 10) {
    case 0: return ask + R"(,"tools":[)" + tool + "]";
    case 1: return ask + R"(,"tools":[)" + tool + R"(],"tool_choice":"required","parallel_tool_calls":false)";
    case 2: return ask + R"(,"tools":[],"tool_choice":"auto")";
    case 3:
        return ask + R"(,"response_format":{"type":"json_schema","json_schema":{"name":"dock","schema":{"type":"object",)"
                     R"("properties":{"dock":{"type":"integer"}},"required":["dock"],"additionalProperties":false}}})";
    case 4:
        return R"("messages":[{"role":"user","content":"Book one."},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function",)"
               R"("function":{"name":"book","arguments":"{\"dock\":3}"}}]},{"role":"tool","tool_call_id":"c1","content":"done"}],"tools":[)" +
               tool + "]";
    case 5:
        return R"("messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}])";
    case 6:
        return R"("messages":[{"role":"user","content":")" + std::string(1000 + random.next() % 60'000, 'x') + R"("}])";
    default: return ask;
    }
}

std::string anthropicMembers(FastRandom& random) {
    static const std::string tools =
        R"("tools":[{"name":"book","input_schema":{"type":"object","properties":{"dock":{"type":"integer"}},"required":["dock"]}}])";
    static const std::string ask = R"("messages":[{"role":"user","content":"Which dock is free?"}])";
    switch (random.next() % 6) {
    case 0: return ask + "," + tools;
    case 1: return ask + R"(,"system":"Be brief.","tool_choice":{"type":"any","disable_parallel_tool_use":true},)" + tools;
    case 2:
        return R"("messages":[{"role":"user","content":"Book one."},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"book",)"
               R"("input":{"dock":3}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"done"}]}],)" +
               tools;
    case 3: return R"("messages":[{"role":"user","content":")" + std::string(1000 + random.next() % 60'000, 'x') + R"("}])";
    default: return ask;
    }
}

Leaving drawLeaving(FastRandom& random, bool stream) {
    switch (random.next() % 64) {
    case 0: return Leaving::atOnce;
    case 1: return Leaving::afterHead;
    case 2: return stream ? Leaving::inTheStream : Leaving::stays;
    case 3: return Leaving::inTheBody;
    default: return Leaving::stays;
    }
}

SoakRequest draw(FastRandom& random, const std::string& token) {
    SoakRequest out;
    out.anthropic = random.next() % 2 == 0;
    out.stream = random.next() % 3 != 0;
    out.leaving = drawLeaving(random, out.stream);
    out.lines.target = out.anthropic ? "/v1/messages" : "/v1/chat/completions";
    out.lines.headers = {"x-api-key: " + token, "Content-Type: application/json"};
    if (random.next() % 3 == 0) out.lines.headers.push_back("X-Signalbox-Session-Id: session-" + std::to_string(random.next() % 500));
    out.refused = out.leaving == Leaving::stays && random.next() % 200 == 0;
    if (out.refused) out.lines.headers.push_back("Content-Encoding: br");
    out.lines.body = std::string(R"({"model":")") + oneOf(kModels, random) + R"(","max_tokens":)" + std::to_string(random.next() % 900 + 20) +
                     (out.stream ? R"(,"stream":true,)" : ",") +
                     (out.anthropic ? anthropicMembers(random) : openAiMembers(random)) + "}";
    return out;
}

bool has(const std::string& text, std::string_view what) { return text.find(what) != std::string::npos; }

bool isWhole(const SoakRequest& request, const RawResponse& response) {
    if (!response.complete || response.status != 200) return false;
    if (request.stream)
        return request.anthropic ? response.body.ends_with("data: {\"type\":\"message_stop\"}\n\n") || has(response.body, "event: message_stop\n")
                                 : response.body.ends_with("data: [DONE]\n\n");
    return has(response.body, request.anthropic ? "\"stop_reason\":" : "\"finish_reason\":");
}

bool saysWhy(const SoakRequest& request, const RawResponse& response) {
    if (!response.complete) return false;
    if (response.status != 200) return has(response.body, "\"error\"") && has(response.body, "\"message\"");
    return request.stream && has(response.body, request.anthropic ? "event: error\n" : "\"error\"");
}

std::string wordsOf(const SoakRequest& request) { return request.lines.target + " " + request.lines.body.substr(0, 300); }

/// One client's connection, kept over its requests as real ones do.
class Player {
public:
    Player(std::uint16_t port, FastRandom& random) : m_port(port), m_random(random) {}

    void play(const SoakRequest& request, SoakSeen& seen) {
        if (!m_client || m_random.next() % 8 == 0) {
            m_client.emplace(m_port, 120s);
            m_before.clear();
        }
        const std::string text = requestText(request.lines);
        if (request.leaving == Leaving::inTheBody) {
            m_client->send(std::string_view(text).substr(0, text.size() - request.lines.body.size() / 2));
            ++seen.neverSent;
            return m_client.reset();
        }
        const auto begun = std::chrono::steady_clock::now();
        const bool sent = m_client->send(text);
        if (request.leaving != Leaving::stays) return leave(request.leaving, seen);
        auto response = m_client->response();
        noteTime(request, std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun), response, seen);
        const bool again = response && response->complete && response->header("connection") != "close";
        judge(request, sent, response, seen);
        m_before = again ? std::to_string(response->status) + " " + endOf(*response) : std::string();
        if (!again) m_client.reset();
    }

private:
    static std::string endOf(const RawResponse& response) { return response.body.substr(response.body.size() - std::min<std::size_t>(response.body.size(), 300)); }

    static void noteTime(const SoakRequest& request, std::chrono::milliseconds time, const std::optional<RawResponse>& response, SoakSeen& seen) {
        if (time <= seen.slowest) return;
        seen.slowest = time;
        seen.slowestWhat = wordsOf(request) + " -> " + (response ? std::to_string(response->status) + " " + endOf(*response) : "nothing");
    }

    void leave(Leaving leaving, SoakSeen& seen) {
        if (leaving != Leaving::atOnce) m_client->waitFor("\r\n\r\n");
        const bool events = has(m_client->pending(), "text/event-stream");
        if (leaving == Leaving::inTheStream && events) m_client->waitFor("data: ");
        ++seen.leftEarly;
        m_client.reset();
        m_before.clear();
    }

    void judge(const SoakRequest& request, bool sent, const std::optional<RawResponse>& response, SoakSeen& seen) const {
        if (request.refused && response && response->status == 415) return void(++seen.refused);
        const bool error = response && saysWhy(request, *response);
        if (response && !error && isWhole(request, *response)) {
            ++seen.answered;
            seen.answeredIds.push_back(response->header("x-signalbox-decision-id"));
        } else if (error) {
            ++seen.failed;
            seen.failedIds.push_back(response->header("x-signalbox-decision-id"));
        } else {
            ++seen.lost;
            if (seen.lostWhat.size() < kLostShown)
                seen.lostWhat.push_back((sent ? "" : "not sent; ") + wordsOf(request) + " -> " +
                                        (response ? std::to_string(response->status) + (response->complete ? " " : " (broken off) ") +
                                                        response->body.substr(0, 1500)
                                                  : "nothing; before it on this connection: " + m_before));
        }
    }

    std::uint16_t m_port;
    FastRandom& m_random;
    std::optional<RawClient> m_client;
    std::string m_before;  ///< end of the answer before, on the same connection
};

void append(std::vector<std::string>& to, const std::vector<std::string>& from) { to.insert(to.end(), from.begin(), from.end()); }

} // namespace

void SoakSeen::add(const SoakSeen& other) {
    answered += other.answered;
    failed += other.failed;
    leftEarly += other.leftEarly;
    lost += other.lost;
    neverSent += other.neverSent;
    refused += other.refused;
    if (other.slowest > slowest) {
        slowest = other.slowest;
        slowestWhat = other.slowestWhat;
    }
    append(lostWhat, other.lostWhat);
    append(answeredIds, other.answeredIds);
    append(failedIds, other.failedIds);
}

SoakClients::SoakClients(std::uint16_t port, std::string token, std::uint64_t requests, unsigned clients, std::uint64_t seed) {
    for (unsigned i = 0; i < clients; ++i) {
        const std::uint64_t share = requests / clients + (i < requests % clients ? 1 : 0);
        m_threads.emplace_back([this, port, token, share, seed, i] { run(port, token, share, seed + i); });
    }
}

SoakClients::~SoakClients() {
    m_stop = true;
    wait();
}

void SoakClients::wait() {
    for (std::thread& thread : m_threads)
        if (thread.joinable()) thread.join();
}

SoakSeen SoakClients::join() {
    wait();
    return std::move(m_seen);
}

void SoakClients::run(std::uint16_t port, const std::string& token, std::uint64_t requests, std::uint64_t seed) {
    FastRandom random(seed);
    SoakSeen seen;
    {
        Player player(port, random);
        for (std::uint64_t i = 0; i < requests && !m_stop; ++i) {
            player.play(draw(random, token), seen);
            ++m_finished;
        }
    }
    const std::scoped_lock lock(m_mutex);
    m_seen.add(seen);
    ++m_over;
}

} // namespace signalbox::test
