// SPDX-License-Identifier: MIT
#pragma once

class QDoubleSpinBox;

namespace signalbox::ui {

/// Decimals that write `value` in full, at least `least`; -1 when a field cannot.
[[nodiscard]] int decimalsOf(double value, int least);
/// Shows `value` with all of its digits, whatever the field showed before. False, with the field switched off, when it
/// has more digits than a field can show: what cannot be seen whole must not be edited (F82).
bool showInFull(QDoubleSpinBox* box, double value, int leastDecimals);

}  // namespace signalbox::ui
