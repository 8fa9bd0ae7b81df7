// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <iosfwd>

namespace signalbox::ctl {

/// One decision in one line: when, which, how long, how it ended, where it went and why.
void printDecisionLine(std::ostream& out, const evidence::DecisionRecord& row);

}  // namespace signalbox::ctl
