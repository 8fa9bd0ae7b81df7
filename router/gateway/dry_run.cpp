// SPDX-License-Identifier: MIT
#include "router/gateway/dry_run.h"

#include "router/base/text.h"
#include "router/gateway/planning.h"
#include "router/gateway/request_reading.h"
#include "router/policy/explain.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace signalbox::gateway {

namespace {

constexpr JsonLimits kDryRunLimits{std::size_t{8} << 20, 256};

/// The members of an order, read.
struct DryOrder {
    std::string body; ///< byte for byte as it was sent
    std::optional<std::string> principal, expectedLength, category, inputTokens, profile, session, pin, requestId;
    std::optional<std::uint32_t> inFlight;
    classify::Dialect dialect = classify::Dialect::openai;
};

tl::unexpected<EdgeError> oddOrder(const std::string& message, std::string param = {}) {
    return tl::unexpected(edgeError(400, "invalid_request", message, std::move(param)));
}

tl::expected<DryOrder, EdgeError> readOrder(std::string_view text) {
    if (text.empty())
        return oddOrder("This path needs a body: send {\"request\": {…}} with the body of a chat completion.");
    const auto document = JsonDocument::parse(std::string(text), kDryRunLimits);
    if (!document)
        return oddOrder("The body is not JSON: " + document.error().message + ". " + document.error().hint);
    const OrderedJson& root = document->root();
    const auto range = document->rangeOf("/request");
    if (!root.is_object() || !range || !root["request"].is_object())
        return oddOrder("\"request\" is missing, or is no object. Send the body of a chat completion in it.", "request");
    DryOrder order;
    order.body = document->text().substr(range->begin, range->end - range->begin);
    const std::vector<std::pair<std::string, std::optional<std::string>*>> texts{
        {"principal", &order.principal}, {"expected_length", &order.expectedLength}, {"category", &order.category},
        {"input_tokens", &order.inputTokens}, {"profile", &order.profile}, {"session", &order.session},
        {"pin", &order.pin}, {"request_id", &order.requestId}};
    for (const auto& [name, value] : root.items()) {
        const auto named = std::find_if(texts.begin(), texts.end(), [&](const auto& one) { return one.first == name; });
        if (named != texts.end()) {
            if (!value.is_string())
                return oddOrder("\"" + name + "\" is not a text. Send it as its header would hold it.", name);
            *named->second = value.get<std::string>();
        } else if (name == "in_flight") {
            if (!value.is_number_integer() || !std::in_range<std::uint32_t>(value.get<std::int64_t>()))
                return oddOrder("\"in_flight\" is not a number of requests. Send a whole number, the request itself included.", name);
            order.inFlight = value.get<std::uint32_t>();
        } else if (name == "edge") {
            if (value != "openai" && value != "anthropic")
                return oddOrder("\"edge\" is neither openai nor anthropic. Send one of them, or leave it out.", name);
            order.dialect = value == "anthropic" ? classify::Dialect::anthropic : classify::Dialect::openai;
        } else if (name != "request") {
            return oddOrder("Nothing here is called \"" + elided(name, 80) + "\". Known are request, edge, in_flight, principal, expected_length, "
                            "category, input_tokens, profile, session, pin and request_id.", elided(name, 80));
        }
    }
    return order;
}

tl::expected<Caller, EdgeError> dryCaller(const config::GatewayConfig& config, const std::string& id) {
    std::vector<std::string> known;
    for (const config::Principal& principal : config.principals) {
        if (principal.id == id)
            return callerOf(config, principal);
        known.push_back(principal.id);
    }
    // Whoever holds the gateway's own token, or needs none.
    if (id == "local" || id == "anonymous")
        return Caller{id, {}, true, {}, {}};
    const auto near = nearestName(id, known);
    return tl::unexpected(edgeError(404, "principal_not_found",
                                    "There is no principal \"" + elided(id, 80) + "\". " +
                                        (near ? "Did you mean \"" + *near + "\"?" : "Name one of [principals], or leave it out."),
                                    "principal"));
}

/// The order as a client's head would say it.
HttpRequest dryHead(const DryOrder& order) {
    const auto view = [](const std::optional<std::string>& text) -> std::optional<std::string_view> {
        return text ? std::optional<std::string_view>(*text) : std::nullopt;
    };
    HttpRequest head;
    head.expectedLength = view(order.expectedLength);
    head.category = view(order.category);
    head.inputTokens = view(order.inputTokens);
    head.pin = view(order.pin);
    if (order.profile)
        head.routingProfile.take("profile", *order.profile);
    if (order.session)
        head.sessionId.take("session", *order.session);
    return head;
}

void setConcurrency(const Serving& serving, std::optional<std::uint32_t> inFlight, classify::RequestFeatures& features) {
    if (!inFlight || !policy::concurrencyKey(*serving.snapshot, features.model))
        return;
    features.inFlight = *inFlight;
    features.cell.concurrency = *inFlight >= 2 ? table::ConcurrencyMode::multiConc : table::ConcurrencyMode::singleStream;
}

/// Of a plain name whoever was passed over, or cannot be called and is asked all the same. Candidates say it themselves.
std::vector<policy::NotCallableHere> notCallable(const Serving& serving, const PlanAnswer& answer) {
    std::vector<policy::NotCallableHere> out;
    const auto add = [&](const policy::RouteTarget& target) {
        if (target.isPool() || serving.callableProviders->contains(target.providerId))
            return;
        const auto lack = serving.lacks->find(target.providerId);
        out.push_back({target.endpointId(), lack == serving.lacks->end() ? std::string() : lack->second.why});
    };
    if (answer.passedOver)
        add(*answer.passedOver);
    if (answer.plan && !answer.plan->group)
        std::for_each(answer.plan->targets.begin(), answer.plan->targets.end(), add);
    return out;
}

} // namespace

tl::expected<std::string, EdgeError> dryRun(const Serving& serving, std::string_view order, const Clock& clock) {
    const auto asked = readOrder(order);
    if (!asked)
        return tl::unexpected(asked.error());
    const auto caller = dryCaller(*serving.snapshot->config, asked->principal.value_or("local"));
    if (!caller)
        return tl::unexpected(caller.error());
    const HttpRequest head = dryHead(*asked);
    auto read = readRequest(head, *caller, asked->dialect, asked->body);
    if (!read)
        return tl::unexpected(read.error());
    classify::RequestFeatures& features = read->classified.features;
    setConcurrency(serving, asked->inFlight, features);
    const PrincipalLimits limits(serving, *caller, clock);
    const PlanAnswer answer = askPolicy({serving, *caller, limits, features, asked->body, read->wishes,
                                         asked->requestId ? std::string_view(*asked->requestId) : std::string_view(), clock.steady()});
    OrderedJson out = policy::explainJson(*serving.snapshot, features, answer.plan, answer.refused ? &*answer.refused : nullptr);
    out["policy_hash"] = serving.snapshot->hash;
    policy::addNotCallable(out, notCallable(serving, answer));
    if (answer.degraded)
        out["degraded"] = true;
    return out.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace signalbox::gateway
