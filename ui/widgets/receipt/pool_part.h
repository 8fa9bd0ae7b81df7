// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/receipt/receipt_parts.h"

namespace signalbox::ui {

/// How a pool's router chose: what was drawn, every candidate with its share, price or reason, the session, the mix, the
/// backup request, the local server's admission. `record.pool` is set.
[[nodiscard]] ReceiptPart poolPart(const evidence::DecisionRecord& record);
/// The same of a choice that nobody made: the simulator's forecast.
[[nodiscard]] std::vector<ReceiptLine> poolLines(const evidence::RecordedPool& pool);

}  // namespace signalbox::ui
