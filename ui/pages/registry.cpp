// SPDX-License-Identifier: MIT
#include "ui/pages/registry.h"

#include "ui/pages/gateway/gateway_page.h"
#include "ui/pages/overview/overview_page.h"

namespace signalbox::ui {

template <class T>
static PageEntry entry(PageGroup group) {
    return {group, [](PageContext context, QWidget* parent) -> Page* { return new T(std::move(context), parent); }};
}

// A new page: build it as ui::page_<id> in its folder, link it in this folder's CMakeLists.txt, add its line here.
std::vector<PageEntry> allPages() {
    return {
        entry<OverviewPage>(PageGroup::now),
        entry<GatewayPage>(PageGroup::now),
    };
}

}  // namespace signalbox::ui
