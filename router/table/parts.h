// SPDX-License-Identifier: MIT
#pragma once

#include "router/table/fields.h"
#include "router/table/types.h"

// The parts of a routing table v1, each read from its JSON value. Faults become remarks; what is returned has one entry
// for each entry of the document, and is only to be used if no error was remarked.
namespace signalbox::table {

[[nodiscard]] std::vector<Preset> readPresets(const OrderedJson& array, Remarks& remarks);
[[nodiscard]] std::vector<RoutingRule> readRules(const OrderedJson& array, Remarks& remarks);
[[nodiscard]] std::vector<CoverageGap> readGaps(const OrderedJson& array, Remarks& remarks);

/// A rule must name a preset of the table.
void checkRuleTargets(const std::vector<RoutingRule>& rules, const std::vector<Preset>& presets, Remarks& remarks);

void checkWorkloadDetection(const OrderedJson& object, Remarks& remarks);
void checkConcurrencyDetection(const OrderedJson& object, Remarks& remarks);
void checkLengthDetection(const OrderedJson& object, Remarks& remarks);
void checkFallback(const OrderedJson& object, Remarks& remarks);

}  // namespace signalbox::table
