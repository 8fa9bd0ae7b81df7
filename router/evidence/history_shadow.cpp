// SPDX-License-Identifier: MIT
#include "router/evidence/history_reader.h"

#include <algorithm>

namespace signalbox::evidence {

std::size_t marginSlot(double margin) {
    const double slot = std::max(0.0, margin) / kMarginStep;
    return slot >= static_cast<double>(kMarginSlots - 1) ? kMarginSlots - 1 : static_cast<std::size_t>(slot);
}

Result<ShadowReport> PgHistoryReader::shadow(const ShadowFilter&, std::size_t, const CancelToken&) {
    return fail(ErrorKind::unavailable, "the questions about smart groups are not answered yet");
}

Result<std::map<std::string, double>> PgHistoryReader::spentByPrincipal(Timestamp, const CancelToken&) {
    return fail(ErrorKind::unavailable, "spending is not answered yet");
}

}  // namespace signalbox::evidence
