// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/parameters.h"

#include "router/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace signalbox::strategy::routewise {
namespace {

/// Ten years: longer spans are typing errors, and must not overflow a clock.
constexpr double kLongestS = 10.0 * 366 * 86400;

template <class Duration, class From>
Duration rounded(From from) {
    if constexpr (std::chrono::treat_as_floating_point_v<typename Duration::rep>)
        return Duration(from);
    else
        return std::chrono::round<Duration>(from);
}

/// Takes the known names out of one object and keeps what was wrong with them.
class Reader {
public:
    Reader(const OrderedJson& json, const std::string& path) : m_json(json), m_path(path) {
        if (!json.is_object() && !json.is_null()) report("bad_value", "", "router_params must be a table of parameters");
    }

    void number(const char* name, double& out, double least, double most, const char* rule) {
        const OrderedJson* value = take(name);
        if (value == nullptr) return;
        const double read = value->is_number() ? value->get<double>() : std::numeric_limits<double>::quiet_NaN();
        if (!std::isfinite(read) || read < least || read > most) return report("bad_value", name, rule);
        out = read;
    }

    template <class Count>
    void count(const char* name, Count& out, std::uint64_t least, std::uint64_t most) {
        const OrderedJson* value = take(name);
        if (value == nullptr) return;
        const bool whole = value->is_number_unsigned() || (value->is_number_integer() && value->get<std::int64_t>() >= 0);
        if (!whole || value->get<std::uint64_t>() < least || value->get<std::uint64_t>() > most)
            return report("bad_value", name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        out = static_cast<Count>(value->get<std::uint64_t>());
    }

    /// A span in the unit of the parameter's name, kept in the unit of `out`.
    template <class Unit, class Duration>
    void span(const char* name, Duration& out) {
        double read = std::chrono::duration<double, typename Unit::period>(out).count();
        const double most = std::chrono::duration<double, typename Unit::period>(std::chrono::duration<double>(kLongestS)).count();
        const double before = read;
        number(name, read, 0, most, "must be a positive number");
        if (read == before) return;
        const auto kept = rounded<Duration>(std::chrono::duration<double, typename Unit::period>(read));
        if (kept.count() <= 0) return report("bad_value", name, "must be a positive number, at least one of its unit");
        out = kept;
    }

    void flag(const char* name, bool& out) {
        const OrderedJson* value = take(name);
        if (value == nullptr) return;
        if (!value->is_boolean()) return report("bad_value", name, "must be true or false");
        out = value->get<bool>();
    }

    template <class Enum>
    void word(const char* name, Enum& out, std::initializer_list<std::pair<const char*, Enum>> words) {
        const OrderedJson* value = take(name);
        if (value == nullptr) return;
        std::string rule = "must be one of";
        for (const auto& [known, meaning] : words) {
            if (*value == known) {
                out = meaning;
                return;
            }
            rule += std::string(" \"") + known + "\"";
        }
        report("bad_value", name, rule);
    }

    void price(const char* name, std::optional<OnDemandTerms>& out) {
        const OrderedJson* value = take(name);
        if (value == nullptr) return;
        const auto usable = [](const OrderedJson& json) { return json.is_number() && std::isfinite(json.get<double>()) && json.get<double>() >= 0; };
        if (usable(*value)) {
            out = OnDemandTerms{value->get<double>(), value->get<double>()};
        } else if (value->is_object() && value->size() == 2 && value->contains("input") && value->contains("output") &&
                   usable(value->at("input")) && usable(value->at("output"))) {
            out = OnDemandTerms{value->at("input").get<double>(), value->at("output").get<double>()};
        } else {
            report("bad_value", name, "must be USD per million tokens: a number, or {input, output}");
        }
    }

    void report(const char* code, const std::string& name, const std::string& rule, std::string hint = "Correct this value or leave it out") {
        Finding finding;
        finding.code = code;
        finding.pointer = name.empty() ? m_path : m_path + "." + name;
        finding.message = name.empty() ? rule : name + " " + rule;
        finding.hint = std::move(hint);
        m_findings.push_back(std::move(finding));
    }

    /// Names that no reader asked for.
    void reportUnknown() {
        if (!m_json.is_object()) return;
        for (const auto& [name, value] : m_json.items()) {
            if (std::find(m_known.begin(), m_known.end(), name) != m_known.end()) continue;
            const auto near = nearestName(name, m_known);
            report("unknown_parameter", elided(name, 64), "is not a parameter of routewise",
                   near ? "Did you mean \"" + *near + "\"?" : "Remove it");
        }
    }

    [[nodiscard]] const Findings& findings() const { return m_findings; }

private:
    const OrderedJson* take(const char* name) {
        m_known.emplace_back(name);
        if (!m_json.is_object()) return nullptr;
        const auto it = m_json.find(name);
        return it == m_json.end() || it->is_null() ? nullptr : &*it;
    }

    const OrderedJson& m_json;
    std::string m_path;
    std::vector<std::string> m_known;
    Findings m_findings;
};

void readLearning(Reader& reader, Parameters& out) {
    constexpr std::uint64_t kMostSamples = 1'000'000;
    reader.number("output_default_tokens", out.output.defaultOutput, 1, 1e9, "must be a number of tokens of at least 1");
    reader.count("output_min_bucket_samples", out.output.minBucketSamples, 0, kMostSamples);
    reader.count("output_min_model_samples", out.output.minModelSamples, 0, kMostSamples);
    reader.count("output_min_global_samples", out.output.minGlobalSamples, 0, kMostSamples);
    reader.span<std::chrono::hours>("envelope_window_hours", out.envelope.window);
    reader.number("envelope_lower_percentile", out.envelope.lowerPercentile, 0, 100, "must be a number from 0 to 100");
    reader.number("envelope_upper_percentile", out.envelope.upperPercentile, 0, 100, "must be a number from 0 to 100");
    if (out.envelope.lowerPercentile >= out.envelope.upperPercentile)
        reader.report("bad_value", "envelope_lower_percentile", "must be below envelope_upper_percentile");
    reader.count("envelope_min_samples", out.envelope.minSamples, 0, out.envelope.maxSamples);
    reader.span<std::chrono::seconds>("quota_snapshot_refresh_interval_sec", out.quotaRefreshInterval);
}

void readLatency(Reader& reader, Parameters& out) {
    reader.span<std::chrono::seconds>("latency_slo_sec", out.latencySlo);
    reader.span<std::chrono::seconds>("latency_window_sec", out.latency.window);
    reader.span<std::chrono::seconds>("latency_history_prior_window_sec", out.latency.priorWindow);
    if (out.latency.priorWindow < out.latency.window)
        reader.report("bad_value", "latency_history_prior_window_sec", "must not be shorter than latency_window_sec");
    reader.count("latency_max_samples_per_profile", out.latency.maxSamples, 1, 1'000'000);
    reader.span<std::chrono::milliseconds>("latency_unprofiled_ttft_ms", out.latency.unprofiledTtft);
    reader.word<HedgeMode>("latency_hedge_mode", out.hedgeMode,
                           {{"disabled", HedgeMode::disabled}, {"probability_target", HedgeMode::probabilityTarget}});
    reader.word<FallbackMode>("fallback_mode", out.fallbackMode,
                              {{"policy", FallbackMode::policy}, {"strict", FallbackMode::strict}});
}

void readProbe(Reader& reader, ProbeOptions& out) {
    reader.flag("routewise_probe_enabled", out.enabled);
    reader.span<std::chrono::seconds>("routewise_probe_interval_sec", out.interval);
    reader.span<std::chrono::seconds>("routewise_probe_timeout_sec", out.timeout);
    reader.flag("routewise_probe_idle_only", out.idleOnly);
    reader.span<std::chrono::seconds>("routewise_probe_idle_threshold_sec", out.idleThreshold);
    reader.count("routewise_probe_max_concurrency", out.maxConcurrency, 1, 1000);
}

}  // namespace

tl::expected<Parameters, Findings> readParameters(const OrderedJson& json, const std::string& path) {
    Parameters out;
    Reader reader(json, path);
    reader.number("budget_alpha", out.budgetAlpha, 0, 1, "must be a number from 0 to 1");
    reader.count("random_seed", out.randomSeed, 0, std::numeric_limits<std::uint64_t>::max());
    reader.price("reference_api_price", out.referenceApiPrice);
    readLearning(reader, out);
    readLatency(reader, out);
    readProbe(reader, out.probe);
    reader.reportUnknown();
    if (!reader.findings().empty()) return tl::unexpected(reader.findings());
    return out;
}

}  // namespace signalbox::strategy::routewise
