// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::table {

/// In the order of evaluation, which the contract fixes.
enum class WorkloadClass : std::uint8_t { toolCall, structuredJson, summarization, codeGen, freeChat };
enum class LengthBucket : std::uint8_t { shortOutput, mediumOutput, longOutput };
enum class ConcurrencyMode : std::uint8_t { singleStream, multiConc };

inline constexpr std::array kWorkloadClasses{WorkloadClass::toolCall, WorkloadClass::structuredJson,
                                             WorkloadClass::summarization, WorkloadClass::codeGen,
                                             WorkloadClass::freeChat};
inline constexpr std::array kLengthBuckets{LengthBucket::shortOutput, LengthBucket::mediumOutput,
                                           LengthBucket::longOutput};
inline constexpr std::array kConcurrencyModes{ConcurrencyMode::singleStream, ConcurrencyMode::multiConc};

/// The words of the contract: `tool_call`, `short`, `multi_conc`, …
[[nodiscard]] std::string_view toString(WorkloadClass value);
[[nodiscard]] std::string_view toString(LengthBucket value);
[[nodiscard]] std::string_view toString(ConcurrencyMode value);
[[nodiscard]] std::optional<WorkloadClass> parseWorkloadClass(std::string_view word);
[[nodiscard]] std::optional<LengthBucket> parseLengthBucket(std::string_view word);
[[nodiscard]] std::optional<ConcurrencyMode> parseConcurrencyMode(std::string_view word);

/// The family label of presets whose family nobody has named; never the family of a request.
inline constexpr std::string_view kUnlabelledFamily = "unknown";
/// The family of a gap that concerns every family.
inline constexpr std::string_view kEveryFamily = "all";

/// No request may name a model by more bytes, since the name ends in records, headers and messages. What has a longer one cannot
/// be asked for by it and is not listed (F34).
inline constexpr std::size_t kMaxRequestNameBytes = 512;

/// One of the 5 x 3 x 2 kinds of request that a family's rules tell apart.
struct Cell {
    WorkloadClass workload = WorkloadClass::freeChat;
    LengthBucket length = LengthBucket::longOutput;
    ConcurrencyMode concurrency = ConcurrencyMode::singleStream;
    /// 0..29, workload major, then length, then concurrency.
    [[nodiscard]] std::size_t index() const;
    [[nodiscard]] static Cell fromIndex(std::size_t index);
    bool operator==(const Cell&) const = default;
};
inline constexpr std::size_t kCellCount = 30;

struct Preset {
    std::string presetKey;
    std::string model;
    std::optional<std::string> servedModelName;
    std::string modelFamily;
    std::int64_t specDecodeK = 1;
    std::int64_t maxNumSeqs = 1;
    std::optional<std::string> role;  ///< any word; unlisted ones are a warning
    std::vector<std::string> intendedWorkloads;
    bool defaultForFamily = false;
    bool operator==(const Preset&) const = default;
};

/// The condition of a rule. The words stay as written; the masks say what they mean.
struct When {
    std::optional<std::vector<std::string>> workloadClass;
    std::optional<std::vector<std::string>> expectedOutputLength;
    std::optional<std::vector<std::string>> concurrencyMode;
    /// False if an axis is empty, unknown to the contract, or lists only workload names that no request can have:
    /// such a rule never fires. The masks then mean nothing.
    bool canMatch = true;
    std::uint8_t workloadMask = 0x1f;
    std::uint8_t lengthMask = 0x07;
    std::uint8_t concurrencyMask = 0x03;

    [[nodiscard]] bool matches(const Cell& cell) const {
        return canMatch && (workloadMask >> static_cast<unsigned>(cell.workload) & 1U) != 0 &&
               (lengthMask >> static_cast<unsigned>(cell.length) & 1U) != 0 &&
               (concurrencyMask >> static_cast<unsigned>(cell.concurrency) & 1U) != 0;
    }
    bool operator==(const When&) const = default;
};

struct RoutingRule {
    std::string modelFamily;
    When when;
    std::string presetKey;
    std::string evidence;
    std::optional<std::string> evidenceTag;  ///< `measured`, `inferred` or null
    bool operator==(const RoutingRule&) const = default;
};

struct CoverageGap {
    std::string modelFamily;  ///< `all` means every family
    std::string missingCell;  ///< prose; its leading `axis=v(/v)* AND …` names cells
    std::string fallbackPreset;
    std::string nextPhase;
    bool operator==(const CoverageGap&) const = default;
};

/// A routing table of schema version 1, or the empty shell of a version we do not know.
struct RoutingTable {
    std::int64_t schemaVersion = 1;
    std::string generatedBy;
    std::string generatedAt;
    std::optional<std::string> vllmPin;
    std::vector<Preset> presets;
    std::vector<RoutingRule> rules;
    std::vector<CoverageGap> gaps;

    /// False for an unknown schema version: nothing is applied, every answer is the natural preset.
    [[nodiscard]] bool isApplicable() const { return schemaVersion == 1; }
    [[nodiscard]] const Preset* findPreset(std::string_view presetKey) const;
    /// Families of presets and rules in order of first appearance.
    [[nodiscard]] std::vector<std::string> families() const;
    /// True if `generated_by` names Signalbox, so that editing needs no fork.
    [[nodiscard]] bool isOurs() const;
};

}  // namespace signalbox::table
