// SPDX-License-Identifier: MIT
#include "router/engine/admin_wire.h"

#include "router/base/json_document.h"
#include "router/engine/admin_wire_members.h"

#include <array>

namespace signalbox::engine::wire {

namespace {

/// Answers are larger than any request: thousands of endpoints, or a page of events.
constexpr JsonLimits kAnswerLimits{std::size_t{32} << 20, 64};

std::string wireText(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// How far the counts of refusals reach back. An older gateway does not say it, and counts since its start.
constexpr const char* kRefusalWindow = "window_s";

template <class T>
std::string encodeOne(const T& value, Steady now) {
    return wireText(Writer(now).toJson(value));
}

template <class T>
std::string encodeList(const char* name, const std::vector<T>& items, Steady now) {
    Json out = Json::object();
    out[name] = Writer(now).toJson(items);
    return wireText(out);
}

Result<JsonDocument> parsedAnswer(std::string_view json) {
    auto document = JsonDocument::parse(std::string(json), kAnswerLimits);
    if (!document)
        return fail(ErrorKind::badInput, "the gateway's answer is not JSON: " + document.error().message, {},
                    "Something else may listen there: check the address.");
    if (!document->root().is_object())
        return fail(ErrorKind::badInput, "the gateway's answer is no JSON object", {},
                    "Something else may listen there: check the address.");
    return std::move(*document);
}

tl::unexpected<Error> oddAnswer(const std::string& pointer) {
    return fail(ErrorKind::badInput, "the gateway's answer has a value of a kind that this version does not know", pointer,
                "Use the same version of Signalbox on both sides.");
}

template <class T>
Result<T> decodeOne(std::string_view json, Steady now, T value = {}) {
    const auto document = parsedAnswer(json);
    if (!document)
        return tl::unexpected(document.error());
    std::string firstBad;
    Reader(document->root(), now, {}, firstBad).take(document->root(), value, {});
    if (!firstBad.empty())
        return oddAnswer(firstBad);
    return value;
}

template <class T>
Result<std::vector<T>> listIn(const Json& root, const char* name, Steady now) {
    if (!root.contains(name))
        return oddAnswer(std::string("/") + name);
    std::vector<T> items;
    std::string firstBad;
    Reader(root, now, {}, firstBad)(name, items);
    if (!firstBad.empty())
        return oddAnswer(firstBad);
    return items;
}

template <class T>
Result<std::vector<T>> decodeList(const char* name, std::string_view json, Steady now) {
    const auto document = parsedAnswer(json);
    if (!document)
        return tl::unexpected(document.error());
    return listIn<T>(document->root(), name, now);
}

} // namespace

std::optional<GatewayState> parseState(std::string_view word) {
    for (const GatewayState state : {GatewayState::stopped, GatewayState::starting, GatewayState::running,
                                     GatewayState::draining, GatewayState::failed})
        if (toString(state) == word)
            return state;
    return GatewayState::running;
}

std::optional<evidence::StoreState> parseStoreState(std::string_view word) {
    using State = evidence::StoreState;
    for (const State state : {State::off, State::starting, State::ready, State::catchingUp, State::unavailable, State::journalFull})
        if (evidence::toString(state) == word)
            return state;
    return State::unavailable;
}

std::optional<capacity::EngineKind> parseEngineKind(std::string_view word) {
    using Kind = capacity::EngineKind;
    for (const Kind kind : {Kind::vllm, Kind::sglang, Kind::llamaCpp})
        if (capacity::toString(kind) == word)
            return kind;
    return std::nullopt;
}

std::optional<evidence::Stage> parseStage(std::string_view word) {
    return evidence::parseStage(word).value_or(evidence::Stage::waiting);
}

std::string_view wordOf(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::badInput:
        return "bad_input";
    case ErrorKind::notFound:
        return "not_found";
    case ErrorKind::conflict:
        return "conflict";
    case ErrorKind::denied:
        return "denied";
    case ErrorKind::unavailable:
        return "unavailable";
    case ErrorKind::cancelled:
        return "cancelled";
    case ErrorKind::internal:
        return "internal";
    }
    return "internal";
}

std::optional<ErrorKind> parseErrorKind(std::string_view word) {
    for (const ErrorKind kind : {ErrorKind::badInput, ErrorKind::notFound, ErrorKind::conflict, ErrorKind::denied,
                                 ErrorKind::unavailable, ErrorKind::cancelled, ErrorKind::internal})
        if (wordOf(kind) == word)
            return kind;
    return std::nullopt;
}

std::string encodeStatus(const TargetStatus& status, Steady now) {
    return encodeOne(status, now);
}
std::string encodeEndpoints(const std::vector<EndpointHealth>& endpoints, Steady now) {
    return encodeList("endpoints", endpoints, now);
}
std::string encodePools(const std::vector<dispatch::PoolView>& pools) {
    return encodeList("pools", pools, {});
}
std::string encodeResources(const std::vector<ResourceView>& resources) {
    return encodeList("resources", resources, {});
}
std::string encodePrincipals(const std::vector<PrincipalUse>& principals) {
    return encodeList("principals", principals, {});
}
std::string encodeRefusals(const std::vector<RefusalCount>& refusals) {
    Json out = Json::object();
    out["refusals"] = Writer({}).toJson(refusals);
    out[kRefusalWindow] = RefusalCount::kWindow.count();
    return wireText(out);
}
std::string encodeRequests(const RequestsUnderWay& requests, Steady now) {
    return encodeOne(requests, now);
}
std::string encodeForecast(const dispatch::PoolForecast& forecast) {
    return encodeOne(forecast, {});
}

Result<TargetStatus> decodeStatus(std::string_view json, Steady now) {
    auto status = decodeOne<TargetStatus>(json, now);
    // Anything may answer with an object; a gateway says its state.
    if (status && status->version.empty() && status->address.empty() && status->runningHash.empty())
        return fail(ErrorKind::badInput, "this is not the status of a Signalbox gateway", {},
                    "Something else may listen there: check the address.");
    return status;
}
Result<std::vector<EndpointHealth>> decodeEndpoints(std::string_view json, Steady now) {
    return decodeList<EndpointHealth>("endpoints", json, now);
}
Result<std::vector<dispatch::PoolView>> decodePools(std::string_view json) {
    return decodeList<dispatch::PoolView>("pools", json, {});
}
Result<std::vector<ResourceView>> decodeResources(std::string_view json) {
    return decodeList<ResourceView>("resources", json, {});
}
Result<std::vector<PrincipalUse>> decodePrincipals(std::string_view json) {
    return decodeList<PrincipalUse>("principals", json, {});
}
Result<std::vector<RefusalCount>> decodeRefusals(std::string_view json) {
    const auto document = parsedAnswer(json);
    if (!document)
        return tl::unexpected(document.error());
    auto refusals = listIn<RefusalCount>(document->root(), "refusals", {});
    if (refusals && !document->root().contains(kRefusalWindow))
        for (RefusalCount& refusal : *refusals)
            refusal.sinceStart = true;
    return refusals;
}
Result<RequestsUnderWay> decodeRequests(std::string_view json, Steady now) {
    auto requests = decodeOne<RequestsUnderWay>(json, now);
    if (!requests)
        return requests;
    // A row is known again by its id alone.
    for (std::size_t i = 0; i < requests->rows.size(); ++i)
        if (requests->rows[i].id.isNull())
            return oddAnswer("/requests/" + std::to_string(i) + "/id");
    requests->told = RequestsUnderWay::Told::told;
    return requests;
}
Result<dispatch::PoolForecast> decodeForecast(std::string_view json) {
    return decodeOne<dispatch::PoolForecast>(json, {});
}

// Events and decisions have a text form of their own already, that of the journal.

std::string encodeKey(const evidence::EventKey& key) {
    return toIso8601(key.createdAt) + "," + key.id.text();
}

std::optional<evidence::EventKey> decodeKey(std::string_view text) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    const auto at = parseIso8601(text.substr(0, comma));
    const auto id = evidence::EventId::parse(text.substr(comma + 1));
    if (!at || !id)
        return std::nullopt;
    return evidence::EventKey{*at, *id};
}

std::string encodeEvents(const evidence::EventPage& page) {
    std::string out = R"({"events":[)";
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
        out += i == 0 ? "" : ",";
        evidence::encodeEvent(page.rows[i], out);
    }
    out += ']';
    if (page.next)
        out += R"(,"next":")" + encodeKey(*page.next) + '"';
    return out + '}';
}

Result<evidence::EventPage> decodeEvents(std::string_view json) {
    const auto document = parsedAnswer(json);
    if (!document)
        return tl::unexpected(document.error());
    const Json& root = document->root();
    if (!root.contains("events") || !root["events"].is_array())
        return oddAnswer("/events");
    evidence::EventPage page;
    for (const Json& row : root["events"]) {
        if (row.is_object() && row.contains("kind") && row["kind"].is_string() &&
            !evidence::parseEventKind(row["kind"].get_ref<const std::string&>()))
            continue;
        auto event = evidence::decodeEvent(wireText(row));
        if (!event)
            return tl::unexpected(event.error());
        page.rows.push_back(std::move(*event));
    }
    if (const auto next = root.find("next"); next != root.end() && !next->is_null()) {
        page.next = next->is_string() ? decodeKey(next->get_ref<const std::string&>()) : std::nullopt;
        if (!page.next)
            return oddAnswer("/next");
    }
    return page;
}

std::string decisionLine(const evidence::DecisionRecord& record) {
    std::string out = R"({"decision":)";
    evidence::encodeRecord(record, out);
    return out + "}\n";
}
std::string skippedLine(std::uint64_t skipped) {
    return R"({"skipped":)" + std::to_string(skipped) + "}\n";
}
std::string heartbeatLine(Timestamp at) {
    return R"({"heartbeat":")" + toIso8601(at) + "\"}\n";
}
std::string endLine(std::string_view reason) {
    return wireText(Json{{"end", std::string(reason)}}) + '\n';
}

Result<StreamLine> decodeLine(std::string_view line) {
    const auto document = parsedAnswer(line);
    if (!document)
        return tl::unexpected(document.error());
    StreamLine out;
    if (const auto range = document->rangeOf("/decision")) {
        auto record = evidence::decodeRecord(std::string_view(document->text()).substr(range->begin, range->end - range->begin));
        if (!record)
            return tl::unexpected(record.error());
        out.decision = std::move(*record);
    }
    std::string firstBad;
    Reader reader(document->root(), {}, {}, firstBad);
    reader("skipped", out.skipped);
    reader("end", out.end);
    out.heartbeat = document->root().contains("heartbeat");
    if (!firstBad.empty())
        return oddAnswer(firstBad);
    return out;
}

} // namespace signalbox::engine::wire
