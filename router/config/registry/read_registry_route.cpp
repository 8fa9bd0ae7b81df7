// SPDX-License-Identifier: MIT
#include "router/config/registry/read_registry.h"

#include "router/base/text.h"
#include "router/config/read_parts.h"
#include "router/config/registry/registry_endpoint.h"
#include "router/config/section.h"

#include <algorithm>
#include <array>

namespace signalbox::config {
namespace {

constexpr double kMaxWeight = 1e9;

/// As the upstream calls the model; the registry expands a variable there, a route here does not.
std::optional<std::string> upstreamModel(RegistrySection& from) {
    const auto written = from.text("provider_model_id");
    if (!written) return std::nullopt;
    const RegistryText reference = readReference(*written);
    if (!reference.variable) return written;
    if (!reference.text) {
        from.say(ImportOutcome::notCarried, "model_variable", "provider_model_id", "a route names its model itself, not a variable", "Write the model's name.");
        return std::string();
    }
    from.say(ImportOutcome::changed, "model_variable", "provider_model_id", "a route names its model itself, so the default behind :- was taken");
    return reference.text;
}

bool readModelName(RegistrySection& route, RegistrySection& model, const std::string& modelId, RegistryRoute& out) {
    auto name = upstreamModel(route);
    if (!name) name = upstreamModel(model);
    out.model = name.value_or(modelId);
    if (isBlank(out.model)) return false;
    if (out.model.size() <= kMaxModelBytes && !hasControl(out.model)) return true;
    route.say(ImportOutcome::notCarried, "model_invalid", "provider_model_id", "a model's name has 1 to 240 bytes on one line");
    return false;
}

/// False when the route says that it is paid by something of which it does not say how much there is.
bool readBilling(RegistrySection& route, RegistryRoute& out) {
    static constexpr std::array kWords{Billing::onDemand, Billing::quota, Billing::concurrency};
    out.quota = readRegistryQuota(route);
    out.concurrency = readRegistrySlots(route);
    if (const auto word = route.text("provider_type")) {
        const auto known = std::find_if(kWords.begin(), kWords.end(), [&](Billing one) { return toString(one) == asciiLower(*word); });
        if (known == kWords.end()) {
            route.say(ImportOutcome::notCarried, "provider_type_unknown", "provider_type", route.shown(*word) + " is no way of paying, so the route is left out",
                      "Write on_demand, quota or concurrency.");
            return false;
        }
        out.billing = *known;
    }
    const bool counted = out.billing == Billing::onDemand || (out.billing == Billing::quota ? out.quota : out.concurrency).has_value();
    if (!counted)
        route.say(ImportOutcome::notCarried, "billing_without_limit", "provider_type",
                  "paid by " + std::string(toString(out.billing)) + ", of which nothing usable says how much there is, so the route is left out",
                  "Add " + std::string(toString(out.billing)) + ": {limit: N}.");
    if (out.billing == Billing::onDemand && (out.quota || out.concurrency))
        route.context().report.addOnce(ImportOutcome::changed, "limit_on_demand", {}, route.placeOf(out.quota ? "quota" : "concurrency"),
                                       "that system counts this only for routes paid by it; here it limits the route's calls");
    return counted;
}

void leaveRest(RegistrySection& route) {
    route.leave("optional", "a route whose variable is not set fails and the next one is tried, instead of being left out at start");
    route.leave("routewise_pool", "each model has a cost envelope of its own");
    route.leave("extra_body", "requests go upstream as the client sent them");
    route.leave("processor", "answers are passed on as the upstream sends them");
    route.leave("route_metadata", "nothing here reads it");
    route.leave("priority_scheduling", "requests go upstream as the client sent them");
    route.leave("null_cache_details_means_miss", "usage is counted as the upstream reports it");
    for (const char* key : {"extra_headers", "headers", "extra_query", "chat_path", "auth_header_name", "auth_format"})
        route.leave(key, "a provider is called with its key in the header of the protocol", "Add static_headers to the provider where it needs others.");
    for (const char* key : {"pricing_schedule", "output_modalities", "quantization", "supported_params", "supports_structured_params", "route_id", "name"})
        route.ignore(key);
}

}  // namespace

std::optional<RegistryRoute> readRegistryRoute(RegistrySection& route, RegistrySection& model, const std::string& modelId) {
    RegistryRoute out;
    out.place = route.here();
    const auto ownKind = route.text("kind");
    const auto modelKind = model.text("provider");
    RegistrySection& kindFrom = ownKind ? route : model;
    const auto kind = readAdapterKind(kindFrom, ownKind ? "kind" : "provider", ownKind ? *ownKind : modelKind.value_or("openai_compat"));
    const auto label = route.text("provider");
    if (const auto name = route.text("provider_display_name")) out.displayName = *name;
    const bool named = readModelName(route, model, modelId, out);
    const bool paid = readBilling(route, out);
    if (const auto weight = route.number("weight", 0, kMaxWeight)) out.weight = *weight;
    out.pricing = readRegistryPricing(route);
    if (!out.pricing) out.pricing = readRegistryPricing(model);
    readRegistryCapabilities(model, out.capabilities);
    readRegistryCapabilities(route, out.capabilities);
    out.keys = readRegistryKeys(route, model);
    const bool hasOwnUrl = route.take("base_url") != nullptr;
    bool placed = false;
    if (kind) {
        out.protocol = kind->protocol;
        out.label = label.value_or(kind->label);
        placed = readRegistryAddress(hasOwnUrl ? route : model, *kind, out);
        if (!placed && !hasOwnUrl && model.take("base_url") == nullptr)
            route.context().report.add(ImportOutcome::notCarried, "address_missing", out.place, "no base_url says where to call, so the route is left out",
                                       "Add base_url to the route or the model.");
    }
    leaveRest(route);
    route.finish();
    return kind && named && paid && placed ? std::optional(std::move(out)) : std::nullopt;
}

void readRegistryCapabilities(RegistrySection& section, Capabilities& out) {
    constexpr std::uint64_t kMostTokens = std::uint64_t{1} << 40;
    if (const auto tools = section.boolean("supports_tools")) out.tools = tools;
    if (const auto structured = section.boolean("supports_structured_output")) out.structuredOutput = structured;
    if (const auto tokens = section.whole("context_length", 0, kMostTokens); tokens && *tokens > 0) out.contextTokens = tokens;
    if (const auto tokens = section.whole("max_output_length", 0, kMostTokens); tokens && *tokens > 0) out.maxOutputTokens = tokens;
    const auto modalities = section.texts("input_modalities");
    if (modalities.empty()) return;
    out.vision = false;
    for (const auto& [word, place] : modalities) {
        if (word == "image") out.vision = true;
        else if (word != "text")
            section.context().report.addOnce(ImportOutcome::notCarried, "modality", word, place, "input " + section.shown(word) + " is not told apart here, only text and image");
    }
}

}  // namespace signalbox::config
