// SPDX-License-Identifier: MIT
#include "router/upstream/engine_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace signalbox::upstream {

using capacity::EngineKind;
using capacity::EnginePageReading;
using capacity::EngineReading;

namespace {

enum class Field : std::uint8_t {
    running, waiting, kvUsed, preemptions, promptTokens, generationTokens,
    prefixHits, prefixAsked, prefixMisses, prefixRate,
    draftsAccepted, drafted, draftRate, draftLength,
};

/// Averaged over engines; everything else is summed.
bool isShare(Field field) {
    return field == Field::kvUsed || field == Field::prefixRate || field == Field::draftRate || field == Field::draftLength;
}

struct Name {
    EngineKind engine;
    Field field;
    std::string_view metric;  ///< after the engine's prefix
};

/// Of several names for a field the first one counts that the page has. Read from the engines' own sources and
/// documentation: vLLM 0.5 to 0.32 (until 0.8 its first engine was the default: `gpu_…`, and rates instead of
/// counters), SGLang 0.4 to 0.5, llama.cpp's tools/server until b10488 (`kv_cache_usage_ratio` only in old ones).
constexpr std::array kNames{
    Name{EngineKind::vllm, Field::running, "num_requests_running"},
    Name{EngineKind::vllm, Field::waiting, "num_requests_waiting"},
    Name{EngineKind::vllm, Field::kvUsed, "kv_cache_usage_perc"},
    Name{EngineKind::vllm, Field::kvUsed, "gpu_cache_usage_perc"},
    Name{EngineKind::vllm, Field::preemptions, "num_preemptions_total"},
    Name{EngineKind::vllm, Field::promptTokens, "prompt_tokens_total"},
    Name{EngineKind::vllm, Field::generationTokens, "generation_tokens_total"},
    Name{EngineKind::vllm, Field::prefixHits, "prefix_cache_hits_total"},
    Name{EngineKind::vllm, Field::prefixHits, "gpu_prefix_cache_hits_total"},
    Name{EngineKind::vllm, Field::prefixAsked, "prefix_cache_queries_total"},
    Name{EngineKind::vllm, Field::prefixAsked, "gpu_prefix_cache_queries_total"},
    Name{EngineKind::vllm, Field::prefixRate, "gpu_prefix_cache_hit_rate"},
    Name{EngineKind::vllm, Field::draftsAccepted, "spec_decode_num_accepted_tokens_total"},
    Name{EngineKind::vllm, Field::drafted, "spec_decode_num_draft_tokens_total"},
    Name{EngineKind::vllm, Field::draftRate, "spec_decode_draft_acceptance_rate"},
    Name{EngineKind::sglang, Field::running, "num_running_reqs"},
    Name{EngineKind::sglang, Field::waiting, "num_queue_reqs"},
    Name{EngineKind::sglang, Field::kvUsed, "token_usage"},
    Name{EngineKind::sglang, Field::preemptions, "num_retracted_requests_total"},
    Name{EngineKind::sglang, Field::promptTokens, "prompt_tokens_total"},
    Name{EngineKind::sglang, Field::generationTokens, "generation_tokens_total"},
    Name{EngineKind::sglang, Field::prefixHits, "cached_tokens_total"},
    Name{EngineKind::sglang, Field::prefixAsked, "prompt_tokens_total"},
    Name{EngineKind::sglang, Field::prefixRate, "cache_hit_rate"},
    Name{EngineKind::sglang, Field::draftRate, "spec_accept_rate"},
    Name{EngineKind::sglang, Field::draftLength, "spec_accept_length"},
    Name{EngineKind::llamaCpp, Field::running, "requests_processing"},
    Name{EngineKind::llamaCpp, Field::waiting, "requests_deferred"},
    Name{EngineKind::llamaCpp, Field::kvUsed, "kv_cache_usage_ratio"},
    Name{EngineKind::llamaCpp, Field::promptTokens, "prompt_tokens_total"},
    Name{EngineKind::llamaCpp, Field::generationTokens, "tokens_predicted_total"},
    Name{EngineKind::llamaCpp, Field::prefixHits, "prompt_tokens_cached_total"},
    Name{EngineKind::llamaCpp, Field::prefixMisses, "prompt_tokens_total"},
    Name{EngineKind::llamaCpp, Field::draftsAccepted, "spec_decode_num_accepted_tokens_total"},
    Name{EngineKind::llamaCpp, Field::drafted, "spec_decode_num_draft_tokens_total"},
};

struct Prefix {
    EngineKind engine;
    std::string_view text;  ///< a colon or an underscore follows
};
constexpr std::array kPrefixes{Prefix{EngineKind::vllm, "vllm"}, Prefix{EngineKind::sglang, "sglang"},
                               Prefix{EngineKind::llamaCpp, "llamacpp"}};

/// Of which process or rank a copy of a number is; series that differ in nothing else say the same thing.
constexpr std::array<std::string_view, 5> kCopyLabels{"tp_rank", "pp_rank", "moe_ep_rank", "moe_dp_rank", "pid"};

bool isMetric(std::string_view name, EngineKind engine, std::string_view metric) {
    for (const Prefix& prefix : kPrefixes)
        if (prefix.engine == engine)
            return name.size() == prefix.text.size() + 1 + metric.size() && name.starts_with(prefix.text) &&
                   (name[prefix.text.size()] == ':' || name[prefix.text.size()] == '_') && name.ends_with(metric);
    return false;
}

std::string seriesKey(const PrometheusSample& sample) {
    auto labels = sample.labels;
    std::erase_if(labels, [](const auto& label) { return std::ranges::find(kCopyLabels, label.first) != kCopyLabels.end(); });
    std::ranges::sort(labels);
    std::string key;
    for (const auto& [name, value] : labels) key.append(name).append(1, '\0').append(value).append(1, '\0');
    return key;
}

/// The samples of one page that the table names, by model.
class Page {
public:
    Page(std::span<const PrometheusSample> samples, EngineKind engine) {
        for (const PrometheusSample& sample : samples)
            for (std::size_t i = 0; i < kNames.size(); ++i)
                if (kNames[i].engine == engine && isMetric(sample.name, engine, kNames[i].metric)) add(i, sample);
    }
    [[nodiscard]] std::size_t size() const { return m_size; }

    [[nodiscard]] std::vector<EngineReading> readings() const {
        std::vector<EngineReading> out;
        for (const std::string& model : m_order) out.push_back(readingOf(model));
        return out;
    }

private:
    using Series = std::map<std::string, double>;

    void add(std::size_t name, const PrometheusSample& sample) {
        ++m_size;
        if (!sample.label("priority").empty()) return;
        const std::string model(sample.label("model_name"));
        if (std::ranges::find(m_order, model) == m_order.end()) m_order.push_back(model);
        const auto [at, fresh] = m_series[model][name].emplace(seriesKey(sample), sample.value);
        if (!fresh && (std::isnan(at->second) || sample.value > at->second)) at->second = sample.value;
    }

    [[nodiscard]] std::optional<double> value(const std::string& model, Field field) const {
        const std::map<std::size_t, Series>& named = m_series.at(model);
        for (const auto& [name, series] : named) {  // in the order of the table
            if (kNames[name].field != field) continue;
            double sum = 0;
            for (const auto& [key, number] : series) sum += number;
            return isShare(field) ? sum / static_cast<double>(series.size()) : sum;
        }
        return std::nullopt;
    }

    [[nodiscard]] EngineReading readingOf(const std::string& model) const {
        const auto of = [&](Field field) { return value(model, field); };
        EngineReading out;
        out.model = model;
        out.running = of(Field::running);
        out.waiting = of(Field::waiting);
        out.kvUsed = of(Field::kvUsed);
        out.preemptionsTotal = of(Field::preemptions);
        out.promptTokensTotal = of(Field::promptTokens);
        out.generationTokensTotal = of(Field::generationTokens);
        out.prefixCache = {of(Field::prefixHits), of(Field::prefixAsked), of(Field::prefixRate)};
        if (const auto misses = of(Field::prefixMisses); misses && out.prefixCache.hits)
            out.prefixCache.asked = *misses + *out.prefixCache.hits;
        out.drafts = {of(Field::draftsAccepted), of(Field::drafted), of(Field::draftRate)};
        // SGLang writes both of its rates as 0 where it drafts nothing; a drafting one has a length of 1 or more.
        if (of(Field::draftLength) == 0.0) out.drafts.rate.reset();
        return out;
    }

    std::size_t m_size = 0;
    std::vector<std::string> m_order;
    std::map<std::string, std::map<std::size_t, Series>> m_series;  // by model and index of the name
};

}  // namespace

Result<EnginePageReading> readEnginePage(std::span<const PrometheusSample> samples) {
    std::optional<Page> best;
    EnginePageReading out;
    for (const Prefix& prefix : kPrefixes) {
        Page page(samples, prefix.engine);
        if (page.size() == 0 || (best && best->size() >= page.size())) continue;
        best = std::move(page);
        out.engine = prefix.engine;
    }
    if (best) out.models = best->readings();
    if (out.models.empty())
        return fail(ErrorKind::badInput, "The page holds no metrics of vLLM, SGLang or llama.cpp", {},
                    "Name the engine's own page, usually /metrics at its port");
    const auto started = std::ranges::find(samples, "process_start_time_seconds", &PrometheusSample::name);
    if (started != samples.end()) out.startedAt = started->value;
    return out;
}

}  // namespace signalbox::upstream
