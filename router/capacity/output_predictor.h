// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::capacity {

struct OutputPredictorOptions {
    /// Tokens, while nothing is known.
    double defaultOutput = 512;
    std::uint64_t minBucketSamples = 3;
    std::uint64_t minModelSamples = 3;
    std::uint64_t minGlobalSamples = 3;
};

enum class PredictionSource : std::uint8_t { bucket, model, global, fallback };

/// bucket, model, global, default
[[nodiscard]] std::string_view toString(PredictionSource source);

struct OutputPrediction {
    /// At least 1, at most the request's own cap.
    double tokens = 0;
    PredictionSource source = PredictionSource::fallback;
    /// floor(log2(prompt tokens)); 0 for prompts below two tokens.
    std::uint32_t bucket = 0;
    /// How many answers the mean stands on; 0 for the default.
    std::uint64_t samples = 0;
};

/// How long an answer will be: the mean of earlier answers to prompts of the same size class and model, else of the
/// model, else of all, else the default. Safe to use from several threads. Models are the configured ones, never a
/// client's own words, so that memory stays bounded.
class OutputPredictor {
public:
    explicit OutputPredictor(OutputPredictorOptions options = {});

    /// Answers without tokens (nothing counted, or cut before content) teach nothing.
    void update(std::string_view model, std::uint64_t promptTokens, std::int64_t outputTokens);
    /// `maxTokens` is the request's cap; absent and 0 mean none.
    [[nodiscard]] OutputPrediction predict(std::string_view model, std::uint64_t promptTokens,
                                           std::optional<std::uint64_t> maxTokens) const;

private:
    struct Totals {
        std::uint64_t tokens = 0;
        std::uint64_t samples = 0;
        void add(std::int64_t output);
        [[nodiscard]] bool enough(std::uint64_t minimum) const { return samples > 0 && samples >= minimum; }
        [[nodiscard]] double mean() const { return static_cast<double>(tokens) / static_cast<double>(samples); }
    };
    struct Model {
        Totals all;
        std::map<std::uint32_t, Totals> buckets;
    };

    [[nodiscard]] OutputPrediction uncapped(std::string_view model, std::uint32_t bucket) const;

    const OutputPredictorOptions m_options;
    mutable std::mutex m_mutex;
    std::map<std::string, Model, std::less<>> m_models;
    Totals m_global;
};

}  // namespace signalbox::capacity
