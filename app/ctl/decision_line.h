// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <iosfwd>

namespace signalbox::ctl {

/// One decision in one line: when, which, how long, how it ended, where it went and why. One that was not served shows the
/// endpoint that was tried last, the model asked for and the error's code; one that a fallback served, after whom.
void printDecisionLine(std::ostream& out, const evidence::DecisionRecord& row);

}  // namespace signalbox::ctl
