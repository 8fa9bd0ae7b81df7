// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/classify/dialect.h"
#include "router/table/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::classify {

/// What the caller says about its request, as text and unchecked; malformed values count as no hint.
struct CallerHints {
    std::optional<std::string> expectedLength;
    std::optional<std::string> category;
    std::optional<std::string> inputTokens;
    /// Fills what is absent here, or says nothing the contract knows, from `weaker`.
    void fillFrom(const CallerHints& weaker);
    bool operator==(const CallerHints&) const = default;
};

/// How a feature was found; the receipt shows it.
enum class FoundBy : std::uint8_t { header, metadata, principal, body, estimate, fallback };
[[nodiscard]] std::string_view toString(FoundBy by);

enum class OutputCapField : std::uint8_t { none, maxTokens, maxCompletionTokens };

/// Everything that routing may know about a request. Holds no content of it.
struct RequestFeatures {
    std::string model;  ///< as asked for; empty when absent or not text
    bool stream = false;
    bool includeUsage = false;  ///< stream_options.include_usage
    table::Cell cell;
    FoundBy workloadFoundBy = FoundBy::body;
    FoundBy lengthFoundBy = FoundBy::fallback;
    std::uint64_t inputTokens = 0;
    FoundBy inputTokensFoundBy = FoundBy::estimate;
    std::optional<std::uint64_t> outputCap;
    OutputCapField outputCapField = OutputCapField::none;
    std::optional<std::uint32_t> inFlight;  ///< the current request included; none when unknown
    std::uint32_t toolsOffered = 0;
    /// Of the older `functions`. They ask the model for tools, too, and say nothing of the workload class (choice T19).
    std::uint32_t functionsOffered = 0;
    bool parallelTools = false;
    bool structuredOutput = false;  ///< response_format json_object or json_schema
    bool vision = false;            ///< any picture or video in a message
    /// Of pictures, recordings and documents in the body: what they are in base64, or their address. Four of them are no token.
    std::uint64_t mediaBytes = 0;
    /// Of a Messages body. How many are too many is a setting of the provider that speaks the other dialect.
    std::uint32_t stopSequences = 0;
    Dialect dialect = Dialect::openai;
    PeculiaritySet peculiarities;   ///< what only that dialect can say
};

/// Where values stand in the body, so that the gateway can splice without rewriting (contract D).
/// Ranges are half-open byte offsets of the value, or of the whole member where said.
struct BodyMap {
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::optional<Range> modelValue;
    std::optional<Range> metadataMember;        ///< `"metadata": {…}` without comma, like all members here
    std::optional<Range> metadataValue;
    std::optional<Range> emptyToolsMember;      ///< set only when `tools` is an empty array
    std::optional<Range> toolChoiceMember;
    std::optional<Range> maxTokensKey;          ///< the key with its quotes
    std::optional<Range> maxCompletionTokensKey;
    std::optional<Range> streamOptionsValue;    ///< an object or anything else: look at its first byte
    std::optional<Range> includeUsageValue;     ///< of `include_usage` inside it
    std::size_t objectEnd = 0;                  ///< position of the closing brace
    /// What is not for an upstream (F26, F33): our hints inside `metadata`, or the whole member when it holds nothing else;
    /// and with an empty `tools` its `tool_choice` and, of an OpenAI body, `parallel_tool_calls`. Hints are text, or a number of
    /// tokens: another value under one of their names is the client's own and stays (contract A, D).
    /// In order, without overlap, and with the commas chosen so that the object stays well formed when all of them are cut.
    /// The gateway has other splices to make in the same pass: it goes by this in `metadata`, and finds other members by itself.
    std::vector<Range> cuts;
};

struct ClassifiedRequest {
    RequestFeatures features;
    CallerHints metadataHints;  ///< hints found in the body's metadata
    /// `stream` is neither a boolean nor null. Servers read such a value differently, so that nobody knows what would come back.
    bool streamUnclear = false;
    BodyMap map;
};

/// Reads a chat or completion body once (simdjson) and classifies it (contract A).
/// Errors: not a JSON object, not UTF-8, a duplicate top-level key that we read (it could be read differently upstream).
/// `headerHints` win over the body's metadata, which wins over `principalHints`.
[[nodiscard]] Result<ClassifiedRequest> classify(std::string_view body, const CallerHints& headerHints,
                                                 const CallerHints& principalHints,
                                                 std::optional<std::uint32_t> inFlight);

}  // namespace signalbox::classify
