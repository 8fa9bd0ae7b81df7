// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <vector>

namespace signalbox::ui {

/// The four groups of the navigation.
enum class PageGroup { now, policy, evidence, ship };

struct PageEntry {
    PageGroup group;
    std::function<Page*(PageContext, QWidget*)> make;
};

/// Every page of the console in the order of the navigation.
[[nodiscard]] std::vector<PageEntry> allPages();

}  // namespace signalbox::ui
