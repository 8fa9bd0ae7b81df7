// SPDX-License-Identifier: MIT
#include "router/capacity/output_predictor.h"

#include <algorithm>
#include <bit>

namespace signalbox::capacity {
namespace {

std::uint32_t sizeClass(std::uint64_t promptTokens) {
    return promptTokens < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(promptTokens) - 1);
}

}  // namespace

std::string_view toString(PredictionSource source) {
    switch (source) {
        case PredictionSource::bucket: return "bucket";
        case PredictionSource::model: return "model";
        case PredictionSource::global: return "global";
        case PredictionSource::fallback: return "default";
    }
    return "default";
}

void OutputPredictor::Totals::add(std::int64_t output) {
    tokens += static_cast<std::uint64_t>(output);
    ++samples;
}

OutputPredictor::OutputPredictor(OutputPredictorOptions options) : m_options(options) {}

void OutputPredictor::update(std::string_view model, std::uint64_t promptTokens, std::int64_t outputTokens) {
    if (outputTokens <= 0) return;
    const std::lock_guard lock(m_mutex);
    auto found = m_models.find(model);
    if (found == m_models.end()) found = m_models.emplace(std::string(model), Model{}).first;
    found->second.buckets[sizeClass(promptTokens)].add(outputTokens);
    found->second.all.add(outputTokens);
    m_global.add(outputTokens);
}

OutputPrediction OutputPredictor::predict(std::string_view model, std::uint64_t promptTokens,
                                          std::optional<std::uint64_t> maxTokens) const {
    const std::lock_guard lock(m_mutex);
    OutputPrediction out = uncapped(model, sizeClass(promptTokens));
    if (maxTokens.value_or(0) > 0) out.tokens = std::min(out.tokens, static_cast<double>(*maxTokens));
    out.tokens = std::max(out.tokens, 1.0);
    return out;
}

OutputPrediction OutputPredictor::uncapped(std::string_view model, std::uint32_t bucket) const {
    const auto from = [bucket](const Totals& totals, PredictionSource source) {
        return OutputPrediction{totals.mean(), source, bucket, totals.samples};
    };
    if (const auto found = m_models.find(model); found != m_models.end()) {
        const auto same = found->second.buckets.find(bucket);
        if (same != found->second.buckets.end() && same->second.enough(m_options.minBucketSamples))
            return from(same->second, PredictionSource::bucket);
        if (found->second.all.enough(m_options.minModelSamples)) return from(found->second.all, PredictionSource::model);
    }
    if (m_global.enough(m_options.minGlobalSamples)) return from(m_global, PredictionSource::global);
    return {m_options.defaultOutput, PredictionSource::fallback, bucket, 0};
}

}  // namespace signalbox::capacity
