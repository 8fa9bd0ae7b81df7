// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/page_harness.h"

#include <QCoreApplication>
#include <QFocusEvent>

namespace signalbox::test {

/// As the real inspector does it: what goes is hidden, so that its field loses the focus while the page is still busy
/// with what made it go. For a page that is made with this context.
[[nodiscard]] inline ui::PageContext leavingInspector(PageHarness& harness) {
    ui::PageContext made = harness.context();
    made.inspect = [&harness, show = made.inspect](QWidget* content, const QString& title) {
        if (harness.inspected)
            for (QWidget* field : harness.inspected->findChildren<QWidget*>()) {
                QFocusEvent out(QEvent::FocusOut);
                QCoreApplication::sendEvent(field, &out);
            }
        show(content, title);
    };
    return made;
}

}  // namespace signalbox::test
