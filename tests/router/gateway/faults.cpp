// SPDX-License-Identifier: MIT
#include "tests/router/gateway/faults.h"

#include <ctime>

namespace signalbox::test {

namespace {

using capacity::Sample;
using namespace std::chrono_literals;
using namespace frames;

constexpr auto kBreaks = Sample::failure;

std::string errorBody(const std::string& code) {
    return R"({"error":{"message":"it broke","type":"some_error","code":")" + code + R"(","param":null}})";
}
/// As an upstream puts a status into a stream.
std::string errorFrame(int status) {
    return R"({"error":{"message":"it broke","type":"some_error","code":)" + std::to_string(status) + "}}";
}

/// An HTTP date so far from now, without the part of a second.
std::string dateIn(std::chrono::seconds time) {
    const std::time_t at = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() + time);
    std::tm parts{};
    gmtime_r(&at, &parts);
    char text[64];
    std::strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
    return text;
}

/// Something broke at the upstream or on the way: the next one is asked, and the circuit takes a sample.
Fault broken(std::string name, Reply reply, std::string reason, int status, int attemptStatus = 0) {
    Fault out;
    out.name = std::move(name);
    out.reply = std::move(reply);
    out.reason = out.code = std::move(reason);
    out.status = status;
    out.attemptStatus = attemptStatus;
    out.fallsBack = true;
    out.sample = kBreaks;
    out.blamesRequest = true;
    return out;
}

Fault stalling(Fault fault) {
    fault.stalls = true;
    return fault;
}

Fault dead(std::string name, DeadPort::Manner manner, std::string reason, int status) {
    Fault out = broken(std::move(name), Reply::nothing(), std::move(reason), status);
    out.dead = manner;
    out.blamesRequest = false;  // a connection that never stood is not the request's doing
    out.reached = false;
    out.stalls = manner == DeadPort::Manner::hangs;
    return out;
}

/// The caller's own affair: nobody else is asked and no sample is taken.
Fault callersOwn(int status) {
    Fault out = broken("status " + std::to_string(status), Reply::json(errorBody("own_words"), status), "status_" + std::to_string(status),
                       status, status);
    out.code = "own_words";
    out.fallsBack = false;
    out.sample = Sample::none;
    return out;
}

Fault upstreamsOwn(int status, const std::string& headers = {}) {
    Fault out = callersOwn(status);
    out.reply = Reply::json(errorBody("own_words"), status, headers);
    out.fallsBack = true;
    out.sample = kBreaks;
    out.blamesRequest = true;
    return out;
}

Fault unavailable(std::string name, const std::string& headers, std::chrono::seconds retryAfter) {
    Fault out = upstreamsOwn(503, headers);
    out.name = std::move(name);
    out.blamesRequest = false;
    out.retryAfter = retryAfter;
    return out;
}

Fault limited(std::string name, const std::string& headers, std::chrono::seconds retryAfter) {
    Fault out = upstreamsOwn(429, headers);
    out.name = std::move(name);
    out.sample = Sample::rateLimited;
    out.blamesRequest = false;
    out.retryAfter = retryAfter;
    return out;
}

Fault withDate(Fault fault) {
    fault.name += ", date";
    fault.reply = Reply::json(errorBody("own_words"), fault.status, "Retry-After: " + dateIn(*fault.retryAfter) + "\r\n");
    fault.isDate = true;
    return fault;
}

Fault credential(int status) {
    Fault out = callersOwn(status);
    out.status = 502;  // it speaks of our key, not of the caller's
    out.code = "upstream_credential_refused";
    return out;
}

Fault redirect() {
    Fault out = broken("status 302", Reply::json("{}", 302, "Location: http://127.0.0.1/\r\n"), "status_302", 502, 302);
    out.fallsBack = false;
    return out;
}

/// 200, and then an error in the place of an answer (F3): it counts as the status that it names.
Fault framed(std::string name, Reply reply, int status) {
    Fault out = broken(std::move(name), std::move(reply), "error_frame_" + std::to_string(status), status, status);
    out.fallsBack = status != 400;
    out.sample = status == 400 ? Sample::none : status == 429 ? Sample::rateLimited : kBreaks;
    out.blamesRequest = status != 429 && status != 503;
    if (status == 429 || status == 503) out.retryAfter = 5s;
    return out;
}

Fault afterContent(Fault fault) {
    fault.afterContent = true;
    fault.fallsBack = false;
    if (fault.attemptStatus == 0) fault.attemptStatus = 200;
    return fault;
}

Fault passing(std::string name, Reply reply) {
    Fault out;
    out.name = std::move(name);
    out.reply = std::move(reply);
    out.attemptStatus = 200;
    return out;
}

/// What comes before the first byte of an answer is the same in both forms.
std::vector<Fault> beforeTheAnswer() {
    std::vector<Fault> out;
    out.push_back(dead("refused", DeadPort::Manner::refuses, "connect_refused", 502));
    out.push_back(dead("connect hangs", DeadPort::Manner::hangs, "timeout_connect", 504));
    out.push_back(broken("accepted and closed", Reply::nothing().close(), "disconnected", 502));
    out.push_back(broken("accepted and reset", Reply::nothing().reset(), "disconnected", 502));
    out.push_back(stalling(broken("no head", Reply::nothing().stall(), "timeout_first_byte", 504)));
    out.push_back(stalling(broken("half a head", Reply::raw("HTTP/1.1 200 OK\r\nContent-").stall(), "timeout_first_byte", 504)));
    out.push_back(broken("half a head and closed", Reply::raw("HTTP/1.1 200 OK\r\nContent-").close(), "disconnected", 502));
    out.push_back(broken("no HTTP", Reply::raw("SSH-2.0-OpenSSH_9.2\r\n\r\n").close(), "not_http", 502));
    out.push_back(redirect());
    for (const int status : {400, 404, 409, 413, 422}) out.push_back(callersOwn(status));
    for (const int status : {401, 403}) out.push_back(credential(status));
    for (const int status : {408, 425, 500, 502, 529}) out.push_back(upstreamsOwn(status));
    out.push_back(limited("status 429", "", 5s));
    out.push_back(limited("status 429, seconds", "Retry-After: 7\r\n", 7s));
    out.push_back(withDate(limited("status 429", "", 120s)));
    out.push_back(unavailable("status 503", "", 5s));
    out.push_back(unavailable("status 503, seconds", "Retry-After: 11\r\n", 11s));
    out.push_back(withDate(unavailable("status 503", "", 90s)));
    return out;
}

void addStreams(std::vector<Fault>& out) {
    const auto role = [] { return Reply::stream().event(kRole); };
    // An attempt keeps the status that its answer began with, however the answer went on (F7).
    out.push_back(broken("head and closed", Reply::stream().close(), "disconnected", 502, 200));
    out.push_back(stalling(broken("head and nothing", Reply::stream().stall(), "timeout_first_byte", 504, 200)));
    out.push_back(broken("an empty stream", Reply::stream().end(), "ended_early", 502, 200));
    out.push_back(broken("error first", Reply::stream().event(kError).end(), "error_frame", 502, 200));
    for (const int status : {400, 429, 500, 503})
        out.push_back(framed("error " + std::to_string(status) + " first", Reply::stream().event(errorFrame(status)).end(), status));
    out.push_back(framed("an error instead of a stream", Reply::json(errorFrame(500)), 500));
    out.push_back(broken("no JSON first", Reply::stream().event("{half").end(), "malformed_event", 502, 200));
    out.push_back(broken("role, then error", role().event(kError).end(), "error_frame", 502, 200));
    out.push_back(framed("role, then error 400", role().event(errorFrame(400)).end(), 400));
    out.push_back(framed("role, then error 429", role().event(errorFrame(429)).end(), 429));
    out.push_back(broken("role, then closed", role().close(), "disconnected", 502, 200));
    out.push_back(stalling(broken("role, then nothing", role().stall(), "timeout_stream_idle", 504, 200)));
    out.push_back(broken("role, then the end", role().end(), "ended_early", 502, 200));
    out.push_back(broken("role and usage, then closed", role().event(kUsage).close(), "disconnected", 502, 200));
    out.push_back(stalling(broken("usage, then nothing", Reply::stream().event(kUsage).stall(), "timeout_stream_idle", 504, 200)));

    const auto text = [&] { return role().event(kText).awaitRelease(); };
    out.push_back(afterContent(broken("content, then error", text().event(kError).end(), "error_frame", 502)));
    out.push_back(afterContent(framed("content, then error 429", text().event(errorFrame(429)).end(), 429)));
    out.push_back(afterContent(framed("content, then error 500", text().event(errorFrame(500)).end(), 500)));
    out.push_back(afterContent(broken("content, then closed", text().close(), "disconnected", 502)));
    out.push_back(afterContent(broken("content, then reset", text().reset(), "disconnected", 502)));
    out.push_back(stalling(afterContent(broken("content, then nothing", text().stall(), "timeout_stream_idle", 504))));
    out.push_back(afterContent(broken("content, then the end", text().end(), "ended_early", 502)));
    out.push_back(afterContent(broken("content, then no JSON", text().event("{half").end(), "malformed_event", 502)));
    out.push_back(passing("no DONE", role().event(kText).event(kFinish).end()));
    out.push_back(passing("no usage", role().event(kText).event(kFinish).event(kDone).end()));
    out.push_back(passing("complete", goodReply(true)));
}

void addWhole(std::vector<Fault>& out) {
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n";
    out.push_back(broken("head and closed", Reply::raw(head).close(), "disconnected", 502, 200));
    out.push_back(stalling(broken("head and nothing", Reply::raw(head).stall(), "timeout_stream_idle", 504, 200)));
    out.push_back(broken("half a body and closed", Reply::raw(head + R"({"id":)").close(), "disconnected", 502, 200));
    out.push_back(stalling(broken("half a body and nothing", Reply::raw(head + R"({"id":)").stall(), "timeout_stream_idle", 504, 200)));
    out.push_back(broken("no JSON", Reply::json("<html>busy</html>"), "malformed_body", 502, 200));
    out.push_back(broken("an error with status 200", Reply::json(kError), "error_frame", 502, 200));
    for (const int status : {400, 429, 500, 503})
        out.push_back(framed("error " + std::to_string(status) + " with status 200", Reply::json(errorFrame(status)), status));
    out.push_back(passing("complete", goodReply(false)));
}

}  // namespace

EndpointSetup setupFor(const Fault& fault) {
    constexpr int kShortMs = 40;
    EndpointSetup out;
    out.dead = fault.dead;
    if (!fault.stalls) return out;
    if (fault.reason == "timeout_connect") out.connectMs = kShortMs;
    else if (fault.reason == "timeout_first_byte") out.firstByteMs = kShortMs;
    else out.idleMs = kShortMs;
    return out;
}

std::vector<Fault> faultsOf(bool stream) {
    std::vector<Fault> out = beforeTheAnswer();
    if (stream) addStreams(out);
    else addWhole(out);
    for (Fault& fault : out) fault.stream = stream;
    return out;
}

Fault faultAt(bool stream, std::size_t step) { return faultsOf(stream).at(step); }

}  // namespace signalbox::test
