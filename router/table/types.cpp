// SPDX-License-Identifier: MIT
#include "router/table/types.h"

#include <algorithm>

namespace signalbox::table {
namespace {

template <class Enum, std::size_t N>
std::optional<Enum> parseWord(std::string_view word, const std::array<Enum, N>& values) {
    const auto it = std::find_if(values.begin(), values.end(), [&](Enum value) { return toString(value) == word; });
    if (it == values.end()) return std::nullopt;
    return *it;
}

}  // namespace

std::string_view toString(WorkloadClass value) {
    switch (value) {
    case WorkloadClass::toolCall: return "tool_call";
    case WorkloadClass::structuredJson: return "structured_json";
    case WorkloadClass::summarization: return "summarization";
    case WorkloadClass::codeGen: return "code_gen";
    case WorkloadClass::freeChat: return "free_chat";
    }
    return {};
}

std::string_view toString(LengthBucket value) {
    switch (value) {
    case LengthBucket::shortOutput: return "short";
    case LengthBucket::mediumOutput: return "medium";
    case LengthBucket::longOutput: return "long";
    }
    return {};
}

std::string_view toString(ConcurrencyMode value) {
    switch (value) {
    case ConcurrencyMode::singleStream: return "single_stream";
    case ConcurrencyMode::multiConc: return "multi_conc";
    }
    return {};
}

std::optional<WorkloadClass> parseWorkloadClass(std::string_view word) { return parseWord(word, kWorkloadClasses); }
std::optional<LengthBucket> parseLengthBucket(std::string_view word) { return parseWord(word, kLengthBuckets); }
std::optional<ConcurrencyMode> parseConcurrencyMode(std::string_view word) {
    return parseWord(word, kConcurrencyModes);
}

std::size_t Cell::index() const {
    return (static_cast<std::size_t>(workload) * kLengthBuckets.size() + static_cast<std::size_t>(length)) *
               kConcurrencyModes.size() +
           static_cast<std::size_t>(concurrency);
}

Cell Cell::fromIndex(std::size_t index) {
    const std::size_t modes = kConcurrencyModes.size();
    const std::size_t lengths = kLengthBuckets.size();
    return {kWorkloadClasses.at(index / (modes * lengths)), kLengthBuckets.at(index / modes % lengths),
            kConcurrencyModes.at(index % modes)};
}

const Preset* RoutingTable::findPreset(std::string_view presetKey) const {
    const auto it = std::find_if(presets.begin(), presets.end(), [&](const Preset& p) { return p.presetKey == presetKey; });
    return it == presets.end() ? nullptr : &*it;
}

std::vector<std::string> RoutingTable::families() const {
    std::vector<std::string> out;
    const auto add = [&](const std::string& family) {
        if (std::find(out.begin(), out.end(), family) == out.end()) out.push_back(family);
    };
    for (const Preset& preset : presets) add(preset.modelFamily);
    for (const RoutingRule& rule : rules) add(rule.modelFamily);
    return out;
}

bool RoutingTable::isOurs() const { return generatedBy == "signalbox" || generatedBy.starts_with("signalbox/"); }

}  // namespace signalbox::table
