// SPDX-License-Identifier: MIT
#include "ui/pages/rules/widening.h"

#include "router/table/when.h"

#include <bit>

namespace signalbox::ui {

static table::CellSet permittedCells(const table::RoutingRule& rule) { return rule.when.canMatch ? table::cellsOf(rule.when) : 0; }

static bool isMeasured(const table::RoutingRule& rule) { return rule.evidenceTag == "measured"; }

int newlyPermitted(const table::RoutingTable& saved, const table::RoutingRule& rule) {
    if (!isMeasured(rule)) return 0;
    table::CellSet before = 0;
    bool isKnown = false;
    for (const table::RoutingRule& one : saved.rules) {
        if (!isMeasured(one) || one.modelFamily != rule.modelFamily || one.evidence != rule.evidence) continue;
        before |= permittedCells(one);  // one evidence may stand behind several rules
        isKnown = true;
    }
    return isKnown ? std::popcount(permittedCells(rule) & ~before) : 0;
}

}  // namespace signalbox::ui
