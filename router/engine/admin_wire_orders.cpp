// SPDX-License-Identifier: MIT
// What a client of the admin API sends: read without mercy, since an order must not be guessed.
#include "router/base/json_document.h"
#include "router/engine/admin_wire.h"
#include "router/engine/admin_wire_members.h"

#include <algorithm>
#include <span>

namespace signalbox::engine::wire {

namespace {

constexpr JsonLimits kOrderLimits{std::size_t{64} << 20, 64};

tl::unexpected<Error> badOrder(std::string message, std::string where, std::string hint) {
    return fail(ErrorKind::badInput, std::move(message), std::move(where), std::move(hint));
}

/// The members of one JSON object, of which every one must be known.
class Order {
public:
    [[nodiscard]] static Result<Order> parse(std::string_view json, std::vector<std::string> known) {
        if (json.empty())
            return badOrder("this path needs a body", {}, "Send a JSON object with " + listed(known) + ".");
        auto document = JsonDocument::parse(std::string(json), kOrderLimits);
        if (!document) {
            const Finding& finding = document.error();
            return badOrder("the body is not JSON: " + finding.message,
                            std::to_string(finding.position.line) + ":" + std::to_string(finding.position.column), finding.hint);
        }
        if (!document->root().is_object())
            return badOrder("the body is not a JSON object", {}, "Send an object with " + listed(known) + ".");
        for (const auto& [name, value] : document->root().items()) {
            if (std::find(known.begin(), known.end(), name) != known.end())
                continue;
            const auto near = nearestName(name, known);
            return badOrder("nothing here is called \"" + elided(name, 80) + "\"", "/" + elided(name, 80),
                            near ? "Did you mean \"" + *near + "\"?" : "Known are " + listed(known) + ".");
        }
        return Order(std::move(*document));
    }

    template <class T>
    [[nodiscard]] Result<T> required(const char* name, const char* what) const {
        auto value = optional<T>(name, what);
        if (!value)
            return tl::unexpected(value.error());
        if (!*value)
            return badOrder(std::string("\"") + name + "\" is missing", std::string("/") + name, std::string("Send ") + what + ".");
        return std::move(**value);
    }
    template <class T>
    [[nodiscard]] Result<std::optional<T>> optional(const char* name, const char* what) const {
        std::optional<T> value;
        std::string firstBad;
        Reader(m_document.root(), {}, {}, firstBad)(name, value);
        if (!firstBad.empty())
            return badOrder("this is not " + std::string(what), firstBad, std::string("Send ") + what + ".");
        return value;
    }
    [[nodiscard]] const Json& root() const { return m_document.root(); }

private:
    explicit Order(JsonDocument document) : m_document(std::move(document)) {}
    static std::string listed(std::span<const std::string> names) {
        std::string out;
        for (const std::string& name : names)
            out += (out.empty() ? "\"" : ", \"") + name + '"';
        return out;
    }

    JsonDocument m_document;
};

std::string orderText(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

constexpr const char* kEndpointWords = "the id of an endpoint, as PROVIDER:MODEL";

/// `{NAME: …}` with names of plain files.
Result<void> checkFileName(const std::string& name, const std::string& where) {
    if (name.empty() || name.size() > 100 || name.find('/') != std::string::npos || name.front() == '.')
        return badOrder("\"" + elided(name, 80) + "\" is not the name of a file", where,
                        "Send names without folders, such as routing-table.json.");
    return {};
}

Result<std::vector<ApplyRequest::File>> filesOf(const Json& files) {
    if (!files.is_object())
        return badOrder("this is not an object of texts by file name", "/files", "Send {\"routing-table.json\": \"…\", …}.");
    std::vector<ApplyRequest::File> out;
    for (const auto& [name, text] : files.items()) {
        if (auto checked = checkFileName(name, "/files"); !checked)
            return tl::unexpected(checked.error());
        if (!text.is_string())
            return badOrder("the file is not a text", "/files/" + name, "Send the file's whole text as one JSON string.");
        out.push_back({name, text.get<std::string>(), {}});
    }
    return out;
}

Result<void> addSignatures(const Json& signatures, std::vector<ApplyRequest::File>& files) {
    if (!signatures.is_object())
        return badOrder("this is not an object of signatures by file name", "/signatures",
                        "Send {\"routing-table.json\": [\"…\"], …}.");
    for (const auto& [name, texts] : signatures.items()) {
        const auto file = std::find_if(files.begin(), files.end(), [&](const auto& one) { return one.name == name; });
        if (file == files.end())
            return badOrder("there is a signature of a file that was not sent", "/signatures/" + elided(name, 80),
                            "Send the file, too, or leave its signature out.");
        const bool good = texts.is_array() && std::all_of(texts.begin(), texts.end(), [](const Json& one) { return one.is_string(); });
        if (!good)
            return badOrder("these are not the texts of minisign files", "/signatures/" + name, "Send an array of strings.");
        for (const Json& text : texts)
            file->signatures.push_back(text.get<std::string>());
    }
    return {};
}

} // namespace

const ApplyRequest::File* ApplyRequest::find(std::string_view name) const {
    const auto found = std::find_if(files.begin(), files.end(), [&](const File& file) { return file.name == name; });
    return found == files.end() ? nullptr : &*found;
}

std::string encodeOff(bool on) {
    return orderText({{"on", on}});
}

std::string encodeMode(const ModeRequest& request) {
    Json out{{"mode", std::string(config::toString(request.mode))}};
    if (request.percent)
        out["percent"] = *request.percent;
    return orderText(out);
}

std::string encodeEndpoint(const std::string& endpointId) {
    return orderText({{"endpoint", endpointId}});
}

std::string encodeCircuit(const CircuitRequest& request) {
    return orderText({{"endpoint", request.endpointId}, {"action", std::string(toString(request.action))}});
}

std::string encodeForecastRequest(const ForecastRequest& request) {
    Json out{{"pool", request.pool}};
    out["question"] = Writer({}).toJson(request.question);
    return orderText(out);
}

std::string encodeApply(const ApplyRequest& request) {
    Json files = Json::object(), signatures = Json::object();
    for (const ApplyRequest::File& file : request.files) {
        files[file.name] = file.text;
        if (!file.signatures.empty())
            signatures[file.name] = file.signatures;
    }
    Json out{{"files", std::move(files)}};
    if (!signatures.empty())
        out["signatures"] = std::move(signatures);
    return orderText(out);
}

std::string encodeNote(const std::string& words) {
    return orderText({{"words", words}});
}

Result<bool> decodeOff(std::string_view json) {
    return Order::parse(json, {"on"}).and_then([](const Order& order) { return order.required<bool>("on", "true or false"); });
}

Result<ModeRequest> decodeMode(std::string_view json) {
    const auto order = Order::parse(json, {"mode", "percent"});
    if (!order)
        return tl::unexpected(order.error());
    const auto word = order->required<std::string>("mode", "off, shadow or active");
    if (!word)
        return tl::unexpected(word.error());
    const auto percent = order->optional<std::uint8_t>("percent", "a whole number from 0 to 100");
    if (!percent)
        return tl::unexpected(percent.error());
    if (percent->value_or(0) > 100)
        return badOrder("no share is larger than 100 %", "/percent", "Send a whole number from 0 to 100.");
    for (const auto mode : {config::RoutingMode::off, config::RoutingMode::shadow, config::RoutingMode::active})
        if (config::toString(mode) == *word)
            return ModeRequest{mode, *percent};
    return badOrder("\"" + elided(*word, 80) + "\" is not a mode", "/mode", "Send off, shadow or active.");
}

Result<std::string> decodeEndpoint(std::string_view json) {
    return Order::parse(json, {"endpoint"}).and_then([](const Order& order) {
        return order.required<std::string>("endpoint", kEndpointWords);
    });
}

Result<CircuitRequest> decodeCircuit(std::string_view json) {
    const auto order = Order::parse(json, {"endpoint", "action"});
    if (!order)
        return tl::unexpected(order.error());
    auto endpoint = order->required<std::string>("endpoint", kEndpointWords);
    if (!endpoint)
        return tl::unexpected(endpoint.error());
    const auto action = order->required<std::string>("action", "trip or reset");
    if (!action)
        return tl::unexpected(action.error());
    for (const auto known : {EndpointAction::trip, EndpointAction::reset})
        if (toString(known) == *action)
            return CircuitRequest{std::move(*endpoint), known};
    return badOrder("\"" + elided(*action, 80) + "\" is nothing that a circuit can do", "/action", "Send trip or reset.");
}

Result<ForecastRequest> decodeForecastRequest(std::string_view json) {
    const auto order = Order::parse(json, {"pool", "question"});
    if (!order)
        return tl::unexpected(order.error());
    auto pool = order->required<std::string>("pool", "the id of a model of [models]");
    if (!pool)
        return tl::unexpected(pool.error());
    auto question = order->optional<dispatch::PoolQuestion>("question", "an object as the console sends it");
    if (!question)
        return tl::unexpected(question.error());
    ForecastRequest request{std::move(*pool), question->value_or(dispatch::PoolQuestion())};
    if (!(request.question.u >= 0 && request.question.u < 1))
        return badOrder("the draw is outside of its range", "/question/u", "Send a number from 0 to below 1.");
    return request;
}

Result<ApplyRequest> decodeApply(std::string_view json) {
    const auto order = Order::parse(json, {"files", "signatures"});
    if (!order)
        return tl::unexpected(order.error());
    if (!order->root().contains("files"))
        return badOrder("\"files\" is missing", "/files", "Send routing-table.json and gateway.toml as texts.");
    auto files = filesOf(order->root()["files"]);
    if (!files)
        return tl::unexpected(files.error());
    if (const auto signatures = order->root().find("signatures"); signatures != order->root().end())
        if (auto added = addSignatures(*signatures, *files); !added)
            return tl::unexpected(added.error());
    return ApplyRequest{std::move(*files)};
}

Result<std::string> decodeNote(std::string_view json) {
    return Order::parse(json, {"words"}).and_then([](const Order& order) {
        return order.required<std::string>("words", "the sentence to write down");
    });
}

} // namespace signalbox::engine::wire
