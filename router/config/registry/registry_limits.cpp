// SPDX-License-Identifier: MIT
#include "router/config/registry/read_registry.h"

#include "router/base/text.h"

#include <array>
#include <cmath>

namespace signalbox::config {
namespace {

using std::chrono::seconds;
constexpr std::uint64_t kMostCalls = 1'000'000'000;
constexpr std::int64_t kLongestWindowS = 366 * 86'400;

struct Span {
    std::string_view word;
    std::int64_t s;
};
constexpr std::array kWindowSpans{
    Span{"minute", 60},   Span{"minutely", 60},     Span{"hour", 3600},       Span{"hourly", 3600},      Span{"day", 86'400},        Span{"daily", 86'400},
    Span{"week", 604'800}, Span{"weekly", 604'800}, Span{"month", 2'592'000}, Span{"monthly", 2'592'000},
};
constexpr std::array kUnitSpans{Span{"s", 1}, Span{"sec", 1}, Span{"m", 60}, Span{"min", 60}, Span{"h", 3600}, Span{"d", 86'400}, Span{"w", 604'800}};
/// Keys of a window whose unit is in their name.
constexpr std::array kWindowKeys{Span{"window_s", 1},           Span{"window_sec", 1},       Span{"window_seconds", 1}, Span{"window_minutes", 60},
                                 Span{"window_hours", 3600}, Span{"window_days", 86'400}};

std::optional<seconds> spanOf(double count, std::int64_t unit) {
    const double s = count * static_cast<double>(unit);
    if (!(s >= 1) || s > static_cast<double>(kLongestWindowS)) return std::nullopt;
    return seconds(std::llround(s));
}

/// `daily`, `5h`, `86400`.
std::optional<seconds> windowOf(std::string_view written) {
    const std::string word = asciiLower(trimmed(written));
    for (const Span& known : kWindowSpans)
        if (word == known.word) return seconds(known.s);
    const std::size_t unitAt = word.find_first_not_of("0123456789.");
    const auto count = readNumber(word.substr(0, unitAt));
    if (!count) return std::nullopt;
    if (unitAt == std::string::npos) return spanOf(*count, 1);
    for (const Span& unit : kUnitSpans)
        if (trimmed(std::string_view(word).substr(unitAt)) == unit.word) return spanOf(*count, unit.s);
    return std::nullopt;
}

/// The window that a label speaks of: "Daily requests".
std::optional<seconds> windowIn(std::string_view label) {
    const std::string words = asciiLower(label);
    for (const Span& known : kWindowSpans)
        if (known.word.ends_with("ly") && words.find(known.word) != std::string::npos) return seconds(known.s);
    return std::nullopt;
}

std::optional<seconds> readWindow(RegistrySection& quota) {
    std::optional<seconds> out;
    for (const char* key : {"window", "period", "interval"}) {
        const auto written = quota.text(key);
        if (!written) continue;
        out = windowOf(*written);
        if (!out) quota.say(ImportOutcome::notCarried, "window_unknown", key, quota.shown(*written) + " is no window of time", "Write daily, 5h or a number of seconds.");
    }
    for (const Span& key : kWindowKeys)
        if (const auto count = quota.number(key.word, 0, 1e9)) out = spanOf(*count, key.s);
    return out;
}

/// `{limit: N}` or N itself; `inside` reads what else stands in the map.
template <class Inside>
std::optional<RegistryLimit> readLimit(RegistrySection& route, const char* key, const Inside& inside) {
    const YamlNode* node = route.take(key);
    if (node == nullptr) return std::nullopt;
    RegistryLimit out;
    out.place = route.placeOf(key);
    std::optional<std::uint64_t> limit;
    if (node->kind == YamlNode::Kind::map) {
        RegistrySection section(route.context(), *node, out.place.path);
        limit = section.whole("limit", 1, kMostCalls);
        inside(section, out);
        section.finish();
    } else {
        limit = route.whole(key, 1, kMostCalls);
    }
    if (!limit) {
        route.say(ImportOutcome::notCarried, "limit_missing", key, "there is no limit that could be counted", "Write {limit: N}.");
        return std::nullopt;
    }
    out.limit = *limit;
    return out;
}

/// Where that system reads how much is used. Here calls are counted as they go out.
struct QuotaSource {
    std::optional<std::string> label, unit;
};

QuotaSource readSource(RegistrySection& route) {
    QuotaSource out;
    const YamlNode* node = route.take("quota_source");
    if (node == nullptr) return out;
    if (node->kind == YamlNode::Kind::map) {
        RegistrySection source(route.context(), *node, route.placeOf("quota_source").path);
        source.ignore("provider");
        out.label = source.text("usage_label");
        out.unit = source.text("unit");
        source.finish();
    }
    route.leave("quota_source", "the provider's own count is not asked for; this gateway counts the calls it sends itself",
                "Where others spend the same quota, set the limit lower.");
    return out;
}

}  // namespace

std::optional<RegistryLimit> readRegistryQuota(RegistrySection& route) {
    std::optional<std::string> unit;
    auto out = readLimit(route, "quota", [&](RegistrySection& section, RegistryLimit& limit) {
        limit.window = readWindow(section);
        unit = section.text("unit");
        section.leave("reset_timezone", "a window begins with the first call and not at midnight of a place");
    });
    const auto pool = route.text("quota_pool");
    const QuotaSource source = readSource(route);
    if (source.unit) unit = source.unit;
    if (!out) return out;
    out->pool = pool.value_or(std::string());
    if (unit && asciiLower(*unit) != "requests" && asciiLower(*unit) != "request") {
        route.say(ImportOutcome::notCarried, "quota_unit", "quota", "this quota counts " + route.shown(*unit) + ", resources count requests");
        return std::nullopt;
    }
    if (out->window) return out;
    for (const auto& label : {source.label, pool})
        if (label && !out->window) out->window = windowIn(*label);
    if (out->window)
        route.say(ImportOutcome::changed, "quota_window", "quota",
                  "the window of " + std::to_string(out->window->count()) + " s was read from the quota's name", "Check window_s.");
    else
        route.say(ImportOutcome::changed, "quota_window", "quota", "nothing says when this quota comes back, so it never does by itself",
                  "Add window_s to its [resources] entry.");
    return out;
}

std::optional<RegistryLimit> readRegistrySlots(RegistrySection& route) {
    auto out = readLimit(route, "concurrency", [](RegistrySection&, RegistryLimit&) {});
    const auto pool = route.text("concurrency_pool");
    if (out && pool) out->pool = *pool;
    return out;
}

}  // namespace signalbox::config
