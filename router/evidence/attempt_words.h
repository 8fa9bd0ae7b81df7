// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <string>
#include <vector>

namespace signalbox::evidence {

/// How an attempt ended, in one word: the status where it is one of failure (`500`), else the reason (`timeout_first_byte`),
/// else the outcome's own word.
[[nodiscard]] std::string endingOf(const Attempt& attempt);

/// The attempt that began last of those that were sent; where nothing was sent, of all. Null when there was none.
[[nodiscard]] const Attempt* lastTried(const std::vector<Attempt>& attempts);
/// The endpoint that answered; of a request that nobody answered, the one that was tried last. Empty when there was none.
[[nodiscard]] const std::string& endpointConcerned(const DecisionRecord& record);

/// Where a request came to nothing, in the order of the attempts: `oai:gpt-x 500, lab:m timeout_first_byte`. The first few, and
/// how many more. Names are bounded. Backup legs of a race count only if `withHedges`.
[[nodiscard]] std::string unansweredBy(const std::vector<Attempt>& attempts, bool withHedges);
/// How many endpoints those are.
[[nodiscard]] std::size_t countOfUnanswered(const std::vector<Attempt>& attempts);
/// Where a request that was served had come to nothing before; empty when its first attempt answered, or when it was not served.
[[nodiscard]] std::string servedAfter(const DecisionRecord& record);

}  // namespace signalbox::evidence
