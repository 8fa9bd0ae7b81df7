// SPDX-License-Identifier: MIT
// A request body in either dialect: whatever is classified is JSON for everybody, and what is spliced of it stays so and says what was asked.
#include "router/base/json_document.h"
#include "router/classify/classify.h"
#include "router/gateway/splice.h"
#include "tests/fuzz/require.h"

#include <nlohmann/json.hpp>

using namespace signalbox;
using fuzz::require;

namespace {

/// Whether another parser takes it; a number that no double holds is a matter of taste.
class Accepts : public nlohmann::json_sax<OrderedJson> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(std::int64_t) override { return true; }
    bool number_unsigned(std::uint64_t) override { return true; }
    bool number_float(double, const std::string&) override { return true; }
    bool string(std::string&) override { return true; }
    bool binary(OrderedJson::binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(std::string&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
        constexpr int kNumberOverflow = 406;
        m_matterOfTaste = error.id == kNumberOverflow;
        return false;
    }
    static bool text(std::string_view json) {
        Accepts handler;
        return OrderedJson::sax_parse(json, &handler) || handler.m_matterOfTaste;
    }

private:
    bool m_matterOfTaste = false;
};

void checkRange(const std::optional<classify::BodyMap::Range>& range, std::size_t size) {
    if (range) require(range->begin < range->end && range->end <= size, "a range lies inside the body");
}

void checkMap(std::string_view body, const classify::BodyMap& map) {
    for (const auto& range : {map.modelValue, map.metadataMember, map.metadataValue, map.emptyToolsMember,
                              map.toolChoiceMember, map.maxTokensKey, map.maxCompletionTokensKey,
                              map.streamOptionsValue, map.includeUsageValue})
        checkRange(range, body.size());
    require(map.objectEnd < body.size() && body[map.objectEnd] == '}', "objectEnd is the closing brace");
    std::string rest;
    std::size_t at = 0;
    for (const auto& cut : map.cuts) {
        require(cut.begin >= at && cut.end > cut.begin && cut.end <= body.size(), "cuts are in order, without overlap");
        rest += body.substr(at, cut.begin - at);
        at = cut.end;
    }
    rest += body.substr(at);
    require(Accepts::text(rest), "what the cuts leave is JSON");
}

/// What is neither an object nor null there stays, since the upstream has to refuse it.
bool takesUsage(std::string_view body, const classify::BodyMap& map) {
    if (!map.streamOptionsValue) return true;
    const std::string_view options = body.substr(map.streamOptionsValue->begin, map.streamOptionsValue->end - map.streamOptionsValue->begin);
    return options.starts_with('{') || options == "null";
}

void checkSplice(std::string_view body, const classify::ClassifiedRequest& request, const gateway::SpliceWish& wish) {
    const auto spliced = gateway::spliceBody(body, request, wish);
    require(spliced.has_value(), "a classified body can be spliced");
    require(Accepts::text(*spliced), "a spliced body is JSON");
    const auto again = classify::classifyBody(request.features.dialect, *spliced, {}, {}, 2);
    require(again.has_value(), "a spliced body can be classified");
    if (request.map.modelValue) require(again->features.model == wish.upstreamModel, "the model is the upstream's");
    require(again->metadataHints == classify::CallerHints(), "our hints are gone");
    require(!again->map.emptyToolsMember, "an empty tools array is gone");
    if (wish.askForUsage && takesUsage(body, request.map)) require(again->features.includeUsage, "usage is asked for");
    require(again->features.outputCap == request.features.outputCap, "the output cap stays");
    require(again->features.peculiarities == request.features.peculiarities, "what only its dialect can say stays");
}

void checkOpenAi(std::string_view body) {
    const auto request = classify::classify(body, {}, {}, 2);
    if (!request) return require(!request.error().message.empty(), "an error says something");
    require(Accepts::text(body), "a classified body is JSON");
    checkMap(body, request->map);
    using config::TokensField;
    for (const TokensField field : {TokensField::asSent, TokensField::maxTokens, TokensField::maxCompletionTokens, TokensField::both})
        for (const bool usage : {false, request->features.stream}) checkSplice(body, *request, {"up/\"stream\"", field, usage});
}

void checkMessages(std::string_view body) {
    const auto request = classify::classifyBody(classify::Dialect::anthropic, body, {}, {}, 2);
    if (!request) return require(!request.error().message.empty(), "an error says something");
    require(Accepts::text(body), "a classified body is JSON");
    checkMap(body, request->map);
    checkSplice(body, *request, {"up/\"stream\""});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char*>(data), size);
    checkOpenAi(body);
    checkMessages(body);
    return 0;
}
