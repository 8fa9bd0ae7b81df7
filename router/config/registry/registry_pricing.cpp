// SPDX-License-Identifier: MIT
#include "router/config/registry/read_registry.h"

#include "router/base/text.h"

#include <algorithm>
#include <array>

namespace signalbox::config {
namespace {

constexpr double kMostUsd = 1e6;
/// No model costs less than this for a million tokens, and none as much for a single one.
constexpr double kLeastPerMillion = 0.001;

struct RateName {
    std::string_view name;
    double Pricing::*rate;
};
constexpr std::array kRates{
    RateName{"prompt", &Pricing::inputPerMillion},
    RateName{"input", &Pricing::inputPerMillion},
    RateName{"completion", &Pricing::outputPerMillion},
    RateName{"output", &Pricing::outputPerMillion},
    RateName{"input_cache_reads", &Pricing::cacheReadPerMillion},
    RateName{"input_cache_read", &Pricing::cacheReadPerMillion},
    RateName{"cache_read", &Pricing::cacheReadPerMillion},
    RateName{"input_cache_writes", &Pricing::cacheWritePerMillion},
    RateName{"input_cache_write", &Pricing::cacheWritePerMillion},
    RateName{"cache_write", &Pricing::cacheWritePerMillion},
};

/// Powers of ten from a unit to a million tokens.
struct Unit {
    std::string_view suffix;
    int shift;
};
constexpr std::array kUnits{
    Unit{"_per_million", 0}, Unit{"_per_million_tokens", 0}, Unit{"_per_1m", 0},       Unit{"_per_1m_tokens", 0}, Unit{"_per_mtok", 0},
    Unit{"_per_1k", 3},      Unit{"_per_1k_tokens", 3},      Unit{"_per_thousand", 3}, Unit{"_per_token", 6},
};

struct Rate {
    std::string key;
    double Pricing::*rate;
    std::optional<int> shift;  ///< the key names its unit
};

/// The rates that stand there, with what each key means.
std::vector<Rate> ratesOf(const YamlNode& map) {
    std::vector<Rate> out;
    for (const YamlMember& member : map.members)
        for (const RateName& known : kRates) {
            if (member.key == known.name) out.push_back({member.key, known.rate, std::nullopt});
            for (const Unit& unit : kUnits)
                if (member.key == std::string(known.name) + std::string(unit.suffix)) out.push_back({member.key, known.rate, unit.shift});
        }
    return out;
}

std::optional<double> amount(const YamlNode* node, int shift) {
    if (node == nullptr || node->kind != YamlNode::Kind::scalar) return std::nullopt;
    const auto value = readShifted(node->text, shift);
    return value && *value >= 0 && *value <= kMostUsd ? value : std::nullopt;
}

/// Per request or image: nothing here charges by them.
void leaveOtherCharges(RegistrySection& section) {
    for (const char* key : {"request", "image", "web_search", "internal_reasoning"}) {
        const YamlNode* node = section.take(key);
        if (node == nullptr || amount(node, 0) == std::optional(0.0)) continue;
        section.leave(key, "costs are counted by tokens, not by request, image or the like");
    }
}

/// Nothing but prices per token when each of them is below what a million can cost.
bool areWrittenPerToken(RegistrySection& section, const std::vector<Rate>& rates) {
    bool any = false;
    for (const Rate& rate : rates) {
        if (rate.shift) continue;
        const auto value = amount(section.take(rate.key), 0);
        if (!value || *value == 0) continue;
        if (*value >= kLeastPerMillion) return false;
        any = true;
    }
    return any;
}

}  // namespace

std::optional<RegistryPricing> readRegistryPricing(RegistrySection& section) {
    const YamlNode* node = section.take("pricing");
    if (node == nullptr) return std::nullopt;
    if (node->kind != YamlNode::Kind::map) {
        section.say(ImportOutcome::notCarried, "pricing_form", "pricing", "prices are a map with prompt and completion");
        return std::nullopt;
    }
    const RegistryPlace place = section.placeOf("pricing");
    RegistrySection pricing(section.context(), *node, place.path);
    const auto currency = pricing.text("currency");
    const std::vector<Rate> rates = ratesOf(*node);
    for (const Rate& rate : rates) pricing.ignore(rate.key);
    leaveOtherCharges(pricing);
    pricing.finish();
    if (currency && asciiLower(*currency) != "usd") {
        pricing.say(ImportOutcome::notCarried, "currency_not_usd", "currency", "costs are estimated in US dollars, these prices are in " + pricing.shown(*currency),
                    "Convert them.");
        return std::nullopt;
    }
    const bool perToken = areWrittenPerToken(pricing, rates);
    RegistryPricing out{{}, place};
    bool any = false;
    bool converted = perToken;
    for (const Rate& rate : rates) {
        const YamlNode* value = pricing.take(rate.key);
        if (value == nullptr) continue;
        const int shift = rate.shift.value_or(perToken ? 6 : 0);
        converted = converted || shift != 0;
        if (const auto usd = amount(value, shift)) {
            out.rates.*rate.rate = *usd;
            any = true;
        } else {
            pricing.say(ImportOutcome::notCarried, "price_invalid", rate.key, "a price is a number of US dollars from 0 to a million for a million tokens");
        }
    }
    if (converted)
        section.context().report.addOnce(ImportOutcome::changed, "price_unit", perToken ? "token" : "other", place,
                    perToken ? "written in US dollars per token, since each rate is below 0.001; carried per million tokens"
                             : "carried in US dollars per million tokens");
    return any ? std::optional(out) : std::nullopt;
}

}  // namespace signalbox::config
