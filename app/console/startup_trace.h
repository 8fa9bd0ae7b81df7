// SPDX-License-Identifier: MIT
#pragma once

class QWidget;

namespace signalbox::ui {
class PolicyDocument;
}

namespace signalbox::console {

/// For tests/bench/startup, which takes the time when a line comes. Prints `startup: first frame` to stderr once the
/// window, which has just been shown, has painted for the first time.
void reportFirstFrame(QWidget& window);
/// Prints `startup: usable` once the policy that is being opened stands in the window as a whole frame.
void reportUsable(QWidget& window, const ui::PolicyDocument& document);

}  // namespace signalbox::console
