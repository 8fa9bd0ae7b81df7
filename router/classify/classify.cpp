// SPDX-License-Identifier: MIT
#include "router/classify/classify.h"

#include "router/classify/body_reader.h"
#include "router/classify/hints.h"

#include <array>
#include <utility>

namespace signalbox::classify {

namespace {

constexpr std::uint64_t kShortTokens = 256;
constexpr std::uint64_t kMediumTokens = 512;

using table::LengthBucket;
using table::WorkloadClass;

/// The three sources of a hint, strongest first.
struct Hints {
    const CallerHints& header;
    const CallerHints& metadata;
    const CallerHints& principal;

    /// The first that says something the contract knows, and where it was.
    template <class Parse>
    auto find(std::optional<std::string> CallerHints::*field, Parse parse) const {
        using Found = std::pair<decltype(parse(header.*field)), FoundBy>;
        if (auto value = parse(header.*field)) return Found(value, FoundBy::header);
        if (auto value = parse(metadata.*field)) return Found(value, FoundBy::metadata);
        if (auto value = parse(principal.*field)) return Found(value, FoundBy::principal);
        return Found({}, FoundBy::fallback);
    }
};

void chooseLength(RequestFeatures& features, const Hints& hints) {
    const auto [hint, by] = hints.find(&CallerHints::expectedLength, parseLengthHint);
    features.lengthFoundBy = by;
    if (hint) {
        features.cell.length = *hint;
    } else if (features.outputCap) {
        features.lengthFoundBy = FoundBy::body;
        features.cell.length = *features.outputCap <= kShortTokens    ? LengthBucket::shortOutput
                               : *features.outputCap <= kMediumTokens ? LengthBucket::mediumOutput
                                                                      : LengthBucket::longOutput;
    }  // else long: an answer without a cap is not known to be short (choice T1)
}

void chooseInputTokens(RequestFeatures& features, const BodyFacts& facts, const Hints& hints) {
    const auto [hint, by] = hints.find(&CallerHints::inputTokens, parseTokensHint);
    features.inputTokens = hint.value_or((facts.textBytes + 3) / 4);
    features.inputTokensFoundBy = hint ? by : FoundBy::estimate;
}

bool isSummarization(const RequestFeatures& features, const BodyFacts& facts) {
    if (!features.outputCap || facts.hasResponseFormat) return false;
    // input > 2 * cap without the overflow of the product
    return features.inputTokens / 2 > *features.outputCap ||
           (features.inputTokens / 2 == *features.outputCap && features.inputTokens % 2 == 1);
}

void chooseWorkload(RequestFeatures& features, const BodyFacts& facts, const Hints& hints) {
    const auto found = [&](WorkloadClass workload, FoundBy by) {
        features.cell.workload = workload;
        features.workloadFoundBy = by;
    };
    if (facts.tools > 0) return found(WorkloadClass::toolCall, FoundBy::body);
    if (facts.structuredOutput) return found(WorkloadClass::structuredJson, FoundBy::body);
    if (isSummarization(features, facts)) return found(WorkloadClass::summarization, features.inputTokensFoundBy);
    const auto [isCode, by] = hints.find(&CallerHints::category, parseCodeHint);
    found(isCode ? WorkloadClass::codeGen : WorkloadClass::freeChat, by);
}

RequestFeatures conclude(BodyFacts& facts, const Hints& hints, std::optional<std::uint32_t> inFlight) {
    RequestFeatures features;
    features.model = std::move(facts.model);
    features.stream = facts.stream;
    features.includeUsage = facts.includeUsage;
    features.toolsOffered = facts.tools;
    features.functionsOffered = facts.functions;
    features.parallelTools = facts.parallelTools;
    features.structuredOutput = facts.structuredOutput;
    features.vision = facts.vision;
    features.mediaBytes = facts.mediaBytes;
    features.stopSequences = facts.stopSequences;
    features.outputCap = facts.maxCompletionTokens ? facts.maxCompletionTokens : facts.maxTokens;
    features.outputCapField = facts.maxCompletionTokens ? OutputCapField::maxCompletionTokens
                              : facts.maxTokens         ? OutputCapField::maxTokens
                                                        : OutputCapField::none;
    features.inFlight = inFlight;
    features.peculiarities = facts.peculiarities;
    features.cell.concurrency =
        inFlight.value_or(0) >= 2 ? table::ConcurrencyMode::multiConc : table::ConcurrencyMode::singleStream;
    chooseLength(features, hints);
    chooseInputTokens(features, facts, hints);
    chooseWorkload(features, facts, hints);
    return features;
}

}  // namespace

Result<ClassifiedRequest> classifyBody(Dialect dialect, std::string_view body, const CallerHints& headerHints,
                                       const CallerHints& principalHints, std::optional<std::uint32_t> inFlight) {
    // One reader for each thread: its memory is what makes reading fast.
    thread_local BodyReader reader;
    auto facts = reader.read(dialect, body);
    if (!facts) return tl::unexpected(std::move(facts.error()));
    ClassifiedRequest request;
    request.features = conclude(*facts, {headerHints, facts->metadataHints, principalHints}, inFlight);
    request.features.dialect = dialect;
    request.metadataHints = std::move(facts->metadataHints);
    request.streamUnclear = facts->streamUnclear;
    request.map = std::move(facts->map);
    return request;
}

Result<ClassifiedRequest> classify(std::string_view body, const CallerHints& headerHints, const CallerHints& principalHints,
                                   std::optional<std::uint32_t> inFlight) {
    return classifyBody(Dialect::openai, body, headerHints, principalHints, inFlight);
}

}  // namespace signalbox::classify
